import { A2AError } from "../errors.js";
import type { RateLimit, RateLimitInfo } from "./rate-limit.js";

/** Options of `tokenBucket`. */
export interface TokenBucketOptions {
  /** Requests a second that a key may make in the long run; fractions are fine. */
  readonly perSecond: number;
  /** Requests that may come at once. Default: one second's worth, at least 1. */
  readonly burst?: number;
  /**
   * What shares a bucket; undefined is not limited. Default: the principal's `sub`, `id` or `name`, or itself if a text,
   * else the peer's address.
   */
  readonly key?: (info: RateLimitInfo) => string | undefined;
  /**
   * `calls` counts every request; `failures` only those that authentication refused, and an empty bucket then refuses
   * whatever comes from the same key. Default `calls`.
   */
  readonly count?: "calls" | "failures";
  /** Buckets that are kept; beyond it the one that was used longest ago is forgotten. Default 10,000. */
  readonly maxKeys?: number;
  /** Milliseconds. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * A rate limit in the memory of this process: each key has a bucket of `burst` tokens that fills by `perSecond`.
 * Throws `CONFIG` for numbers that are not positive.
 */
export function tokenBucket(options: TokenBucketOptions): RateLimit {
  const { perSecond, maxKeys = 10_000, now = Date.now, count = "calls" } = options;
  const burst = options.burst ?? Math.max(1, perSecond);
  const key = options.key ?? (count === "failures" ? addressOf : callerOf);
  for (const [name, value] of Object.entries({ perSecond, burst, maxKeys })) {
    if (!(value > 0)) throw new A2AError("CONFIG", `tokenBucket: ${name} must be above 0`);
  }
  const buckets = new Map<string, { tokens: number; at: number }>();

  return (info) => {
    const who = key(info);
    const counts = count === "calls" || info.refused !== undefined;
    const known = who === undefined ? undefined : buckets.get(who);
    if (who === undefined || (known === undefined && !counts)) return undefined;
    const at = now();
    const filled = known === undefined ? burst : known.tokens + ((at - known.at) / 1000) * perSecond;
    const tokens = Math.min(burst, filled);
    const isEmpty = tokens < 1;
    // Set anew, so that the map is in the order of use.
    buckets.delete(who);
    buckets.set(who, { tokens: counts && !isEmpty ? tokens - 1 : tokens, at });
    if (buckets.size > maxKeys) {
      for (const oldest of buckets.keys()) {
        buckets.delete(oldest);
        break;
      }
    }
    return isEmpty ? { retryAfterMs: ((1 - tokens) / perSecond) * 1000 } : undefined;
  };
}

const addressOf = ({ peer }: RateLimitInfo): string | undefined => peer?.address;

const callerOf = (info: RateLimitInfo): string | undefined => {
  const { principal } = info;
  if (typeof principal === "string") return `p:${principal}`;
  if (typeof principal === "object" && principal !== null) {
    const { id, sub, name } = principal as Readonly<Record<string, unknown>>;
    const own = sub ?? id ?? name;
    if (typeof own === "string" && own !== "") return `p:${own}`;
  }
  const address = addressOf(info);
  return address === undefined ? undefined : `a:${address}`;
};
