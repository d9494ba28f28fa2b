import type { HttpHandler, HttpRequest } from "../http/types.js";
import { readNodeBody, type BodySource } from "./node-body.js";
import { writeNodeResponse, type ResponseSink } from "./node-write.js";

/** The part of a request of `node:http`, `node:https` or `node:http2` (compatibility API) that the adapter reads. */
export interface NodeRequest extends BodySource {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly socket: {
    readonly remoteAddress?: string | undefined;
    getPeerCertificate?(): unknown;
  };
  resume(): unknown;
  destroy(error?: Error): unknown;
}

/** The response that belongs to it. */
export type NodeResponse = ResponseSink;

/** Options of `createNodeHandler`. */
export interface NodeHandlerOptions<Q extends NodeRequest = NodeRequest> {
  /** What handlers find as `ctx.context.host`. */
  readonly context?: (request: Q) => unknown;
  /**
   * Milliseconds that the rest of a refused body is read and thrown away after the reply, so that the reply arrives; then
   * the connection is cut. Default 2000.
   */
  readonly lingerMs?: number;
}

/**
 * A request listener for `http.createServer`, `https.createServer` and `http2.createServer`. It writes directly, pulls a
 * stream only as fast as the socket takes it, and aborts the request's signal when the client goes away.
 */
export function createNodeHandler<Q extends NodeRequest = NodeRequest>(
  handle: HttpHandler,
  options: NodeHandlerOptions<Q> = {},
): (request: Q, response: NodeResponse) => void {
  const { context, lingerMs = 2000 } = options;
  return (request, response) => {
    const incoming = new IncomingRequest(request, context?.(request));
    response.on("close", () => {
      if (!response.writableEnded) incoming.abort();
    });
    // A failed write is followed by `close`, which says all there is to say.
    response.on("error", ignore);
    void serveOne(handle, incoming, request, response, lingerMs);
  };
}

const ignore = (): void => undefined;

const serveOne = async (
  handle: HttpHandler,
  incoming: HttpRequest,
  request: NodeRequest,
  response: NodeResponse,
  lingerMs: number,
): Promise<void> => {
  try {
    await writeNodeResponse(response, await handle(incoming));
  } catch {
    refuse(response);
  }
  if (!request.complete) linger(request, lingerMs);
};

/** The core handler never rejects, so this is a header that cannot be written, or a source that failed to pull. */
const refuse = (response: NodeResponse): void => {
  if (response.headersSent) response.destroy?.();
  else {
    const body = '{"error":{"code":500,"status":"INTERNAL","message":"Internal error"}}';
    response.writeHead(500, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  }
};

/** Closing at once would reset the connection, and the client might never read why it was refused. */
const linger = (request: NodeRequest, ms: number): void => {
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, ms);
  timer.unref();
  request.on("end", () => clearTimeout(timer));
};

class IncomingRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpRequest["headers"];
  readonly context: unknown;
  readonly #request: NodeRequest;
  #controller: AbortController | undefined;
  #gone = false;

  constructor(request: NodeRequest, context: unknown) {
    this.#request = request;
    this.method = request.method ?? "GET";
    this.url = request.url ?? "/";
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
    };
  }

  body(limit: number): Promise<string> {
    return readNodeBody(this.#request, limit);
  }

  abort(): void {
    this.#gone = true;
    this.#controller?.abort();
  }
}
