import type { Message } from "../versions/pivot.js";
import type { Inbox } from "./agent-types.js";
import { copyMessage } from "./content.js";

/** A message that waits for the agent to take it. */
export interface Waiting {
  readonly message: Message;
  /** Called when the handler takes it. */
  taken(): void;
}

/** The messages that arrived while a run goes on. */
export class MessageInbox implements Inbox {
  readonly #queue: Waiting[];
  #listeners: ((result: IteratorResult<Message, undefined>) => void)[] = [];
  #over = false;

  /** `queue` stays the session's: what the run never takes is left there. */
  constructor(queue: Waiting[]) {
    this.#queue = queue;
  }

  get size(): number {
    return this.#queue.length;
  }

  take(): Message | undefined {
    if (this.#over) return undefined;
    const waiting = this.#queue.shift();
    waiting?.taken();
    return waiting && copyMessage(waiting.message);
  }

  /** A message was put into the queue. */
  arrived(): void {
    const listener = this.#listeners.shift();
    if (listener === undefined) return;
    const value = this.take();
    if (value === undefined) this.#listeners.unshift(listener);
    else listener({ done: false, value });
  }

  /** The run is over: iterations end. */
  end(): void {
    this.#over = true;
    for (const listener of this.#listeners) listener(DONE);
    this.#listeners = [];
  }

  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    return {
      next: () => {
        const value = this.take();
        if (value !== undefined) return Promise.resolve({ done: false, value });
        if (this.#over) return Promise.resolve(DONE);
        return new Promise((resolve) => this.#listeners.push(resolve));
      },
      return: () => Promise.resolve(DONE),
    };
  }
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };
