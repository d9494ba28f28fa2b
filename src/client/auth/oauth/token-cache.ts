import type { Tokens } from "./tokens.js";

/** How long tokens are good for. */
export interface TokenCacheOptions {
  /** How long before its end a token is replaced, in ms. */
  readonly skewMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Tokens in memory, by key; at most one request for each key is under way. */
export interface TokenCache {
  /** The tokens of a key; `obtain` gets those that are no good any more. What fails is tried again by the next one. */
  get(key: string, obtain: (old: Tokens | undefined) => Promise<Tokens>): Promise<Tokens>;
  /** An access token that was refused: the next one is got, unless there is another already. */
  drop(key: string, accessToken: string): void;
  /** Tokens from elsewhere. */
  set(key: string, tokens: Tokens): void;
  peek(key: string): Tokens | undefined;
}

/** How many are kept; the least recently used goes first. */
const KEPT = 1_000;

interface Entry {
  tokens: Tokens | undefined;
  refused: boolean;
  pending: Promise<Tokens> | undefined;
}

/** A cache of its own. */
export function createTokenCache({ skewMs, now }: TokenCacheOptions): TokenCache {
  const entries = new Map<string, Entry>();
  const entryOf = (key: string): Entry => {
    const entry = entries.get(key) ?? { tokens: undefined, refused: false, pending: undefined };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > KEPT && oldest !== undefined) entries.delete(oldest);
    return entry;
  };
  const isGood = ({ tokens, refused }: Entry): boolean => {
    if (tokens === undefined || refused) return false;
    const { expiresAt = Infinity, issuedAt = -Infinity } = tokens;
    // A short life is not all skew: it would be asked for with every call.
    return now() < expiresAt - Math.min(skewMs, (expiresAt - issuedAt) / 2);
  };
  return {
    get(key, obtain) {
      const entry = entryOf(key);
      if (entry.tokens !== undefined && isGood(entry)) return Promise.resolve(entry.tokens);
      entry.pending ??= obtain(entry.tokens)
        .then((tokens) => {
          entry.tokens = tokens;
          entry.refused = false;
          return tokens;
        })
        .finally(() => {
          entry.pending = undefined;
        });
      return entry.pending;
    },
    drop(key, accessToken) {
      const entry = entries.get(key);
      if (entry?.tokens?.accessToken === accessToken) entry.refused = true;
    },
    set(key, tokens) {
      const entry = entryOf(key);
      entry.tokens = tokens;
      entry.refused = false;
    },
    peek: (key) => entries.get(key)?.tokens,
  };
}
