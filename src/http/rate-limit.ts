import type { Authenticated } from "../binding/server-types.js";
import { A2AError, type ErrorReason } from "../errors.js";
import type { HttpRequest } from "./types.js";

/** What a rate limit knows of a request. */
export interface RateLimitInfo {
  /** Who calls; undefined for anonymous callers and refused ones. */
  readonly principal: unknown;
  /** Scope of the store, where the authenticator named one. */
  readonly scope: unknown;
  readonly peer: HttpRequest["peer"];
  /** Name in the protocol version that is called: `SendMessage`, `message/send`; undefined where a caller was refused. */
  readonly method: string | undefined;
  readonly headers: HttpRequest["headers"];
  /** Why authentication refused the caller; its failures can so be counted. */
  readonly refused: ErrorReason | undefined;
}

/** A request that comes too soon. */
export interface TooSoon {
  /** Milliseconds until the next one may come. */
  readonly retryAfterMs: number;
}

/** Called before a request is decoded; an answer refuses it with 429 and `Retry-After`. */
export type RateLimit = (info: RateLimitInfo) => TooSoon | undefined | Promise<TooSoon | undefined>;

/** Asks the limits about one call; throws `RESOURCE_EXHAUSTED`. */
export type CallLimit = (
  request: HttpRequest,
  auth: Authenticated | undefined,
  method: string | undefined,
  refused?: ErrorReason,
) => Promise<void>;

/** The limits of a handler as one; undefined for none. The first that refuses is told. */
export function callLimit(option: RateLimit | readonly RateLimit[] | undefined): CallLimit | undefined {
  const limits = typeof option === "function" ? [option] : (option ?? []);
  if (limits.length === 0) return undefined;
  return async ({ peer, headers }, auth, method, refused) => {
    const { principal, scope } = auth ?? {};
    for (const limit of limits) {
      const verdict = await limit({ principal, scope, peer, method, headers, refused });
      if (verdict !== undefined) throw tooSoon(verdict.retryAfterMs);
    }
  };
}

const tooSoon = (retryAfterMs: number): A2AError => {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new A2AError("RESOURCE_EXHAUSTED", `Too many requests; try again in ${String(seconds)} s`, {
    code: -32000,
    headers: { "retry-after": String(seconds) },
  });
};

/** An authenticator whose refusals are counted too: a caller who guesses is answered 429 instead (A2A-13.4-k). */
export function countRefusals<R>(
  authenticate: (request: HttpRequest) => R | Promise<R>,
  limit: CallLimit,
): (request: HttpRequest) => Promise<R> {
  return async (request) => {
    try {
      return await authenticate(request);
    } catch (error) {
      if (error instanceof A2AError) await limit(request, undefined, undefined, error.reason);
      throw error;
    }
  };
}
