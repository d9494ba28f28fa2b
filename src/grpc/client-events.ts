import type { ClientReadableStream } from "@grpc/grpc-js";
import { onAbort } from "../client/on-abort.js";
import type { TransportEvent } from "../client/transport.js";
import { unref } from "../unref.js";

/** What the events of one call need besides the call. */
export interface EventMeans {
  readonly signal: AbortSignal;
  /** The event in a message; what it throws ends the call. */
  readonly read: (bytes: Buffer) => TransportEvent;
  /** What a failure of the call means. */
  readonly failure: (error: unknown) => unknown;
  /** The call is alive, whether or not anything came. */
  readonly onProgress: (() => void) | undefined;
}

/** Milliseconds after which an open connection counts as a sign of life; it has no comments as an event stream has. */
const ALIVE_MS = 15_000;
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

interface Waiter {
  readonly resolve: (step: IteratorResult<TransportEvent, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

/** The events of a call, pulled one by one: what nobody asks for stays with the agent. Ending the iteration ends the call. */
export class ClientEvents implements AsyncIterableIterator<TransportEvent, undefined> {
  readonly #call: ClientReadableStream<Buffer>;
  readonly #means: EventMeans;
  readonly #stopWatching: () => void;
  readonly #alive: ReturnType<typeof setInterval>;
  #waiter: Waiter | undefined;
  #over = false;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(call: ClientReadableStream<Buffer>, means: EventMeans) {
    this.#call = call;
    this.#means = means;
    this.#stopWatching = onAbort(means.signal, () => call.cancel());
    this.#alive = setInterval(() => means.onProgress?.(), ALIVE_MS);
    unref(this.#alive);
    call.on("readable", () => this.#wake());
    call.on("end", () => {
      this.#ended = true;
      this.#wake();
    });
    call.on("error", (error) => {
      this.#failure ??= { error: means.failure(error) };
      // What came before it is still to be read.
      this.#wake();
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<TransportEvent, undefined>> {
    if (this.#over) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      this.#wake();
    });
  }

  return(): Promise<IteratorResult<TransportEvent, undefined>> {
    this.#finish();
    this.#call.cancel();
    this.#waiter?.resolve(DONE);
    this.#waiter = undefined;
    return Promise.resolve(DONE);
  }

  #wake(): void {
    const waiter = this.#waiter;
    if (waiter === undefined) return;
    const bytes = this.#call.read() as Buffer | null;
    if (bytes !== null) {
      this.#waiter = undefined;
      this.#means.onProgress?.();
      try {
        waiter.resolve({ done: false, value: this.#means.read(bytes) });
      } catch (error) {
        this.#finish();
        this.#call.cancel();
        waiter.reject(error);
      }
    } else if (this.#failure !== undefined || this.#ended) {
      this.#waiter = undefined;
      this.#finish();
      if (this.#failure === undefined) waiter.resolve(DONE);
      else waiter.reject(this.#failure.error);
    }
  }

  #finish(): void {
    this.#over = true;
    clearInterval(this.#alive);
    this.#stopWatching();
  }
}
