import type { JWK } from "jose";
import type { MaybePromise } from "../store/types.js";
import { createKeyFetcher, type KeyFetcherOptions } from "./key-fetcher.js";
import type { ProtectedHeader } from "./protected-header.js";

/** Finds the key that a signature names; undefined where there is none, or where it has been revoked. */
export type KeyResolver = (header: ProtectedHeader) => MaybePromise<JWK | undefined>;

/** Keys, as a list or as a JWKS. */
export type KeySet = readonly JWK[] | { readonly keys: readonly JWK[] };

/** Where keys are looked for. */
export interface KeyResolverOptions extends Omit<KeyFetcherOptions, "allow"> {
  /** Trusted keys; a signature's `kid` is looked for here first. */
  readonly keys?: KeySet;
  /**
   * Origins (`https://agent.example.com`) whose JWKS may be fetched where a signature points there. Default none: what
   * is signed must not say whom to trust (A2A-8.4.3-c). `http:` only for a loopback address.
   */
  readonly jku?: { readonly allow: readonly string[] };
}

/**
 * A resolver over trusted keys, and over JWKS documents of origins that are allowed. Throws `CONFIG` for an entry of
 * `allow` that is no origin, or is `http:` and no loopback address.
 */
export function keyResolver({ keys = [], jku, ...fetching }: KeyResolverOptions): KeyResolver {
  const trusted = isList(keys) ? keys : keys.keys;
  const fetchKeys = jku && createKeyFetcher({ ...fetching, allow: jku.allow });
  return (header) => {
    const own = keyOf(trusted, header);
    if (own !== undefined || header.jku === undefined || fetchKeys === undefined) return own;
    return fetchKeys(header.jku, (list) => keyOf(list, header));
  };
}

/** The key of this `kid`; of several, the one for the algorithm. */
function keyOf(keys: readonly JWK[], { kid, alg }: ProtectedHeader): JWK | undefined {
  const named = keys.filter((key) => key.kid === kid);
  return named.find((key) => key.alg === alg) ?? named[0];
}

const isList = (keys: KeySet): keys is readonly JWK[] => Array.isArray(keys);
