/** Runs at most so many jobs at a time; the others wait for their turn. */
export function createLimit(most: number): <T>(job: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (job) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await job();
    } finally {
      // The place goes to the next one without being free in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
