import type { TaskStore } from "../store/types.js";
import { startStopwatch } from "./stopwatch.js";

/** Milliseconds after which clocks are compared again. */
const GOOD_FOR = 30_000;

/** The clock that all who share a store measure claims with: those of two machines may be far apart. */
export interface StoreClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Asks the store for the time; undefined where there is no need to. */
  compare(): Promise<void> | undefined;
}

/** The clock of a store; ours where it has none. */
export function createStoreClock(store: Pick<TaskStore, "clock">, ours: () => number): StoreClock {
  if (store.clock === undefined) return { now: ours, compare: () => undefined };
  let known: { readonly at: number; readonly since: () => number } | undefined;

  async function ask(): Promise<void> {
    const asked = startStopwatch();
    const at = (await store.clock?.()) ?? ours();
    const took = asked();
    const since = startStopwatch();
    known = { at: at + took / 2, since };
  }

  return {
    now: () => (known === undefined ? ours() : Math.floor(known.at + known.since())),
    compare: () => (known === undefined || known.since() > GOOD_FOR ? ask() : undefined),
  };
}
