import { bodyText } from "./body-text.js";
import { callerGone } from "./caller-gone.js";
import { tooLarge } from "./too-large.js";

/** The part of `IncomingMessage` and `Http2ServerRequest` that reading needs. */
export interface BodySource {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly complete: boolean;
  /** It was cut before its end was read. */
  readonly aborted?: boolean;
  /** Its end was read. */
  readonly readableEnded?: boolean;
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  // Overloads, as those of `on`: `IncomingMessage` of newer @types/node does not fit a single one with `never[]`.
  removeListener(event: "data", listener: (chunk: Buffer) => void): unknown;
  removeListener(event: "end" | "close", listener: () => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  pause(): unknown;
}

/** Reads the body of one request. */
export class NodeBody {
  readonly #source: BodySource;
  #limit = 0;
  #resolve: ((text: string) => void) | undefined;
  #reject: ((reason: unknown) => void) | undefined;
  #first: Buffer | undefined;
  #chunks: Buffer[] | undefined;
  #size = 0;

  constructor(source: BodySource) {
    this.#source = source;
  }

  /**
   * The text; empty where the body was read before. A declared length above the limit is refused without reading, an
   * undeclared one as soon as the limit is passed; bytes that are no UTF-8 are a `PARSE_ERROR`.
   */
  read(limit: number): Promise<string> {
    const source = this.#source;
    if (Number(source.headers["content-length"] ?? 0) > limit) return Promise.reject(tooLarge(limit));
    // A stream says once that it is over: whoever listens later would wait for ever.
    if (source.aborted === true) return Promise.reject(callerGone());
    if (source.readableEnded === true) return Promise.resolve("");
    this.#limit = limit;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      source.on("data", this.#onData);
      source.on("end", this.#onEnd);
      source.on("error", this.#gone);
      source.on("close", this.#gone);
    });
  }

  /**
   * Takes its listeners away, for a stream of answers may live for hours. Other requests end soon, and then it costs more
   * than the rest.
   */
  letGo(): void {
    if (this.#limit === 0) return;
    const source = this.#source;
    source.removeListener("data", this.#onData);
    source.removeListener("end", this.#onEnd);
    source.removeListener("close", this.#gone);
    source.removeListener("error", this.#gone);
    source.on("error", ignore);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#reject === undefined) return;
    this.#size += chunk.length;
    if (this.#size > this.#limit) {
      this.#source.pause();
      this.#fail(tooLarge(this.#limit));
    } else if (this.#first === undefined) this.#first = chunk;
    else (this.#chunks ??= [this.#first]).push(chunk);
  };

  readonly #onEnd = (): void => {
    const bytes = this.#chunks ? Buffer.concat(this.#chunks, this.#size) : this.#first;
    const resolve = this.#resolve;
    if (resolve === undefined) return;
    try {
      resolve(bytes === undefined ? "" : bodyText(bytes));
      this.#over();
    } catch (error) {
      this.#fail(error);
    }
  };

  /** Failed, or closed before its end was read: all of it may have come by then. */
  readonly #gone = (cause?: Error): void => {
    if (this.#reject !== undefined) this.#fail(callerGone(cause));
  };

  #fail(reason: unknown): void {
    this.#reject?.(reason);
    this.#over();
  }

  #over(): void {
    this.#resolve = this.#reject = this.#first = this.#chunks = undefined;
  }
}

const ignore = (): void => undefined;
