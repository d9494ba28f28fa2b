import type { News } from "../bus/types.js";
import type { CommitEntry, Scope, StoredTask } from "../store/types.js";
import { FarTask, type FarTaskHost } from "./far-task.js";
import { scopeKey } from "./scope-key.js";

/** Tasks that are read at a time, at most: at a beat, each has its turn less often beyond that. */
const READS = 200;

/** The tasks that somebody here follows although this instance does not work on them. */
export class FarTasks {
  readonly #host: Omit<FarTaskHost, "forget">;
  readonly #tasks = new Map<string, FarTask>();
  #looking = false;
  #due = false;

  constructor(host: Omit<FarTaskHost, "forget">) {
    this.#host = host;
  }

  get size(): number {
    return this.#tasks.size;
  }

  /** The task as all here follow it; `revision` is what the caller has seen. Whoever gets it watches or holds it at once. */
  follow(scope: Scope, id: string, revision: number): FarTask {
    const key = scopeKey(scope, id);
    const known = this.#tasks.get(key);
    if (known !== undefined) return known;
    const { store, report, replay } = this.#host;
    const forget = (task: FarTask): void => {
      if (this.#tasks.get(key) === task) this.#tasks.delete(key);
    };
    const task = new FarTask({ store, report, replay, forget }, scope, id, revision);
    this.#tasks.set(key, task);
    return task;
  }

  /** As `follow`, for a task that was just read. */
  followStored(scope: Scope, stored: StoredTask): FarTask {
    const task = this.follow(scope, stored.taskId, stored.revision);
    if (stored.revision > task.committed) void task.look();
    else task.standsAt(stored);
    return task;
  }

  /** Another instance tells what it did. */
  heard({ scope = NOBODY, taskId, revision, events }: News): void {
    if (revision === undefined || this.#tasks.size === 0) return;
    this.#tasks.get(scopeKey(scope, taskId))?.heard(revision, events);
  }

  /** This instance did something: nobody tells it by the bus. */
  committed({ scope, taskId, events, snapshot }: CommitEntry): void {
    if (this.#tasks.size === 0) return;
    const revision = events.at(-1)?.n ?? snapshot?.at;
    if (revision !== undefined) this.#tasks.get(scopeKey(scope, taskId))?.heard(revision, events);
  }

  /** Looks what is new at those that were not looked at for the longest time. */
  look(): void {
    for (const [key, task] of [...this.#tasks].slice(0, READS)) {
      // The last in turn.
      this.#tasks.delete(key);
      if (!task.watched) continue;
      this.#tasks.set(key, task);
      void task.look();
    }
  }

  /** Looks what is new at all of them, so many at a time. */
  async lookAtAll(): Promise<void> {
    this.#due = true;
    if (this.#looking) return;
    this.#looking = true;
    // One that is asked for meanwhile begins anew: those that were looked at may have missed something.
    while (this.#wantsAll()) {
      const tasks = [...this.#tasks.values()];
      for (let at = 0; at < tasks.length; at += READS) {
        await Promise.all(tasks.slice(at, at + READS).map((task) => task.look()));
      }
    }
    this.#looking = false;
  }

  #wantsAll(): boolean {
    const due = this.#due;
    this.#due = false;
    return due;
  }

  tick(now: number): void {
    for (const task of this.#tasks.values()) task.tick(now);
  }

  /** Nothing more will come: who listens ends so that it can resume elsewhere. */
  lose(reason: Error): void {
    for (const task of [...this.#tasks.values()]) task.lose(reason);
  }
}

const NOBODY: Scope = { tenant: "", owner: "" };
