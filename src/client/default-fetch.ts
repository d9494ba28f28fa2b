import type { FetchLike } from "./fetch-like.js";
import type { Dispatcher } from "./dispatch-fetch.js";

/**
 * `globalThis.fetch`, whoever has put it there. Where that is Node's own, its connection pool is used without it: the
 * same connections, proxies and instrumentation, and no streams of the web around them. Whatever is not known is `fetch`.
 */
export const defaultFetch: FetchLike = async (url, init) => {
  const pool = poolOfNode();
  if (pool === undefined) return fetch(url, init);
  const { dispatchFetch } = await import("./dispatch-fetch.js");
  return dispatchFetch(pool, url, init);
};

function poolOfNode(): Dispatcher | undefined {
  // Nobody else can import that module.
  if (!String(fetch).includes("internal/deps/undici")) return undefined;
  // Node loads it, and makes the pool, when one of its interfaces is first looked at.
  if (typeof Response !== "function") return undefined;
  const pool = (globalThis as Record<symbol, Partial<Dispatcher> | undefined>)[
    Symbol.for("undici.globalDispatcher.1")
  ];
  return typeof pool?.dispatch === "function" ? (pool as Dispatcher) : undefined;
}
