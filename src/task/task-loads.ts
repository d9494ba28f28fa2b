import type { Scope, StoredTask } from "../store/types.js";
import type { LiveTask } from "./live-task.js";
import type { Elsewhere } from "./elsewhere.js";
import { scopeKey } from "./scope-key.js";

/** A task as a visitor meets it: live, unless it has ended; undefined where the scope has none of the id. */
export type Met = LiveTask | StoredTask | undefined;

/** Looks at a task, and does what it has to do to it, in one go. */
export type Visitor<T> = (task: Met) => T;

/** As `Visitor`, for a task that may be in the hands of another instance. */
export type AnyVisitor<T> = (task: Met | Elsewhere) => T;

/**
 * What a visitor is after: to change the task; to look at it; or to follow what becomes of it, whoever works on it (it is
 * met as `Elsewhere` where this instance does not, also where nobody does).
 */
export type Purpose = "change" | "look" | "follow";

interface Waiting {
  readonly meet: (task: Met | Elsewhere) => void;
  readonly fail: (error: unknown) => void;
}

/** Reads of stored tasks that go on: one for each task, for all who wait for it. */
export class TaskLoads {
  readonly #waiting = new Map<string, Waiting[]>();

  /** Waits for a read that goes on; undefined where none does. */
  join<T>(scope: Scope, id: string, use: AnyVisitor<T>, purpose: Purpose): Promise<T> | undefined {
    // The key is made only where something waits: with a store that answers at once, nothing ever does.
    const waiting = this.#waiting.size === 0 ? undefined : this.#waiting.get(scopeKey(scope, id, purpose));
    return waiting && enqueue(waiting, use);
  }

  /** The first to wait for a read; `open` has the visits of all done with what was read. */
  begin<T, R>(
    scope: Scope,
    id: string,
    read: Promise<R>,
    use: AnyVisitor<T>,
    open: (found: R, visits: AnyVisitor<void>) => void,
    purpose: Purpose,
  ): Promise<T> {
    const key = scopeKey(scope, id, purpose);
    const waiting: Waiting[] = [];
    this.#waiting.set(key, waiting);
    const mine = enqueue(waiting, use);
    const failed = (error: unknown): void => {
      this.#waiting.delete(key);
      for (const { fail } of waiting) fail(error);
    };
    read
      .then((found) => {
        this.#waiting.delete(key);
        open(found, (task) => {
          for (const { meet } of waiting) meet(task);
        });
      })
      .catch(failed);
    return mine;
  }
}

const enqueue = <T>(waiting: Waiting[], use: AnyVisitor<T>): Promise<T> =>
  new Promise((resolve, fail) => {
    // What a visitor throws goes to whoever sent it, and the next one has its turn.
    const visit = async (task: Met | Elsewhere): Promise<T> => use(task);
    const meet = (task: Met | Elsewhere): void => void visit(task).then(resolve, fail);
    waiting.push({ meet, fail });
  });
