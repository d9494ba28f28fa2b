import { takeFrom, type Receiver } from "../take.js";
import { httpChunk, LAST_CHUNK, takesChunks } from "./http-chunk.js";
import type { ResponseSink } from "./node-write.js";

/**
 * Moves a stream to a socket: the next chunk is asked for only when the socket has taken the last, and `closed` ends the
 * source at once. It waits without promises and listeners: that is what most streams do most of the time.
 */
export class NodePump implements Receiver<string> {
  readonly #sink: ResponseSink;
  readonly #source: AsyncIterator<string, unknown>;
  readonly #onEnd: (() => void) | undefined;
  #over = false;
  #full = false;
  #listens = false;
  readonly #chunks: boolean;
  /** Inside `takeFrom`: what comes then is no reason to ask again. */
  #asking = false;
  #got = false;

  /** The head is written. `onEnd` is called once, however it ends. */
  constructor(sink: ResponseSink, source: AsyncIterable<string>, onEnd?: () => void) {
    this.#sink = sink;
    this.#source = source[Symbol.asyncIterator]();
    this.#onEnd = onEnd;
    this.#chunks = takesChunks(sink);
  }

  start(): void {
    if (this.#sink.destroyed === true) this.closed();
    else this.#run();
  }

  /** The client is gone. */
  closed(): void {
    if (this.#over) return;
    this.#over = true;
    void this.#source.return?.();
    this.#onEnd?.();
  }

  received(text: string): void {
    this.#got = true;
    if (this.#over) return;
    if (text !== "" && !this.#sink.write(this.#chunks ? httpChunk(text) : text)) this.#fill();
    if (!this.#asking) this.#run();
  }

  ended(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#chunks) this.#sink.end(LAST_CHUNK);
    else this.#sink.end();
    this.#onEnd?.();
  }

  /** A source that fails has nothing more to say: the connection is cut, so that nobody takes it for the end. */
  failed(): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.destroy?.();
    this.#onEnd?.();
  }

  #run(): void {
    while (!this.#over && !this.#full && this.#gotOne());
  }

  /** Asks for the next chunk; true where it came at once. */
  #gotOne(): boolean {
    this.#got = false;
    this.#asking = true;
    takeFrom(this.#source, this);
    this.#asking = false;
    return this.#got;
  }

  /** Goes on when the socket has taken what it was given. Many never have to wait, so they do not listen either. */
  #fill(): void {
    this.#full = true;
    if (this.#listens) return;
    this.#listens = true;
    this.#sink.on("drain", () => {
      if (!this.#full) return;
      this.#full = false;
      this.#run();
    });
  }
}
