import type { Headers } from "../call.js";
import { A2AError, type ErrorReason } from "../errors.js";
import type { FetchResponse } from "./fetch-like.js";

/** The reasons that an HTTP status names by itself. */
export const statusReasons: Readonly<Record<number, ErrorReason>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  413: "PAYLOAD_TOO_LARGE",
  429: "RESOURCE_EXHAUSTED",
};

/** True for 2xx. */
export const isSuccess = ({ status }: FetchResponse): boolean => status >= 200 && status < 300;

/**
 * A failed HTTP exchange whose body is no A2A error: `HTTP`, or the reason that the status names by itself
 * (401, 403, 413, 429), with a short excerpt of the body.
 */
export function httpError(response: FetchResponse, body: string): A2AError {
  const { status } = response;
  return new A2AError(
    statusReasons[status] ?? "HTTP",
    `The agent answered HTTP ${String(status)}${excerpt(body)}`,
    {
      status,
      headers: headersOf(response),
    },
  );
}

/** A reply that is not what the protocol asks for: `httpError` where the status says so, else `DECODE`. */
export function unexpected(response: FetchResponse, expected: string, body: string): A2AError {
  if (!isSuccess(response)) return httpError(response, body);
  const type = response.headers.get("content-type") ?? "no content type";
  return new A2AError("DECODE", `Expected ${expected}, got ${type}${excerpt(body) || ", empty"}`, {
    status: response.status,
  });
}

/** `: "the first 200 characters"` for a message; nothing for an empty body. */
export function excerpt(body: string): string {
  const text = body.slice(0, 200).replace(/\s+/g, " ").trim();
  return text && `: "${text}"`;
}

/** Headers of a reply, names in lower case. */
export const headersOf = (response: FetchResponse): Headers => Object.fromEntries(response.headers);
