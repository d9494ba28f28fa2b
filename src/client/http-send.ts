import { A2AError } from "../errors.js";
import type { FetchInit, FetchLike, FetchResponse } from "./fetch-like.js";
import { headersOf } from "./http-error.js";
import { publicUrl } from "./public-url.js";

/**
 * Sends one request. Redirects within the origin are followed where they keep method and body (307, 308, any for GET),
 * five at most; every other one is refused with `HTTP`, for it would carry the caller's credentials elsewhere.
 * Other failures are `NETWORK`, or the reason of the signal.
 */
export async function sendHttp(
  fetch: FetchLike,
  url: URL,
  init: Omit<FetchInit, "redirect">,
  hops = 5,
): Promise<FetchResponse> {
  let response: FetchResponse;
  let to: URL | undefined;
  try {
    response = await fetch(url.href, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (location !== null && URL.canParse(location, url.href)) to = new URL(location, url);
  } catch (cause) {
    throw networkError(init.signal, `Could not reach ${publicUrl(url)}`, cause);
  }
  const { status } = response;
  // Browsers hide a manual redirect behind status 0.
  if (status !== 0 && (status < 300 || status > 399 || status === 304)) return response;
  discard(response);
  const keeps = status === 307 || status === 308 || init.method === "GET";
  const near = to?.origin === url.origin;
  if (to && near && keeps && hops > 0) return sendHttp(fetch, to, init, hops - 1);
  throw new A2AError(
    "HTTP",
    `${publicUrl(url)} redirects to ${to ? (near ? "" : "another origin, ") + publicUrl(to) : "another URL"}; use that one`,
    { status, headers: headersOf(response) },
  );
}

/** `NETWORK` with the system's error code, or what the signal was aborted with. */
export function networkError(signal: AbortSignal, message: string, cause: unknown): unknown {
  if (signal.aborted) return signal.reason;
  if (cause instanceof A2AError) return cause;
  const { code, cause: inner } = (cause ?? {}) as { code?: string; cause?: { code?: string } };
  const shown = code ?? inner?.code;
  return new A2AError("NETWORK", shown ? `${message} (${shown})` : message, { cause });
}

/** Frees the connection of a reply that nobody reads. */
export function discard(response: FetchResponse): void {
  response.body
    ?.getReader()
    .cancel()
    .catch(() => undefined);
}
