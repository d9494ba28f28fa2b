import type { Interceptor } from "../call.js";
import { isA2AError, type A2AError } from "../errors.js";
import { backoff, pause } from "./backoff.js";
import { askedDelay, isTransient } from "./transient.js";
import { isUnreached } from "./unreached.js";

/** When a call is made again. */
export interface RetryOptions {
  /** How often a call is made at most, the first time included; default 3. */
  readonly attempts?: number | undefined;
  /** Wait before the second attempt, in ms; default 250. It doubles each time, and up to half of it is taken off at random. */
  readonly delayMs?: number | undefined;
  /** Longest wait, in ms; default 10,000. An agent that asks for more (`Retry-After`) is not asked again. */
  readonly maxDelayMs?: number | undefined;
}

/**
 * Makes calls again where that is safe: after a connection that was never made, after 429 and 503 that say when
 * (`Retry-After`), and after other passing failures where the operation may be repeated. The deadline is that of the call.
 */
export function retryCalls(options: RetryOptions = {}): Interceptor {
  const { attempts = 3, delayMs = 250, maxDelayMs = 10_000 } = options;
  return (next) => async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(call);
      } catch (error) {
        if (!isA2AError(error) || attempt >= attempts || call.signal.aborted) throw error;
        const asked = askedDelay(error) ?? 0;
        if (!isSafe(error, call.method.idempotent) || asked > maxDelayMs) throw error;
        await pause(Math.max(asked, backoff(attempt, delayMs, maxDelayMs)), call.signal);
      }
    }
  };
}

function isSafe(error: A2AError, idempotent: boolean): boolean {
  if (isUnreached(error)) return true;
  // Not that of the call, which ends all attempts.
  if (error.reason === "TIMEOUT") return idempotent;
  const refused = error.status === 429 || error.status === 503;
  return isTransient(error) && (idempotent || (refused && askedDelay(error) !== undefined));
}
