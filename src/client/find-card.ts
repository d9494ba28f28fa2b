import type { Headers } from "../call.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { mergeHeaders } from "./call-headers.js";
import { cacheable, revalidation, type CardCache } from "./card-cache.js";
import type { FetchLike } from "./fetch-like.js";
import { textOf } from "./http-body.js";
import { excerpt, httpError } from "./http-error.js";
import { discard, sendHttp } from "./http-send.js";
import { publicUrl } from "./public-url.js";

/** Largest card that is read, unless an option says otherwise: 4 MiB. */
const MAX_CARD_BYTES = 4 * 1024 * 1024;

/** Well-known paths of cards besides that of the version: 0.3 and 1.x have the first, 0.2 has the second. */
const wellKnown = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

/** How a card is asked for. */
export interface FindCardOptions {
  /** Default: `globalThis.fetch`. */
  readonly fetch?: FetchLike | undefined;
  /** Sent with each request. */
  readonly headers?: Headers | undefined;
  /** Keeps cards between calls and asks only when they are stale (RFC 9111). */
  readonly cache?: CardCache | undefined;
  /** Freshness of a card that comes without `max-age`, in ms; default 0: ask every time. */
  readonly defaultTtlMs?: number | undefined;
  /** Largest card that is read; default 4 MiB. */
  readonly maxCardBytes?: number | undefined;
}

/** A card as it was found. */
export interface FoundCard {
  readonly text: string;
  /** Its address, after redirects. */
  readonly at: URL;
}

/** Which card is wanted: agents may have one per version (`A2A-Version` on the request, A2A-3.6.1-a). */
export interface WantedCard {
  readonly version: string;
  readonly service: Pick<ServiceDescriptor, "headers" | "card">;
}

/**
 * The text of an agent's card. A URL that ends in `.json` is the card itself; else the well-known paths are tried below
 * the path of the URL, then at its origin (A2A-8.2-a), the next one only where there is no card at all: a refusal is
 * final. Redirects are followed within the origin. Where there is none, throws what the first place answered.
 */
export async function findCard(
  url: URL,
  wanted: WantedCard,
  options: FindCardOptions,
  signal: AbortSignal,
): Promise<FoundCard> {
  const places = candidates(url, wanted.service.card.path);
  let failure: A2AError | undefined;
  for (const at of places) {
    try {
      return await fetchText(at, wanted, options, signal);
    } catch (error) {
      if (!(error instanceof A2AError) || !elsewhere(error)) throw error;
      failure ??= error;
    }
  }
  const { reason = "HTTP", message = "", status, headers } = failure ?? {};
  throw new A2AError(reason, `No agent card at ${places.map(publicUrl).join(", ")}: ${message}`, {
    status,
    headers,
    cause: failure,
  });
}

function candidates(url: URL, path: string): URL[] {
  if (/\.json$/i.test(url.pathname)) return [url];
  const prefix = url.pathname.replace(/\/+$/, "");
  const paths = new Set([path, ...wellKnown]);
  return [...new Set([prefix, ""])].flatMap((base) =>
    [...paths].map((one) => {
      const at = new URL(url);
      at.pathname = base + one;
      return at;
    }),
  );
}

// No card here, or the page that single-page sites show under every path.
const elsewhere = ({ reason, status }: A2AError): boolean =>
  status === 404 || status === 405 || status === 410 || (reason === "DECODE" && status === 200);

async function fetchText(
  url: URL,
  { version, service }: WantedCard,
  options: FindCardOptions,
  signal: AbortSignal,
): Promise<FoundCard> {
  const { cache, defaultTtlMs = 0 } = options;
  const key = `${version} ${url.href}`;
  const cached = cache?.get(key);
  const kept = cached && { text: cached.text, at: new URL(cached.url ?? url.href) };
  if (cached && kept && cached.freshUntil > Date.now()) return kept;
  const send = options.fetch ?? fetch;
  let last = url.href;
  const response = await sendHttp(
    (href, init) => {
      last = href;
      return send(href, init);
    },
    url,
    {
      method: "GET",
      headers: mergeHeaders(
        { accept: "application/json", [service.headers.version]: version },
        options.headers,
        revalidation(cached),
      ),
      signal,
    },
  );
  const at = new URL(last);
  const moved = last === url.href ? undefined : last;
  if (response.status === 304 && cached && kept) {
    discard(response);
    const renewed = cacheable(response, cached.text, moved ?? cached.url, defaultTtlMs, cached);
    if (renewed) cache?.set(key, renewed);
    return kept;
  }
  const text = await textOf(response, signal, options.maxCardBytes ?? MAX_CARD_BYTES);
  if (response.status !== 200) throw httpError(response, text);
  if (!/^\s*\{/.test(text)) {
    throw new A2AError("DECODE", `${publicUrl(at)} is no agent card${excerpt(text)}`, { status: 200 });
  }
  const fresh = cache && cacheable(response, text, moved, defaultTtlMs);
  if (fresh) cache.set(key, fresh);
  else cache?.delete(key);
  return { text, at };
}
