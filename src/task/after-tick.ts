declare const setImmediate: undefined | ((call: () => void) => unknown);

let ending: (() => void)[] = [];
let waiting: (() => void)[] = [];
let timed = false;
let turns = 0;

/** A number that is another one when what `afterTick` was asked for until now is done. */
export const turn = (): number => turns;

/**
 * Calls back when the code that runs now, and the promises it settles, are done: everything that becomes ready in
 * between is handled together. One timer serves all.
 */
export function afterTick(call: () => void): void {
  waiting.push(call);
  time();
}

/** As `afterTick`, but before all of its calls: what is told here reaches them at once, not a turn later. */
export function atTickEnd(call: () => void): void {
  ending.push(call);
  time();
}

function time(): void {
  if (timed) return;
  timed = true;
  if (typeof setImmediate === "function") setImmediate(flush);
  else setTimeout(flush, 0);
}

function flush(): void {
  turns += 1;
  const first = ending;
  ending = [];
  run(first);
  const calls = waiting;
  waiting = [];
  timed = false;
  if (ending.length > 0) time();
  run(calls);
}

function run(calls: readonly (() => void)[]): void {
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
