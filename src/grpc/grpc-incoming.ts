import type { ServerDuplexStream, ServerReadableStream } from "@grpc/grpc-js";
import { A2AError } from "../errors.js";
import type { HttpRequest } from "../http/types.js";
import { headersOf } from "./headers-of.js";

/** A call of `@grpc/grpc-js` whose messages are bytes, as it is before any of them is read. */
export type ByteCall = ServerReadableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>;

/** A call as checks and handlers of any binding read it: on the wire it is a POST to its path, metadata are its headers. */
export class GrpcIncoming implements HttpRequest {
  readonly method = "POST";
  readonly url: string;
  readonly headers: HttpRequest["headers"];
  readonly #call: ByteCall;
  #controller: AbortController | undefined;
  #gone = false;

  constructor(call: ByteCall) {
    this.#call = call;
    this.url = call.getPath();
    this.headers = headersOf(call.metadata);
  }

  /** Made when first read: most calls end without anybody asking for it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#gone) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get peer(): NonNullable<HttpRequest["peer"]> {
    const address = this.#call.getPeer().replace(/:\d+$/, "");
    // Only what TLS has verified is told by the package; its older releases tell nothing.
    const certificate =
      "getAuthContext" in this.#call ? this.#call.getAuthContext().sslPeerCertificate : undefined;
    return {
      ...(address !== "unknown" && { address }),
      ...(certificate !== undefined && { certificate, verified: true }),
    };
  }

  /** Nobody who sees a request before its message may have it. */
  body(): Promise<never> {
    return Promise.reject(new A2AError("INTERNAL_ERROR", "Internal error", { code: -32603 }));
  }

  /** The caller went away, or its deadline has passed. */
  abort(): void {
    this.#gone = true;
    this.#controller?.abort();
  }
}
