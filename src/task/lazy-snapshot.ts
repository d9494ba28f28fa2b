import type { Snapshot, StoredMessage } from "../store/types.js";
import type { Message, Task } from "../versions/pivot.js";
import { encodeTask, type TaskText } from "./encode-task.js";

/** The snapshot of a new task, encoded when someone needs it: most tasks are finished before that. */
export class LazySnapshot implements Snapshot {
  readonly at = 1;
  readonly received = 0;
  readonly agent?: string;
  #task: Task | undefined;
  #encoded: TaskText | undefined;

  /** `task` is never changed. */
  constructor(task: Task, agent?: string) {
    this.#task = task;
    if (agent !== undefined) this.agent = agent;
  }

  get text(): string {
    return this.#encode().text;
  }

  get layout(): TaskText["layout"] {
    return this.#encode().layout;
  }

  #encode(): TaskText {
    if (this.#encoded !== undefined) return this.#encoded;
    if (this.#task === undefined) throw new Error("A snapshot without task");
    this.#encoded = encodeTask(this.#task);
    this.#task = undefined;
    return this.#encoded;
  }
}

/** A received message, encoded when someone needs it. */
export class LazyMessage implements StoredMessage {
  readonly k: number;
  readonly after: number;
  readonly #message: Message;

  constructor(k: number, after: number, message: Message) {
    this.k = k;
    this.after = after;
    this.#message = message;
  }

  get text(): string {
    return JSON.stringify(this.#message);
  }
}
