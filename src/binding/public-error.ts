import { A2AError } from "../errors.js";
import { localReasons } from "../local-reasons.js";
import type { ErrorLog } from "./server-types.js";

/**
 * What a caller may see of a failure: an `A2AError` as it is, anything else (and the failures of a client that a handler
 * used) as `INTERNAL_ERROR` without a word of the original, which is logged (A2A-3.3.2-n).
 */
export function publicError(error: unknown, log: ErrorLog, where: string, signal?: AbortSignal): A2AError {
  if (error instanceof A2AError && !localReasons.has(error.reason)) {
    if (error.reason === "INTERNAL_ERROR") log.error(`a2a: ${where} failed`, error.cause ?? error);
    return error;
  }
  // Once the caller is gone, the failure is most likely the handler's reaction to that.
  if (!signal?.aborted) log.error(`a2a: ${where} failed`, error);
  return new A2AError("INTERNAL_ERROR", "Internal error", { code: -32603, cause: error });
}
