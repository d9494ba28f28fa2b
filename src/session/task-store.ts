import type { Task } from "./a2a-types.js";
import { RecentMap } from "./recent-map.js";

/** Where a session keeps the tasks that it has seen. */
export interface TaskStore {
  /** Keeps a task; one of the same id is replaced. */
  save(task: Task): Promise<void>;
  /** The task as it was kept, or undefined. */
  load(taskId: string): Promise<Task | undefined>;
  /** Forgets a task; one that is not there is no error. */
  delete?(taskId: string): Promise<void>;
}

/** Most tasks that an `InMemoryTaskStore` keeps. */
const MOST = 1_000;

/** Tasks in memory: the 1,000 that were saved last. What a session uses unless it is given another store. */
export class InMemoryTaskStore implements TaskStore {
  readonly #tasks = new RecentMap<Task>(MOST);

  async save(task: Task): Promise<void> {
    this.#tasks.set(task.id, task);
  }

  async load(taskId: string): Promise<Task | undefined> {
    return this.#tasks.get(taskId);
  }

  async delete(taskId: string): Promise<void> {
    this.#tasks.delete(taskId);
  }
}
