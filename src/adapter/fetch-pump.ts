import { takeFrom, type Receiver } from "../take.js";

const encoder = new TextEncoder();

/**
 * Moves a stream into the body of a `Response`: the next chunk is asked for when somebody reads, and whoever goes away ends the
 * source at once. It waits without promises of its own: that is what most streams do most of the time.
 */
export class FetchPump implements UnderlyingDefaultSource<Uint8Array>, Receiver<string> {
  readonly #source: AsyncIterator<string, unknown>;
  readonly #caller: AbortController;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** It has asked, and the answer is not there yet. */
  #asking = false;
  #over = false;

  constructor(source: AsyncIterable<string>, caller: AbortController) {
    this.#source = source[Symbol.asyncIterator]();
    this.#caller = caller;
    // Where the host tells of a client that went away by the signal alone, nobody cancels the body.
    if (caller.signal.aborted) this.handleEvent();
    else caller.signal.addEventListener("abort", this, { once: true });
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
  }

  /** Who reads again before the answer is there gets theirs once the stream has that one: it asks anew then. */
  pull(): void {
    if (this.#asking || this.#over) return;
    this.#asking = true;
    takeFrom(this.#source, this);
  }

  cancel(): void {
    this.#over = true;
    this.#caller.abort();
  }

  /** The caller is gone. */
  handleEvent(): void {
    void this.#source.return?.();
  }

  received(text: string): void {
    this.#asking = false;
    if (!this.#over) this.#controller?.enqueue(encoder.encode(text));
  }

  ended(): void {
    if (this.#settled()) this.#controller?.close();
  }

  failed(error: unknown): void {
    if (this.#settled()) this.#controller?.error(error);
  }

  /** True the first time. */
  #settled(): boolean {
    this.#asking = false;
    if (this.#over) return false;
    this.#over = true;
    this.#caller.signal.removeEventListener("abort", this);
    return true;
  }
}
