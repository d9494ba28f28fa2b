declare const setImmediate: undefined | ((call: () => void) => unknown);

/** Collects what comes in one tick and hands it on when the code that runs now, and the promises it settles, are done. */
export function perTick<T>(flush: (items: readonly T[]) => void): (items: readonly T[]) => void {
  let waiting: T[] = [];
  const run = (): void => {
    const items = waiting;
    waiting = [];
    flush(items);
  };
  return (items) => {
    if (items.length === 0) return;
    if (waiting.length === 0) {
      if (typeof setImmediate === "function") setImmediate(run);
      else setTimeout(run, 0);
    }
    for (const item of items) waiting.push(item);
  };
}
