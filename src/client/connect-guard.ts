import type { FetchLike } from "./fetch-like.js";

/** Says where `connect` may go; `networkGuard()` of `a2a-typed/node` makes one. */
export interface ConnectGuard {
  /** Sends every request, and refuses those that lead where they must not. */
  readonly fetch: FetchLike;
  /** Why an interface may not be called: `must be a public address; …`. */
  problem(url: string): Promise<string | undefined>;
  /** The IP addresses behind a URL, for connections that `fetch` does not make. Rejects with `FORBIDDEN_TARGET`. */
  addresses?(url: string): Promise<readonly string[]>;
}
