import type { HttpHandler } from "../http/types.js";
import type { NodeIncoming, NodeRequest } from "./node-incoming.js";
import { writeNodeResponse, type ResponseSink } from "./node-write.js";

/** What a framework around the server wants to know of a request. */
export interface NodeHost {
  /** Called instead of a reply where no route of the agent matches. */
  unrouted(): void;
  /** Called before the reply is written. */
  taken?(): void;
}

/** Answers one request; never rejects. `lingerMs` as in `NodeHandlerOptions`. */
export async function serveNode(
  handle: HttpHandler,
  incoming: NodeIncoming,
  request: NodeRequest,
  response: ResponseSink,
  lingerMs: number,
  host?: NodeHost,
): Promise<void> {
  try {
    const reply = await handle(incoming);
    if (host) {
      if (reply.unrouted === true) {
        host.unrouted();
        return;
      }
      host.taken?.();
    }
    if (typeof reply.body !== "string") {
      // Not awaited: a function that waits for the end of a stream costs more than the rest of an idle one.
      const isRead = request.complete;
      if (isRead) incoming.letGo();
      const onEnd = isRead ? undefined : (): void => lingerIfOpen(request, lingerMs);
      incoming.moves(writeNodeResponse(response, reply, onEnd));
      return;
    }
    writeNodeResponse(response, reply);
  } catch {
    refuse(response);
  }
  lingerIfOpen(request, lingerMs);
}

const lingerIfOpen = (request: NodeRequest, ms: number): void => {
  if (!request.complete) linger(request, ms);
};

/** The core handler never rejects, so this is a header that cannot be written, or a source that failed to pull. */
const refuse = (response: ResponseSink): void => {
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

/** Ends the stream and fires the request's signal when the client goes away before the reply has ended. */
export function watchNode(incoming: NodeIncoming, response: ResponseSink): void {
  // The one listener of a stream that waits: each costs memory for as long as it does.
  response.on("close", () => incoming.closed(!response.writableEnded));
  // A failed write is followed by `close`, which says all there is to say.
  response.on("error", ignore);
}

const ignore = (): void => undefined;
