import type { Context, MiddlewareHandler } from "hono";
import { handlerOf, mountedUrl, type Mountable } from "./mount.js";
import { serveFetch, targetOf } from "./serve-fetch.js";
import { tooLarge } from "./too-large.js";

/** Options of `a2a`. */
export interface HonoOptions {
  /** What handlers find as `ctx.context.host`, and `auth` as `request.context`. Default: the context of Hono itself. */
  readonly context?: (context: Context) => unknown;
}

/**
 * Mounts an agent in an app of Hono 4: `app.use(a2a(server))`, or `app.use("/agents/echo/*", a2a(server))`. Requests for
 * other paths go on to the app's next handler. Middleware before it may have read the body.
 */
export function a2a(server: Mountable, options: HonoOptions = {}): MiddlewareHandler {
  const { handle, base } = handlerOf(server);
  const { context = same } = options;
  return (c, next) => {
    const request = c.req.raw;
    const host = {
      context: context(c),
      url: mountedUrl(targetOf(request.url), mountOf(c), base),
      body: request.bodyUsed ? (limit: number) => cachedBody(c, limit) : undefined,
    };
    return serveFetch(handle, request, host, next);
  };
}

const same = (context: Context): unknown => context;

/** `/agents/echo/*` → `/agents/echo`; `*` → nothing. */
const mountOf = (c: Context): string =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- what replaces it would load Hono, whichever copy that is
  c.req.routePath.replace(/\/?\*$/, "").replace(/\/$/, "");

/** Hono keeps what it has read. */
const cachedBody = async (c: Context, limit: number): Promise<string> => {
  const text = await c.req.text();
  if (new TextEncoder().encode(text).byteLength > limit) throw tooLarge(limit);
  return text;
};
