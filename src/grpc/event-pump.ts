import type { ServerDuplexStream } from "@grpc/grpc-js";
import { A2AError } from "../errors.js";
import type { OpenStream } from "../http/open-streams.js";
import { takeFrom, type Receiver } from "../take.js";

/** What the stream of one call needs besides the call. */
export interface PumpMeans {
  readonly encode: (event: unknown) => Buffer;
  /** True where a stream without any event is right (a resumed one that missed nothing). */
  readonly mayBeEmpty: boolean;
  /** Ends the call with what may be told of a failure. */
  readonly failed: (error: unknown) => void;
  /** Called once, however the stream ends; not after `failed`. */
  readonly ended: (stream: OpenStream) => void;
}

/**
 * Moves the events of a handler to a call: the next are asked for only when the connection has taken the last, so a slow
 * reader holds the subscription back, which cuts it off by its own limits. There are no promises while it waits.
 */
export class EventPump implements Receiver<unknown>, OpenStream {
  readonly #call: ServerDuplexStream<Buffer, Buffer>;
  readonly #source: AsyncIterator<unknown>;
  readonly #means: PumpMeans;
  #over = false;
  #said = false;
  #full = false;
  #listens = false;
  /** Inside `takeFrom`: what comes then is no reason to ask again. */
  #asking = false;
  #got = false;

  constructor(call: ServerDuplexStream<Buffer, Buffer>, source: AsyncIterable<unknown>, means: PumpMeans) {
    this.#call = call;
    this.#source = source[Symbol.asyncIterator]();
    this.#means = means;
  }

  start(): void {
    this.#run();
  }

  /** The connection says by itself that it is alive. */
  tick(): void {
    // Nothing is sent.
  }

  /** Ends the call at its last event, and lets the handler run its `finally`. */
  return(): void {
    if (this.#over) return;
    this.#stopSource();
    this.#end();
    this.#call.end();
  }

  /** The caller is gone. */
  closed(): void {
    if (this.#over) return;
    this.#stopSource();
    this.#end();
  }

  received(chunk: unknown): void {
    this.#got = true;
    if (this.#over) return;
    try {
      if (Array.isArray(chunk)) for (const event of chunk as readonly unknown[]) this.#write(event);
      else this.#write(chunk);
    } catch (error) {
      this.#stopSource();
      this.failed(error);
      return;
    }
    if (!this.#asking) this.#run();
  }

  ended(): void {
    if (this.#over) return;
    if (!this.#said && !this.#means.mayBeEmpty) {
      this.failed(
        new A2AError("INVALID_AGENT_RESPONSE", "The agent ended the stream without an event", {
          code: -32006,
        }),
      );
      return;
    }
    this.#end();
    this.#call.end();
  }

  failed(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#means.ended(this);
    this.#means.failed(error);
  }

  #write(event: unknown): void {
    this.#said = true;
    if (!this.#call.write(this.#means.encode(event))) this.#fill();
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

  /** Goes on when the connection has taken what it was given. */
  #fill(): void {
    this.#full = true;
    if (this.#listens) return;
    this.#listens = true;
    this.#call.on("drain", () => {
      this.#full = false;
      this.#run();
    });
  }

  #end(): void {
    this.#over = true;
    this.#means.ended(this);
  }

  #stopSource(): void {
    // Its result has nowhere to go: the caller is gone, or has been told of an earlier failure.
    void Promise.resolve(this.#source.return?.()).catch(() => undefined);
  }
}
