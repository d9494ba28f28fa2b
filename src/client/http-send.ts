import { A2AError } from "../errors.js";
import type { FetchInit, FetchLike, FetchResponse } from "./fetch-like.js";
import { headersOf } from "./http-error.js";
import { publicUrl } from "./public-url.js";

const MAX_REDIRECTS = 5;

/**
 * Sends one request. Redirects within the origin are followed where they keep method and body (307, 308, any for GET);
 * every other one is refused with `HTTP`, for it would carry the caller's credentials elsewhere.
 * Other failures are `NETWORK`, or the reason of the signal.
 */
export async function sendHttp(
  fetch: FetchLike,
  url: URL,
  init: Omit<FetchInit, "redirect">,
): Promise<FetchResponse> {
  let at = url;
  for (let hops = 0; ; hops++) {
    let response: FetchResponse;
    try {
      response = await fetch(at.href, { ...init, redirect: "manual" });
    } catch (cause) {
      throw networkError(init.signal, `Could not reach ${publicUrl(url)}`, cause);
    }
    const { status } = response;
    // Browsers hide a manual redirect behind status 0.
    if (status !== 0 && (status < 300 || status > 399 || status === 304)) return response;
    discard(response);
    const to = target(response, at);
    const keeps = status === 307 || status === 308 || init.method === "GET";
    if (to?.origin !== at.origin || !keeps || hops === MAX_REDIRECTS) {
      throw new A2AError(
        "HTTP",
        `${publicUrl(url)} redirects${to ? ` to ${publicUrl(to)}` : ""}, which is not followed; use the final URL`,
        { status, headers: headersOf(response) },
      );
    }
    at = to;
  }
}

/** `NETWORK` with the system's error code, or what the signal was aborted with. */
export function networkError(signal: AbortSignal, message: string, cause: unknown): unknown {
  if (signal.aborted) return signal.reason;
  if (cause instanceof A2AError) return cause;
  const code = codeOf(cause) ?? codeOf((cause as { cause?: unknown } | null)?.cause);
  return new A2AError("NETWORK", code === undefined ? message : `${message} (${code})`, { cause });
}

/** Frees the connection of a reply that nobody reads. */
export function discard(response: FetchResponse): void {
  response.body
    ?.getReader()
    .cancel()
    .catch(() => undefined);
}

function target(response: FetchResponse, base: URL): URL | undefined {
  try {
    return new URL(response.headers.get("location") ?? "", base);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
