import { A2AError } from "../errors.js";
import { onAbort } from "./on-abort.js";

/** Milliseconds before the `n`th new attempt (from 1): doubled each time up to `maxMs`, shortened at random by up to half. */
export const backoff = (n: number, baseMs: number, maxMs: number): number =>
  Math.min(maxMs, baseMs * 2 ** (n - 1)) * (1 - Math.random() / 2);

/** Waits; rejects at once with the reason of a signal that aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      clearTimeout(timer);
      reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      stop();
      resolve();
    }, ms);
    const stop = onAbort(signal, fail);
    if (signal.aborted) {
      stop();
      fail();
    }
  });
}

/** Why a signal was aborted, as the error that a call with it fails with. */
export function abortReason({ reason }: AbortSignal): A2AError {
  if (reason instanceof A2AError) return reason;
  const late = (reason as { name?: unknown } | null | undefined)?.name === "TimeoutError";
  return new A2AError(late ? "TIMEOUT" : "ABORTED", "Ended by its signal", { cause: reason });
}
