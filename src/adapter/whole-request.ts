import { IncomingMessage } from "node:http";
import { bodyText } from "./body-text.js";
import { callerGone } from "./caller-gone.js";
import { tooLarge } from "./too-large.js";

/** Whoever waits for the text of a body. */
interface Reader {
  readonly limit: number;
  readonly resolve: (text: string) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * A request of `node:http` that collects its body itself, for whoever wants it as one text: a stream of bytes with its
 * buffer, its events and its end costs more than the rest of a short request. It becomes that stream when it is read as one.
 */
export class WholeRequest extends IncomingMessage {
  /** Set by Node before it lets flow away what nobody has read. */
  declare readonly _dumped: boolean;
  #streams = false;
  #ended = false;
  #size = 0;
  #kept: Buffer | Buffer[] | undefined;
  #reader: Reader | undefined;

  static {
    // True as well where all has come and nothing of it is left. Types of Node declare no accessor that could be overridden.
    Object.defineProperty(this.prototype, "readableEnded", {
      configurable: true,
      get(this: WholeRequest): unknown {
        if (this.#streams) return Reflect.get(IncomingMessage.prototype, "readableEnded", this);
        return this.#ended && this.#kept === undefined;
      },
    });
  }

  /**
   * The body as text, once; undefined where it is read as a stream already. A declared length above the limit is refused
   * without reading, an undeclared one as soon as the limit is passed; bytes that are no UTF-8 are a `PARSE_ERROR`.
   */
  text(limit: number): Promise<string> | undefined {
    if (this.#streams) return undefined;
    if (this.#size > limit || Number(this.headers["content-length"] ?? 0) > limit) {
      return Promise.reject(tooLarge(limit));
    }
    return new Promise((resolve, reject) => {
      this.#reader = { limit, resolve, reject };
      if (this.#ended) this.#settle();
      else if (this.destroyed) this.#fail(callerGone());
      // Before anybody asked, the connection may have been read no further.
      else if (this.#size >= HELD) this._read(0);
    });
  }

  /** Called by Node with what has come, null at the end; false where the connection is to be read no further. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#streams) return super.push(chunk, encoding);
    if (chunk === null) {
      this.#ended = true;
      if (this.#reader !== undefined) this.#settle();
      return false;
    }
    this.#size += chunk.length;
    if (this.#kept === undefined) this.#kept = chunk;
    else if (Array.isArray(this.#kept)) this.#kept.push(chunk);
    else this.#kept = [this.#kept, chunk];
    if (this.#reader === undefined) return this.#size < HELD;
    if (this.#size <= this.#reader.limit) return true;
    this.#fail(tooLarge(this.#reader.limit));
    return false;
  }

  override read(size?: number): unknown {
    if (!this.#streams) this.#stream();
    return super.read(size);
  }

  override resume(): this {
    if (this.#streams) return super.resume();
    if (this.#ended && this._dumped) {
      this.#kept = undefined;
      return this;
    }
    this.#stream();
    return super.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#reader !== undefined) this.#fail(callerGone(error));
    super._destroy(error, done);
  }

  /** From now on it is a stream like any other, with what has come so far, unless somebody waits for its text. */
  #stream(): void {
    if (this.#reader !== undefined) return;
    this.#streams = true;
    const kept = this.#kept;
    this.#kept = undefined;
    for (const chunk of Array.isArray(kept) ? kept : [kept]) if (chunk !== undefined) super.push(chunk);
    if (this.#ended) super.push(null);
  }

  #settle(): void {
    const kept = this.#kept;
    try {
      const bytes = Array.isArray(kept) ? Buffer.concat(kept, this.#size) : kept;
      this.#reader?.resolve(bytes === undefined ? "" : bodyText(bytes));
      this.#over();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(reason: unknown): void {
    this.#reader?.reject(reason);
    this.#over();
  }

  #over(): void {
    this.#reader = undefined;
    this.#kept = undefined;
  }
}

/** Bytes that are kept while nobody has asked for the body; no more are read before. */
const HELD = 65_536;
