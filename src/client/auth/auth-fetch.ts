import type { FetchInit, FetchLike, FetchResponse } from "../fetch-like.js";
import { headersOf } from "../http-error.js";
import { discard } from "../http-send.js";
import { publicUrl } from "../public-url.js";
import { credentialsOf, withCredentials } from "./shown-credentials.js";
import type { AuthOperation, ClientAuth } from "./types.js";

/** How `authFetch` sends. */
export interface AuthFetchOptions {
  /** Below the credentials; the client of `auth` comes before it. */
  readonly send: FetchLike;
  /** The only origins that credentials are shown to. */
  readonly origins: readonly string[];
  /** Show nothing but a certificate until the peer answers 401. */
  readonly lazily?: boolean;
  /** Goes around each request. A signal of its own is none that a call is known by. */
  readonly limit?: (send: FetchLike) => FetchLike;
  /** Name of the call that a signal belongs to. */
  readonly nameOf: (signal: AbortSignal) => string;
  /** Told every value that is shown. */
  readonly onShown: (signal: AbortSignal, value: string) => void;
}

/**
 * A fetch function that shows credentials: to its origins alone, and once more after a 401 where `auth` has others. Who
 * follows redirects comes by here again, so another origin never gets any.
 */
export function authFetch(
  auth: ClientAuth,
  { send: given, origins, lazily, limit = (one) => one, nameOf, onShown }: AuthFetchOptions,
): FetchLike {
  const send = limit(given);
  const shown = auth.fetch ? limit(auth.fetch) : send;

  async function show(op: AuthOperation, target: URL, init: FetchInit): Promise<FetchResponse> {
    const { headers, query } = await credentialsOf(auth, op);
    const url = new URL(target);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    for (const value of [...Object.values(headers), ...Object.values(query)]) onShown(op.signal, value);
    return shown(url.href, { ...init, headers: withCredentials(init.headers, headers) });
  }

  return async (href, init) => {
    const target = new URL(href);
    if (!origins.includes(target.origin)) return send(href, init);
    const { signal, method } = init;
    const op: AuthOperation = { name: nameOf(signal), url: publicUrl(target), verb: method, signal };
    if (lazily) {
      // A certificate is asked for before any status could be.
      const open = await shown(href, init);
      if (open.status !== 401) return open;
      discard(open);
    }
    const response = await show(op, target, init);
    if (response.status !== 401 || auth.refused === undefined) return response;
    const retry = await auth.refused(op, { status: 401, headers: headersOf(response) });
    if (!retry) return response;
    discard(response);
    return show(op, target, init);
  };
}
