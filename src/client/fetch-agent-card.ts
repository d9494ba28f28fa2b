import type { Headers } from "../call.js";
import { decode, type Leniency, type Problem } from "../codec/decode.js";
import { tolerant } from "../codec/tolerant.js";
import type { Infer, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { pivot, type AgentCard } from "../versions/pivot.js";
import { mergeHeaders } from "./call-headers.js";
import { cacheable, revalidation, type CardCache } from "./card-cache.js";
import type { FetchLike } from "./fetch-like.js";
import { textOf } from "./http-body.js";
import { excerpt, httpError } from "./http-error.js";
import { discard, sendHttp } from "./http-send.js";
import { parseJson } from "./parse-json.js";
import { parseUrl, publicUrl } from "./public-url.js";
import { startRun } from "./run.js";

/** Largest card that is read: 4 MiB. */
const MAX_CARD_BYTES = 4 * 1024 * 1024;

/** Options of `fetchAgentCard`. */
export interface CardOptions {
  /** Default: `globalThis.fetch`. */
  readonly fetch?: FetchLike | undefined;
  readonly headers?: Headers | undefined;
  readonly signal?: AbortSignal | undefined;
  /** In ms, for all attempts together; default 60,000, 0 for none. */
  readonly timeoutMs?: number | undefined;
  /** The protocol version whose card is wanted; default: the newest. */
  readonly service?: ServiceDescriptor | undefined;
  /** Default `tolerant`: reads what sloppy agents write and tells `onProblem`. */
  readonly mode?: "strict" | Leniency | undefined;
  readonly onProblem?: ((problem: Problem) => void) | undefined;
  /** Keeps cards between calls and asks only when they are stale (RFC 9111). */
  readonly cache?: CardCache | undefined;
  /** Freshness of a card that comes without `max-age`, in ms; default 0: ask every time. */
  readonly defaultTtlMs?: number | undefined;
}

/**
 * The agent card of an agent. A URL that ends in `.json` is the card itself; else the well-known path is tried below
 * the path of the URL, then at its origin (A2A-8.2-a). Throws `HTTP` where there is none, `DECODE` where it is no card.
 */
export function fetchAgentCard<S extends ServiceDescriptor>(
  url: string,
  options: CardOptions & { readonly service: S },
): Promise<Infer<S["card"]["table"]>>;
export function fetchAgentCard(url: string, options?: CardOptions): Promise<AgentCard>;
export async function fetchAgentCard(url: string, options: CardOptions = {}): Promise<unknown> {
  const service = options.service ?? pivot;
  const run = startRun("fetchAgentCard", options.timeoutMs ?? 60_000, options.signal);
  try {
    return decodeCard(
      await run.guard(firstCard(parseUrl(url), service, options, run.signal)),
      service,
      options,
    );
  } finally {
    run.release();
  }
}

async function firstCard(
  url: URL,
  service: ServiceDescriptor,
  options: CardOptions,
  signal: AbortSignal,
): Promise<{ text: string; at: URL }> {
  let failure: unknown;
  for (const at of candidates(url, service.card.path)) {
    try {
      return { text: await fetchText(at, service, options, signal), at };
    } catch (error) {
      failure ??= error;
      if (!(error instanceof A2AError) || !elsewhere(error)) throw error;
    }
  }
  throw failure;
}

function candidates(url: URL, path: string): URL[] {
  if (/\.json$/i.test(url.pathname)) return [url];
  const below = new URL(url);
  below.pathname = url.pathname.replace(/\/$/, "") + path;
  const root = new URL(url);
  root.pathname = path;
  return below.href === root.href ? [root] : [below, root];
}

// No card here, or the page that single-page sites show under every path.
const elsewhere = ({ reason, status }: A2AError): boolean =>
  status === 404 || status === 405 || status === 410 || (reason === "DECODE" && status === 200);

async function fetchText(
  url: URL,
  service: ServiceDescriptor,
  options: CardOptions,
  signal: AbortSignal,
): Promise<string> {
  const { cache, defaultTtlMs = 0 } = options;
  const key = `${service.version} ${url.href}`;
  const cached = cache?.get(key);
  if (cached && cached.freshUntil > Date.now()) return cached.text;
  const response = await sendHttp(options.fetch ?? fetch, url, {
    method: "GET",
    headers: mergeHeaders(
      { accept: "application/json", [service.headers.version]: service.version },
      options.headers,
      revalidation(cached),
    ),
    signal,
  });
  if (response.status === 304 && cached) {
    discard(response);
    const renewed = cacheable(response, cached.text, defaultTtlMs, cached);
    if (renewed) cache?.set(key, renewed);
    return cached.text;
  }
  const text = await textOf(response, signal, MAX_CARD_BYTES);
  if (response.status !== 200) throw httpError(response, text);
  if (!/^\s*\{/.test(text)) {
    throw new A2AError("DECODE", `${publicUrl(url)} is no agent card${excerpt(text)}`, { status: 200 });
  }
  const kept = cache && cacheable(response, text, defaultTtlMs);
  if (kept) cache.set(key, kept);
  else cache?.delete(key);
  return text;
}

function decodeCard(
  { text, at }: { text: string; at: URL },
  service: ServiceDescriptor,
  { mode = tolerant, onProblem }: CardOptions,
): unknown {
  const json = parseJson(text);
  if (json === undefined) throw new A2AError("DECODE", `${publicUrl(at)} is not JSON${excerpt(text)}`);
  const problems: Problem[] = [];
  const card: unknown = decode<unknown>(service.card.table, json, {
    direction: "reply",
    mode: mode === "strict" ? undefined : mode,
    problems,
  });
  for (const problem of problems) onProblem?.(problem);
  return card;
}
