import { undiciFetch, type PooledFetch, type UndiciFetchOptions } from "../undici-fetch.js";
import type { TlsOptions } from "../tls-options.js";
import type { ClientAuth } from "./types.js";

/** A client certificate as credentials; `close` frees its connections. */
export type Certificate = ClientAuth & { readonly fetch: PooledFetch } & AsyncDisposable;

/**
 * A client certificate (mutual TLS), for Node: `connect(url, { auth: mtls({ cert, key, ca }) })`. It brings an HTTP client of
 * its own along, which shows the certificate to the agent's origin; the private key leaves this process to nobody.
 */
export function mtls(tls: TlsOptions, options: Omit<UndiciFetchOptions, "tls"> = {}): Certificate {
  const fetch = undiciFetch({ ...options, tls });
  return { headers: () => ({}), fetch, [Symbol.asyncDispose]: () => fetch.close() };
}
