declare const setImmediate: undefined | ((call: () => void) => unknown);

let waiting: (() => void)[] = [];
let turns = 0;

/** A number that is another one when what `afterTick` was asked for until now is done. */
export const turn = (): number => turns;

/**
 * Calls back when the code that runs now, and the promises it settles, are done: everything that becomes ready in
 * between is handled together. One timer serves all.
 */
export function afterTick(call: () => void): void {
  waiting.push(call);
  if (waiting.length > 1) return;
  if (typeof setImmediate === "function") setImmediate(flush);
  else setTimeout(flush, 0);
}

function flush(): void {
  const calls = waiting;
  waiting = [];
  turns += 1;
  for (const call of calls) {
    try {
      call();
    } catch (error) {
      // The others still have their turn; nobody up the stack could handle it.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
