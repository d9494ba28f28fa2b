import { A2AError } from "../errors.js";
import { sseComment } from "../sse/write.js";
import { promiseOf, takeFrom, type Receiver, type Takeable } from "../take.js";
import { unref } from "../unref.js";
import type { EventFrames } from "./event-frames.js";

/** How long a stream that may be empty has to fail as plain JSON, in ms: it may have nothing to say for hours. */
const EMPTY_MS = 100;

/** How one stream is written. */
export interface StreamWriter {
  readonly frames: EventFrames;
  /** The frame of a failure after the first event; what was thrown is reduced to what may be public. */
  failure(error: unknown): string;
  /** Called once, when the stream has ended after it was opened. */
  ended?(): void;
  /** True where a stream without any event is right (a resumed one that missed nothing). */
  readonly mayBeEmpty: boolean;
  /** Fires when the client goes away; read only while the first event is awaited. */
  readonly signal: AbortSignal;
}

/** What all streams of a server have in common. */
export interface StreamHost {
  /** Longest silence in milliseconds before a comment is sent; 0: none are. */
  readonly keepAliveMs: number;
  /** Called once, when a stream has ended in whatever way. */
  ended(stream: EventStream): void;
}

/**
 * A response body over the events of a handler, pulled one chunk at a time: nothing is read ahead, so a slow reader
 * holds the handler back. Whoever reads it calls `return()` when the client goes away. There are no promises, closures or
 * timers while it waits: many streams do nothing else.
 */
export class EventStream
  implements AsyncIterableIterator<string, undefined>, Takeable<string>, Receiver<unknown>
{
  readonly #source: AsyncIterator<unknown>;
  readonly #writer: StreamWriter;
  readonly #host: StreamHost;
  #opening: Opening | undefined;
  #pulling = false;
  #done = false;
  #ready: string | undefined;
  #waiter: Receiver<string> | undefined;
  #quiet = false;

  private constructor(source: AsyncIterator<unknown>, writer: StreamWriter, host: StreamHost) {
    this.#source = source;
    this.#writer = writer;
    this.#host = host;
  }

  /**
   * Starts the source and waits for its first event, so that a failure before it is thrown here and can be answered
   * as plain JSON (A2A-JR-f). After `keepAliveMs` without one the stream is opened all the same, with a comment; after
   * 100 ms where it may be empty.
   */
  static async open(
    source: AsyncIterable<unknown>,
    writer: StreamWriter,
    host: StreamHost,
  ): Promise<EventStream> {
    const stream = new EventStream(source[Symbol.asyncIterator](), writer, host);
    await stream.#first();
    return stream;
  }

  /** True once no more events will come. */
  get done(): boolean {
    return this.#done;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  take(receiver: Receiver<string>): void {
    const ready = this.#ready;
    if (ready !== undefined) {
      this.#ready = undefined;
      receiver.received(ready);
    } else if (this.#done) {
      receiver.ended();
    } else {
      this.#waiter = receiver;
      this.#pull();
    }
  }

  next(): Promise<IteratorResult<string, undefined>> {
    return promiseOf(this);
  }

  /** Ends the stream at once and lets the handler run its `finally`. */
  return(): Promise<IteratorResult<string, undefined>> {
    if (!this.#done) {
      this.#finish();
      this.#stopSource();
    }
    this.#ready = undefined;
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.ended();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** To be called every half `keepAliveMs`: sends a comment where nothing was sent since the last call. */
  tick(): void {
    if (this.#quiet && this.#waiter) this.#deliver(sseComment());
    this.#quiet = true;
  }

  received(value: unknown): void {
    this.#pulling = false;
    if (this.#done) return;
    let text: string;
    try {
      text = this.#writer.frames.write(value);
    } catch (error) {
      this.#stopSource();
      this.failed(error);
      return;
    }
    if (text !== "") this.#deliver(text);
    else if (this.#waiter ?? this.#opening) this.#pull();
  }

  ended(): void {
    this.#pulling = false;
    if (this.#done) return;
    if (this.#opening && !this.#writer.mayBeEmpty) {
      this.failed(
        new A2AError("INVALID_AGENT_RESPONSE", "The agent ended the stream without an event", {
          code: -32006,
        }),
      );
      return;
    }
    this.#finish();
    this.#opened();
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.ended();
  }

  failed(error: unknown): void {
    this.#pulling = false;
    if (this.#done) return;
    const opening = this.#opening;
    if (opening) {
      this.#opening = undefined;
      this.#done = true;
      this.#stopSource();
      opening.reject(error);
      return;
    }
    const told = this.#writer.failure(error);
    this.#finish();
    this.#deliver(told);
  }

  async #first(): Promise<void> {
    const first = new Promise<void>((resolve, reject) => {
      this.#opening = { resolve, reject };
    });
    this.#pull();
    // Most streams begin with what is known already.
    if (!this.#isOpening()) return first;
    const { signal, mayBeEmpty } = this.#writer;
    const { keepAliveMs } = this.#host;
    const openMs = mayBeEmpty ? Math.min(keepAliveMs || EMPTY_MS, EMPTY_MS) : keepAliveMs;
    const gone = (): void => {
      // The first event may be there, and only this function not gone on yet.
      if (this.#isOpening()) this.failed(new A2AError("ABORTED", "The caller went away"));
      else void this.return();
    };
    const timer = openMs > 0 ? setTimeout(() => this.#deliver(sseComment()), openMs) : undefined;
    unref(timer);
    signal.addEventListener("abort", gone, { once: true });
    if (signal.aborted) gone();
    try {
      await first;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", gone);
    }
  }

  #isOpening(): boolean {
    return this.#opening !== undefined;
  }

  #opened(): void {
    this.#opening?.resolve();
    this.#opening = undefined;
  }

  #pull(): void {
    if (this.#pulling) return;
    this.#pulling = true;
    takeFrom(this.#source, this);
  }

  #deliver(text: string): void {
    this.#quiet = false;
    const waiter = this.#waiter;
    if (waiter) {
      this.#waiter = undefined;
      waiter.received(text);
    } else {
      this.#ready = text;
      this.#opened();
    }
  }

  #finish(): void {
    this.#done = true;
    this.#host.ended(this);
    this.#writer.ended?.();
  }

  #stopSource(): void {
    // Its result has nowhere to go: the caller is gone, or has been told of an earlier failure.
    void Promise.resolve(this.#source.return?.()).catch(() => undefined);
  }
}

/** The wait for the first event. */
interface Opening {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
