import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HostedIncoming } from "./hosted-incoming.js";
import { handlerOf, mountedUrl, type Mountable } from "./mount.js";
import { serveNode, watchNode } from "./serve-node.js";

/** Options of the plugin, beside Fastify's own (`prefix`). */
export interface FastifyOptions {
  readonly server: Mountable;
  /** What handlers find as `ctx.context.host`, and `auth` as `request.context`. Default: `request.user`. */
  readonly context?: (request: FastifyRequest) => unknown;
  /** As in `NodeHandlerOptions`. Default 2000. */
  readonly lingerMs?: number;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/**
 * A plugin for Fastify 5: `app.register(a2a, { server })`, or with a `prefix`. Requests for other paths get the answer of
 * the app's not-found handler. Bodies are read by the agent after authentication, whatever parsers the app has.
 */
export function a2a(app: FastifyInstance, options: FastifyOptions, done: () => void): void {
  const { handle, base } = handlerOf(options.server);
  const { context = userOf, lingerMs = 2000 } = options;
  // These belong to the plugin's own scope: the parsers of the app stay as they are.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));

  const handler = (request: FastifyRequest, reply: FastifyReply): void => {
    const incoming = new HostedIncoming(request.raw, {
      url: mountedUrl(request.raw.url ?? "/", app.prefix, base),
      context: context(request),
      parsed: request.body,
    });
    watchNode(incoming, reply.raw);
    void serveNode(handle, incoming, request.raw, reply.raw, lingerMs, {
      unrouted: () => reply.callNotFound(),
      taken: () => {
        reply.hijack();
        // Those of hooks, CORS for one.
        for (const [name, value] of Object.entries(reply.getHeaders())) {
          if (value !== undefined) reply.raw.setHeader(name, value);
        }
      },
    });
  };

  // An app that answers preflights by itself has this route already.
  const preflight = app.hasRoute({ method: "OPTIONS", url: "/*" }) ? [] : ["OPTIONS"];
  for (const url of ["/", "/*"]) app.route({ method: [...METHODS, ...preflight], url, handler });
  done();
}

const userOf = (request: object): unknown => ("user" in request ? request.user : undefined);
