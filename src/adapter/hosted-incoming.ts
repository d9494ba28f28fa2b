import type { A2AError } from "../errors.js";
import type { HttpRequest } from "../http/types.js";
import { bodyText } from "./body-text.js";
import { NodeIncoming, type NodeRequest } from "./node-incoming.js";
import { tooLarge } from "./too-large.js";

/** A request of Node that went through a framework, which may have read its body. */
export interface HostedRequest extends NodeRequest {
  readonly readableDidRead?: boolean;
}

/** What a framework knows of a request. */
export interface Hosted {
  /** As the core handler expects it. */
  readonly url: string;
  readonly context: unknown;
  /** The body as the framework has read it; only looked at where it did. */
  readonly parsed: unknown;
  /** Why the framework could not read it. */
  readonly failure?: A2AError | undefined;
}

/** A request whose body may be parsed already; the limit counts all the same. */
export class HostedIncoming extends NodeIncoming {
  readonly #hosted: Hosted;
  readonly #wasRead: boolean;

  constructor(request: HostedRequest, hosted: Hosted) {
    super(request, hosted.context, hosted.url);
    this.#hosted = hosted;
    this.#wasRead = request.readableDidRead === true;
  }

  override body(limit: number): ReturnType<HttpRequest["body"]> {
    const { failure, parsed } = this.#hosted;
    if (failure) throw failure;
    if (!this.#wasRead) return super.body(limit);
    if (typeof parsed === "string") return this.#text(Buffer.from(parsed), limit);
    if (parsed instanceof Uint8Array) return this.#text(parsed, limit);
    if (this.#size(parsed) > limit) throw tooLarge(limit);
    return { json: parsed };
  }

  async #text(bytes: Uint8Array, limit: number): Promise<string> {
    if (bytes.byteLength > limit) throw tooLarge(limit);
    return bodyText(bytes);
  }

  /** The declared length; measured where there is none, or where it is that of a compressed body. */
  #size(parsed: unknown): number {
    const length = this.headers["content-length"];
    if (length !== undefined && this.headers["content-encoding"] === undefined) return Number(length);
    return parsed === undefined ? 0 : Buffer.byteLength(JSON.stringify(parsed));
  }
}
