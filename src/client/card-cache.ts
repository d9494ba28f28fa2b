import type { FetchResponse } from "./fetch-like.js";

/** A card as it was fetched, with what HTTP says about its age (RFC 9111). */
export interface CachedCard {
  /** The document as it came. */
  readonly text: string;
  /** Where it was found after redirects; absent where there were none. */
  readonly url?: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** ms since the epoch until which no request is needed. */
  readonly freshUntil: number;
}

/** Where fetched cards are kept; a `Map` will do. Keys name the URL and the version. */
export type CardCache = Pick<Map<string, CachedCard>, "get" | "set" | "delete">;

/** Headers that ask whether a stale card is still current (A2A-8.6.2-b). */
export function revalidation(cached: CachedCard | undefined): Record<string, string> {
  return {
    ...(cached?.etag !== undefined && { "if-none-match": cached.etag }),
    ...(cached?.lastModified !== undefined && { "if-modified-since": cached.lastModified }),
  };
}

/**
 * What to keep of a reply; undefined where it must not be kept. Without `max-age` it is fresh for `defaultTtlMs`.
 * A 304 that says nothing keeps the validators of `before`.
 */
export function cacheable(
  response: FetchResponse,
  text: string,
  url: string | undefined,
  defaultTtlMs: number,
  before?: CachedCard,
): CachedCard | undefined {
  const control = response.headers.get("cache-control") ?? "";
  if (/\bno-store\b/i.test(control)) return undefined;
  const maxAge = /\bmax-age\s*=\s*"?(\d+)/i.exec(control)?.[1];
  const age = Number(response.headers.get("age") ?? 0) || 0;
  const fresh = maxAge === undefined ? defaultTtlMs : (Number(maxAge) - age) * 1000;
  const etag = response.headers.get("etag") ?? before?.etag;
  const lastModified = response.headers.get("last-modified") ?? before?.lastModified;
  return {
    text,
    ...(url !== undefined && { url }),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
    freshUntil: /\bno-cache\b/i.test(control) ? 0 : Date.now() + fresh,
  };
}
