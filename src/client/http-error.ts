import type { Headers } from "../call.js";
import { A2AError, type ErrorReason } from "../errors.js";
import type { FetchResponse } from "./fetch-like.js";

const reasons: Readonly<Record<number, ErrorReason>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  413: "PAYLOAD_TOO_LARGE",
  429: "RESOURCE_EXHAUSTED",
};

/**
 * A failed HTTP exchange whose body is no A2A error: `HTTP`, or the reason that the status names by itself
 * (401, 403, 413, 429), with a short excerpt of the body.
 */
export function httpError(response: FetchResponse, body: string): A2AError {
  const { status } = response;
  return new A2AError(
    reasons[status] ?? "HTTP",
    `The agent answered HTTP ${String(status)}${excerpt(body)}`,
    { status, headers: headersOf(response) },
  );
}

/** `: "the first 200 characters"` for a message; nothing for an empty body. */
export function excerpt(body: string): string {
  const text = body.slice(0, 2000).replace(/\s+/g, " ").trim();
  return text === "" ? "" : `: "${text.length > 200 ? `${text.slice(0, 200)}…` : text}"`;
}

/** Headers of a reply, names in lower case. */
export function headersOf(response: FetchResponse): Headers {
  const headers: Headers = {};
  response.headers.forEach((value, name) => {
    headers[name.toLowerCase()] = value;
  });
  return headers;
}
