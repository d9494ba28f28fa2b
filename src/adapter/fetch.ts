import type { HttpHandler } from "../http/types.js";
import { serveFetch } from "./serve-fetch.js";

/** Options of `createFetchHandler`. */
export interface FetchHandlerOptions {
  /** What handlers find as `ctx.context.host`. */
  readonly context?: (request: Request) => unknown;
}

/** `Request → Response`, for Hono, Deno, Bun, Workers and tests. Bodies of streams are pulled, never read ahead. */
export function createFetchHandler(
  handle: HttpHandler,
  options: FetchHandlerOptions = {},
): (request: Request) => Promise<Response> {
  return (request) => serveFetch(handle, request, { context: options.context?.(request) });
}
