import { unref } from "../unref.js";

/** Between two looks, ms. */
const STEP = 500;
/** Looks without a sign of life until a connection counts as dead. */
const PATIENCE = 6;

/** Watches one connection. */
export interface Heartbeat {
  /** Something came from the other side. */
  alive(): void;
  stop(): void;
}

/**
 * Calls `dead` when nothing came for three seconds. `beat`, where given, asks the other side for a sign of life. Time is
 * counted in timers, not by the clock: a process that stood still does not blame the other side.
 */
export function heartbeat(dead: () => void, beat?: () => Promise<unknown>): Heartbeat {
  let silent = 0;
  let asked = false;
  const alive = (): void => {
    silent = 0;
  };
  const answered = (): void => {
    asked = false;
  };
  const timer: unknown = setInterval(() => {
    silent += 1;
    if (silent >= PATIENCE) {
      stop();
      dead();
    } else if (beat && !asked && silent > 1) {
      asked = true;
      // An error is a sign of life; that of a lost connection is told by the connection itself.
      void beat().then(alive, alive).then(answered);
    }
  }, STEP);
  unref(timer);
  const stop = (): void => {
    clearInterval(timer as ReturnType<typeof setInterval>);
  };
  return { alive, stop };
}
