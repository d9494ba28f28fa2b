import type { HttpHandler } from "./types.js";

/** How long browsers must keep to https, and for which hosts. */
export interface HstsOptions {
  /** Seconds. Default one year. */
  readonly maxAge?: number;
  /** For all hosts below this one too. Default false. */
  readonly includeSubDomains?: boolean;
  readonly preload?: boolean;
}

/** Wraps a handler so that every reply carries `Strict-Transport-Security` (A2A-13.4-c). */
export function withHsts(handle: HttpHandler, option: HstsOptions | true): HttpHandler {
  const { maxAge = 31_536_000, includeSubDomains = false, preload = false } = option === true ? {} : option;
  const value = [
    `max-age=${String(maxAge)}`,
    ...(includeSubDomains ? ["includeSubDomains"] : []),
    ...(preload ? ["preload"] : []),
  ].join("; ");
  return async (request) => {
    const reply = await handle(request);
    return { ...reply, headers: { ...reply.headers, "strict-transport-security": value } };
  };
}
