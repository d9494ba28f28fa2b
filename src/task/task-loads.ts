import type { Scope, StoredTask } from "../store/types.js";
import type { LiveTask } from "./live-task.js";

/** A task as a visitor meets it: live, unless it has ended; undefined where the scope has none of the id. */
export type Met = LiveTask | StoredTask | undefined;

/** Looks at a task, and does what it has to do to it, in one go. */
export type Visitor<T> = (task: Met) => T;

interface Waiting {
  readonly meet: (task: Met) => void;
  readonly fail: (error: unknown) => void;
}

/** Reads of stored tasks that go on: one for each task, for all who wait for it. */
export class TaskLoads {
  readonly #waiting = new Map<string, Waiting[]>();

  /** Waits for a read that goes on; undefined where none does. */
  join<T>(scope: Scope, id: string, use: Visitor<T>): Promise<T> | undefined {
    // The key is made only where something waits: with a store that answers at once, nothing ever does.
    const waiting = this.#waiting.size === 0 ? undefined : this.#waiting.get(keyOf(scope, id));
    return waiting && enqueue(waiting, use);
  }

  /** The first to wait for a read; `open` has the visits of all done with what was read. */
  begin<T>(
    scope: Scope,
    id: string,
    read: Promise<StoredTask | undefined>,
    use: Visitor<T>,
    open: (stored: StoredTask | undefined, visits: Visitor<void>) => void,
  ): Promise<T> {
    const key = keyOf(scope, id);
    const waiting: Waiting[] = [];
    this.#waiting.set(key, waiting);
    const mine = enqueue(waiting, use);
    const failed = (error: unknown): void => {
      this.#waiting.delete(key);
      for (const { fail } of waiting) fail(error);
    };
    read
      .then((stored) => {
        this.#waiting.delete(key);
        open(stored, (task) => {
          for (const { meet } of waiting) meet(task);
        });
      })
      .catch(failed);
    return mine;
  }
}

const keyOf = ({ tenant, owner }: Scope, id: string): string => JSON.stringify([tenant, owner, id]);

const enqueue = <T>(waiting: Waiting[], use: Visitor<T>): Promise<T> =>
  new Promise((resolve, fail) => {
    // What a visitor throws goes to whoever sent it, and the next one has its turn.
    const visit = async (task: Met): Promise<T> => use(task);
    const meet = (task: Met): void => void visit(task).then(resolve, fail);
    waiting.push({ meet, fail });
  });
