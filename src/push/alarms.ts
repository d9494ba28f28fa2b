import { later } from "../task/clock.js";

/** Calls that are due later. */
export interface Alarms {
  /** Calls after so many milliseconds. */
  set(ms: number): void;
  /** Forgets all that is set, and sets no more. */
  close(): void;
}

/** Alarms by a clock of milliseconds; none keeps the process alive. */
export function createAlarms(now: () => number, call: () => void): Alarms {
  const timers = new Set<() => void>();
  let closed = false;

  function set(ms: number): void {
    if (closed) return;
    const due = now() + Math.ceil(ms);
    const cancel = later(Math.max(0, ms), () => {
      timers.delete(cancel);
      // A timer may fire a little before the clock says so, when nothing is due yet.
      const early = due - now();
      if (early > 0) set(early);
      else call();
    });
    timers.add(cancel);
  }

  return {
    set,
    close() {
      closed = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
