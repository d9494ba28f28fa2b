import type { TaskStore } from "../store/types.js";

/** Looks at live tasks for each sweep of the store. */
const LOOKS_PER_SWEEP = 10;
/** Tasks that one sweep of the store may drop. */
const SWEEP_TASKS = 1_000;

/** Drops what is past its time in the store, at every tenth call; one sweep at a time. Never rejects. */
export function storeSweep(
  store: Pick<TaskStore, "sweep">,
  report: (message: string, details: unknown) => void,
): (now: number) => Promise<void> {
  let looks = 0;
  let sweeping = false;
  return async (now) => {
    looks += 1;
    if (sweeping || looks % LOOKS_PER_SWEEP !== 0) return;
    sweeping = true;
    try {
      await store.sweep(now, SWEEP_TASKS);
    } catch (error) {
      report("sweeping the task store failed", error);
    } finally {
      sweeping = false;
    }
  };
}
