import { A2AError } from "../errors.js";
import { sseComment } from "../sse/write.js";
import type { FrameWriter } from "./event-frames.js";

/** How a stream of events becomes text. */
export interface EventStreamOptions {
  readonly frame: FrameWriter;
  /** The frame of a failure after the first event; whatever was thrown is already reduced to what may be public. */
  readonly failure: (error: unknown) => string;
  /** Longest silence in milliseconds before a comment is sent; 0: none are. */
  readonly keepAliveMs: number;
  /** True where a stream without any event is right (a resumed one that missed nothing). */
  readonly mayBeEmpty: boolean;
  readonly signal: AbortSignal;
  /** Called once, when the stream has ended in whatever way. */
  readonly onEnd: (stream: EventStream) => void;
}

type Text = IteratorResult<string, undefined>;
const ended: Text = { done: true, value: undefined };

/**
 * A response body over the events of a handler, pulled one chunk at a time: nothing is read ahead, so a slow reader
 * holds the handler back. A hand-written iterator, because `return()` of a generator waits for the pull in flight and a
 * disconnect must not.
 */
export class EventStream implements AsyncIterableIterator<string, undefined> {
  readonly #source: AsyncIterator<unknown>;
  readonly #options: EventStreamOptions;
  #pulling = false;
  #done = false;
  #ready: Text | undefined;
  #waiter: ((text: Text) => void) | undefined;
  #quiet = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  private constructor(source: AsyncIterator<unknown>, options: EventStreamOptions) {
    this.#source = source;
    this.#options = options;
  }

  /**
   * Starts the source and waits for its first event, so that a failure before it is thrown here and can be answered
   * as plain JSON (A2A-JR-f). After `keepAliveMs` without one the stream is opened all the same.
   */
  static async open(source: AsyncIterable<unknown>, options: EventStreamOptions): Promise<EventStream> {
    const stream = new EventStream(source[Symbol.asyncIterator](), options);
    await stream.#first();
    if (!stream.#done) options.signal.addEventListener("abort", stream.#abort, { once: true });
    // It may have fired while the first event was on its way here.
    if (options.signal.aborted) stream.#abort();
    if (options.keepAliveMs > 0 && !stream.#done) {
      stream.#timer = setInterval(() => stream.#tick(), Math.max(1, options.keepAliveMs / 2));
      unref(stream.#timer);
    }
    return stream;
  }

  /** True once no more events will come. */
  get done(): boolean {
    return this.#done;
  }

  readonly #abort = (): void => void this.return();

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Text> {
    const ready = this.#ready;
    if (ready) {
      this.#ready = undefined;
      return Promise.resolve(ready);
    }
    if (this.#done) return Promise.resolve(ended);
    const text = new Promise<Text>((resolve) => (this.#waiter = resolve));
    this.#pull();
    return text;
  }

  /** Ends the stream at once and lets the handler run its `finally`. */
  return(): Promise<Text> {
    if (!this.#done) {
      this.#finish();
      this.#stopSource();
    }
    this.#ready = undefined;
    this.#deliver(ended);
    this.#ready = undefined;
    return Promise.resolve(ended);
  }

  async #first(): Promise<void> {
    const { keepAliveMs, signal } = this.#options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let abort: (() => void) | undefined;
    const early = new Promise<"late" | "gone">((resolve) => {
      abort = () => resolve("gone");
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
      if (keepAliveMs > 0) unref((timer = setTimeout(() => resolve("late"), keepAliveMs)));
    });
    try {
      while (this.#ready === undefined) await this.#firstOr(early);
    } catch (error) {
      this.#done = true;
      this.#stopSource();
      throw error;
    } finally {
      clearTimeout(timer);
      if (abort) signal.removeEventListener("abort", abort);
    }
  }

  async #firstOr(early: Promise<"late" | "gone">): Promise<void> {
    const first = this.#source.next();
    const result = await Promise.race([first, early]);
    if (result === "gone") {
      // Nobody is left to hear how it ends.
      first.catch(() => undefined);
      throw new A2AError("ABORTED", "The caller went away");
    }
    if (result === "late") {
      this.#pulling = true;
      this.#ready = { done: false, value: sseComment() };
      first.then(this.#arrived, this.#failed);
    } else if (result.done !== true) {
      const text = this.#options.frame(result.value);
      if (text !== "") this.#ready = { done: false, value: text };
    } else if (this.#options.mayBeEmpty) {
      this.#ready = ended;
      this.#done = true;
    } else {
      throw new A2AError("INVALID_AGENT_RESPONSE", "The agent ended the stream without an event", {
        code: -32006,
      });
    }
  }

  #pull(): void {
    if (this.#pulling) return;
    this.#pulling = true;
    // A source may throw instead of rejecting.
    try {
      this.#source.next().then(this.#arrived, this.#failed);
    } catch (error) {
      this.#failed(error);
    }
  }

  readonly #arrived = (result: IteratorResult<unknown>): void => {
    this.#pulling = false;
    if (this.#done) return;
    if (result.done === true) {
      this.#finish();
      this.#deliver(ended);
      return;
    }
    let text: string;
    try {
      text = this.#options.frame(result.value);
    } catch (error) {
      this.#stopSource();
      this.#failed(error);
      return;
    }
    if (text === "") {
      if (this.#waiter) this.#pull();
      return;
    }
    this.#deliver({ done: false, value: text });
  };

  readonly #failed = (error: unknown): void => {
    this.#pulling = false;
    if (this.#done) return;
    this.#finish();
    this.#deliver({ done: false, value: this.#options.failure(error) });
  };

  #deliver(text: Text): void {
    this.#quiet = false;
    const waiter = this.#waiter;
    if (waiter) {
      this.#waiter = undefined;
      waiter(text);
    } else {
      this.#ready = text;
    }
  }

  #tick(): void {
    if (this.#quiet && this.#waiter) this.#deliver({ done: false, value: sseComment() });
    this.#quiet = true;
  }

  #finish(): void {
    this.#done = true;
    clearInterval(this.#timer);
    this.#options.signal.removeEventListener("abort", this.#abort);
    this.#options.onEnd(this);
  }

  #stopSource(): void {
    // Its result has nowhere to go: the caller is gone, or has been told of an earlier failure.
    void Promise.resolve(this.#source.return?.()).catch(() => undefined);
  }
}

const unref = (timer: unknown): void => {
  if (typeof timer === "object" && timer !== null && "unref" in timer) (timer as { unref(): void }).unref();
};
