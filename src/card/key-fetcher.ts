import type { JWK } from "jose";
import { A2AError } from "../errors.js";
import { readLimited } from "./read-limited.js";

/** How JWKS documents are fetched. */
export interface KeyFetcherOptions {
  /** Origins that may be asked. */
  readonly allow: readonly string[];
  /** Default the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Milliseconds for one document. Default 5,000. */
  readonly timeoutMs?: number;
  /** Bytes of one document. Default 65,536. */
  readonly maxBytes?: number;
  /** Milliseconds for which a document is kept. Default 300,000. */
  readonly cacheMs?: number;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

/** Milliseconds after a fetch in which an unknown `kid` does not cause another one. */
const COOLDOWN = 30_000;

/** How many documents are kept. */
const KEPT = 100;

type Pick = (keys: readonly JWK[]) => JWK | undefined;

/** Fetches JWKS documents of allowed origins; a key that is not in the kept document is looked for once more. */
export function createKeyFetcher(
  options: KeyFetcherOptions,
): (url: string, pick: Pick) => Promise<JWK | undefined> {
  const {
    fetch: send = fetch,
    timeoutMs = 5000,
    maxBytes = 65_536,
    cacheMs = 300_000,
    now = Date.now,
  } = options;
  const allowed = new Set(options.allow.map(originOf));
  const kept = new Map<string, { readonly at: number; readonly keys: Promise<readonly JWK[]> }>();

  async function load(url: string): Promise<readonly JWK[]> {
    const response = await send(url, {
      headers: { accept: "application/jwk-set+json, application/json" },
      // A redirect would lead off the list.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw network(`answered with status ${String(response.status)}`);
    }
    const text = await readLimited(response, maxBytes);
    if (text === undefined) throw network(`is longer than ${String(maxBytes)} bytes`);
    return keysOf(text);
  }

  function fresh(url: string): { readonly at: number; readonly keys: Promise<readonly JWK[]> } {
    const entry = { at: now(), keys: load(url) };
    kept.delete(url);
    kept.set(url, entry);
    entry.keys.catch(() => {
      // What failed is tried again.
      if (kept.get(url) === entry) kept.delete(url);
    });
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return entry;
  }

  return async (jku, pick) => {
    const url = URL.canParse(jku) ? new URL(jku) : undefined;
    if (url === undefined || !allowed.has(url.origin) || url.username !== "" || url.password !== "") {
      throw new A2AError("CONFIG", "its jku is not of an origin that is allowed, so it was not fetched");
    }
    url.hash = "";
    const known = kept.get(url.href);
    const entry = known !== undefined && now() - known.at < cacheMs ? known : fresh(url.href);
    const found = pick(await entry.keys);
    if (found !== undefined || now() - entry.at < COOLDOWN) return found;
    return pick(await fresh(url.href).keys);
  };
}

function keysOf(text: string): readonly JWK[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw network("is no JSON");
  }
  const { keys } = (value ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys)) throw network("has no list of keys");
  return keys.filter((key: unknown): key is JWK => typeof key === "object" && key !== null);
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.origin === "null" || (text !== url.origin && text !== `${url.origin}/`)) {
    throw new A2AError("CONFIG", `jku.allow: ${text} is no origin, such as https://agent.example.com`);
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.test(url.hostname))) {
    throw new A2AError("CONFIG", `jku.allow: ${text} is neither https nor a loopback address`);
  }
  return url.origin;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

const network = (problem: string): A2AError => new A2AError("NETWORK", `The JWKS ${problem}`);
