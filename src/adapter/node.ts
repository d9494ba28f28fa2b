import type { HttpHandler } from "../http/types.js";
import { NodeIncoming, type NodeRequest } from "./node-incoming.js";
import type { ResponseSink } from "./node-write.js";
import { serveNode, watchNode } from "./serve-node.js";

export type { NodeRequest } from "./node-incoming.js";

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
    const incoming = new NodeIncoming(request, context?.(request));
    watchNode(incoming, response);
    void serveNode(handle, incoming, request, response, lingerMs);
  };
}
