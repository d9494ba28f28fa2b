import type { HttpRequest } from "../http/types.js";
import { NodeBody, type BodySource } from "./node-body.js";
import type { NodePump } from "./node-pump.js";
import { WholeRequest } from "./whole-request.js";

/** The part of a request of `node:http`, `node:https` or `node:http2` (compatibility API) that the adapter reads. */
export interface NodeRequest extends BodySource {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly socket: {
    readonly remoteAddress?: string | undefined;
    /** Of TLS: false where the certificate of the client could not be verified. */
    readonly authorized?: boolean | undefined;
    getPeerCertificate?(): unknown;
  };
  resume(): unknown;
  destroy(error?: Error): unknown;
}

/** A request of Node as the core handler reads it. */
export class NodeIncoming implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpRequest["headers"];
  readonly context: unknown;
  readonly #request: NodeRequest;
  #body: NodeBody | undefined;
  #controller: AbortController | undefined;
  #pump: NodePump | undefined;
  #gone = false;

  constructor(request: NodeRequest, context: unknown, url = request.url ?? "/") {
    this.#request = request;
    this.method = request.method ?? "GET";
    this.url = url;
    // Node joins repeated fields with ", "; only set-cookie is a list, and no request has it.
    this.headers = request.headers as HttpRequest["headers"];
    this.context = context;
  }

  /** Made when first read: most requests end without anybody asking for it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#gone) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get peer(): NonNullable<HttpRequest["peer"]> {
    const { socket } = this.#request;
    const certificate = socket.getPeerCertificate?.();
    return {
      ...(socket.remoteAddress !== undefined && { address: socket.remoteAddress }),
      ...(certificate !== undefined && { certificate }),
      ...(socket.authorized !== undefined && { verified: socket.authorized }),
    };
  }

  body(limit: number): ReturnType<HttpRequest["body"]> {
    const request = this.#request;
    const whole = request instanceof WholeRequest ? request.text(limit) : undefined;
    if (whole !== undefined) return whole;
    this.#body = new NodeBody(request);
    return this.#body.read(limit);
  }

  /** The answer is a stream: nothing of the request may hang on it. */
  letGo(): void {
    this.#body?.letGo();
    this.#body = undefined;
  }

  /** The answer is a stream, and this is what moves it. The caller may be gone already: a response of http2 does not tell. */
  moves(pump: NodePump | undefined): void {
    this.#pump = pump;
    if (this.#gone) pump?.closed();
  }

  /** The connection is closed; `early`: before the answer had ended. */
  closed(early: boolean): void {
    this.#pump?.closed();
    if (!early) return;
    this.#gone = true;
    this.#controller?.abort();
  }
}
