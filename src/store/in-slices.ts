/** Tasks that are removed in one go. */
const SLICE = 50;

/**
 * Does up to `limit` of something in slices, and lets whatever waits have its turn between them. `work` does so many and says
 * how many there were: fewer than that is all there is. Resolves with how many were done.
 */
export async function inSlices(limit: number, work: (size: number) => number): Promise<number> {
  let done = 0;
  while (done < limit) {
    const size = Math.min(SLICE, limit - done);
    const found = work(size);
    done += found;
    if (found < size) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}
