import type { A2AError } from "../errors.js";
import { retryAfter } from "../push/retry-after.js";

/** True for failures that may be over soon: of the network, of a proxy, or of an agent that says so. */
export function isTransient({ reason, status }: A2AError): boolean {
  if (/^(NETWORK|STREAM_CUT|UNAVAILABLE|RESOURCE_EXHAUSTED)$/.test(reason)) return true;
  return reason === "HTTP" && (status === 502 || status === 503 || status === 504);
}

/** Milliseconds that the agent asked to wait; undefined where it did not. */
export const askedDelay = ({ headers }: A2AError): number | undefined =>
  retryAfter(headers?.["retry-after"], Date.now());
