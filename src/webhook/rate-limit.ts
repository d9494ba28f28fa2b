/** How many notifications are looked at (A2A-13.2c-d). */
export interface RateLimit {
  /** Notifications in a window, those that are refused included. */
  readonly max: number;
  /** Milliseconds of a window. Default 60,000. */
  readonly windowMs?: number;
}

/** Counts; gives the milliseconds to wait where there were too many. */
export function rateLimiter(
  { max, windowMs = 60_000 }: RateLimit,
  now: () => number,
): () => number | undefined {
  let ends = 0;
  let count = 0;
  return () => {
    const time = now();
    if (time >= ends) {
      ends = time + windowMs;
      count = 0;
    }
    count += 1;
    return count > max ? ends - time : undefined;
  };
}
