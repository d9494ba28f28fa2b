import { A2AError } from "../errors.js";
import { HostedIncoming, type HostedRequest } from "./hosted-incoming.js";
import { handlerOf, mountedUrl, type Mountable } from "./mount.js";
import type { ResponseSink } from "./node-write.js";
import { serveNode, watchNode } from "./serve-node.js";
import { tooLarge } from "./too-large.js";

/** The part of a request of Express 4 and 5 that the adapter reads. */
export interface ExpressRequest extends HostedRequest {
  readonly originalUrl: string;
  /** Where the middleware is mounted; empty for the root. */
  readonly baseUrl: string;
  /** What a body parser of the app has read. */
  readonly body?: unknown;
}

/** Options of `a2a`. */
export interface ExpressOptions<Q extends ExpressRequest = ExpressRequest> {
  /** What handlers find as `ctx.context.host`, and `auth` as `request.context`. Default: `request.user`. */
  readonly context?: (request: Q) => unknown;
  /** As in `NodeHandlerOptions`. Default 2000. */
  readonly lingerMs?: number;
}

type Next = (error?: unknown) => void;

/** What `app.use` takes: the middleware, and one that tells failures of the app's body parser in the form of the binding. */
export type ExpressHandlers<Q extends ExpressRequest = ExpressRequest> = [
  (request: Q, response: ResponseSink, next: Next) => void,
  (error: unknown, request: Q, response: ResponseSink, next: Next) => void,
];

/**
 * Mounts an agent in an app of Express 4 or 5: `app.use(a2a(server))`, or `app.use("/agents/echo", a2a(server))`. Requests
 * for other paths go on to the app's next middleware. Body parsers may stand before it, and need not.
 */
export function a2a<Q extends ExpressRequest = ExpressRequest>(
  server: Mountable,
  options: ExpressOptions<Q> = {},
): ExpressHandlers<Q> {
  const { handle, base } = handlerOf(server);
  const { context = userOf, lingerMs = 2000 } = options;
  const serve = (request: Q, response: ResponseSink, pass: () => void, failure?: A2AError): void => {
    const incoming = new HostedIncoming(request, {
      url: mountedUrl(request.originalUrl, request.baseUrl, base),
      context: context(request),
      parsed: request.body,
      failure,
    });
    watchNode(incoming, response);
    void serveNode(handle, incoming, request, response, lingerMs, { unrouted: pass });
  };
  return [
    (request, response, next) => serve(request, response, () => next()),
    (error, request, response, next) => {
      const failure = parserFailure(error);
      if (failure) serve(request, response, () => next(error), failure);
      else next(error);
    },
  ];
}

const userOf = (request: object): unknown => ("user" in request ? request.user : undefined);

/** What the body parser of Express throws, by its `type`. */
const parserFailure = (error: unknown): A2AError | undefined => {
  if (!(error instanceof Error) || !("type" in error)) return undefined;
  switch (error.type) {
    case "entity.too.large":
      return tooLarge("limit" in error ? Number(error.limit) : 0);
    case "entity.parse.failed":
    case "charset.unsupported":
    case "encoding.unsupported":
    case "request.size.invalid":
      return new A2AError("PARSE_ERROR", "Invalid JSON payload", { code: -32700, cause: error });
    default:
      return undefined;
  }
};
