const FIRST = 50;
const LONGEST = 2_000;

/** A pause of `ms`, cut short by the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

/**
 * Ms to wait after failure number `failures`: from 50 up to 2,000, with a random half so that instances do not come back
 * all at once.
 */
export function backoff(failures: number): number {
  return Math.min(LONGEST, FIRST * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
}
