import type { PushSettings } from "./options.js";

/**
 * Milliseconds until an event is sent again: twice as long each time up to a limit, shortened at random by up to half
 * so that what failed together does not come back together. What the receiver asked for is the least, up to its limit.
 */
export function retryDelay(
  failures: number,
  asked: number | undefined,
  { backoffMs, maxBackoffMs, maxRetryAfterMs }: PushSettings,
): number {
  const longest = Math.min(maxBackoffMs, backoffMs * 2 ** (failures - 1));
  const delay = longest * (1 - Math.random() / 2);
  return Math.round(Math.max(delay, Math.min(asked ?? 0, maxRetryAfterMs)));
}
