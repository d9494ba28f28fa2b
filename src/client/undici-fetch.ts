import { A2AError } from "../errors.js";
import type { FetchLike } from "./fetch-like.js";
import type { TlsOptions } from "./tls-options.js";

/** Options of `undiciFetch`. */
export interface UndiciFetchOptions {
  /** Connections per origin; default 128. A stream holds one while it is open. */
  readonly connections?: number;
  /** How long an idle connection is kept, in ms; default 4,000. */
  readonly keepAliveTimeoutMs?: number;
  /** Time to connect, in ms; default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Certificates of this side, and of the authorities that are trusted. */
  readonly tls?: TlsOptions | undefined;
}

/** A fetch function with a connection pool of its own. */
export type PooledFetch = FetchLike & { close(): Promise<void> } & AsyncDisposable;

/**
 * `fetch` of undici over a pool of its own, for Node. undici is loaded with the first request. Waiting for headers and
 * bytes is limited by the deadlines of the client alone; `close()` ends what is under way and frees the sockets.
 */
export const undiciFetch = (options: UndiciFetchOptions = {}): PooledFetch =>
  pooledFetch(async () => {
    const undici = await import("undici");
    const agent = new undici.Agent({
      connections: options.connections ?? 128,
      keepAliveTimeout: options.keepAliveTimeoutMs ?? 4_000,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { ...options.tls, timeout: options.connectTimeoutMs ?? 10_000 },
    });
    return { fetch: undici.fetch, agent };
  });

// Inferred, so that the types of undici are not needed to read the types of this package.
interface Pool<Agent> {
  readonly fetch: (
    url: string,
    init: Parameters<FetchLike>[1] & { readonly dispatcher: Agent },
  ) => ReturnType<FetchLike>;
  readonly agent: Agent & { destroy(): Promise<void> };
}

/** A fetch function over a pool that is made with the first request. */
export function pooledFetch<Agent>(load: () => Promise<Pool<Agent>>): PooledFetch {
  let closed = false;
  let loading: Promise<Pool<Agent>> | undefined;
  const send: FetchLike = async (url, init) => {
    if (closed) throw new A2AError("CONFIG", "This fetch function was closed");
    const { fetch, agent } = await (loading ??= load());
    return fetch(url, { ...init, dispatcher: agent });
  };
  const close = async (): Promise<void> => {
    closed = true;
    await (await loading)?.agent.destroy();
  };
  return Object.assign(send, { close, [Symbol.asyncDispose]: close });
}
