import type { Scope } from "../store/types.js";
import type { TaskStore } from "../store/types.js";

/** Tasks that are asked for at once. */
const BATCH = 100;
/** Batches of one look, so that it ends also where others make orphans as fast. */
const BATCHES = 50;

/** What a recovery works with. */
export interface RecoveryHost {
  readonly store: Pick<TaskStore, "lease">;
  /** By the clock of leases. */
  now(): number;
  /** Takes the task over where nobody else did; what becomes of it is decided there. False where it is in other hands. */
  take(scope: Scope, taskId: string): Promise<boolean>;
  report(message: string, details: unknown): void;
}

/** Looks for tasks whose lease ran out, and takes them over. One look at a time; resolves with how many were taken. */
export function createRecovery(host: RecoveryHost): () => Promise<number> {
  let looking: Promise<number> | undefined;

  async function look(): Promise<number> {
    let taken = 0;
    try {
      for (let batch = 0; batch < BATCHES; batch += 1) {
        const found = await host.store.lease.expired(host.now(), BATCH);
        const tries = await Promise.allSettled(found.map(({ scope, taskId }) => host.take(scope, taskId)));
        let now = 0;
        tries.forEach((one, i) => {
          if (one.status === "fulfilled") now += one.value ? 1 : 0;
          else host.report(`task ${found[i]?.taskId ?? ""} could not be recovered`, one.reason);
        });
        taken += now;
        if (found.length < BATCH || now === 0) break;
      }
    } catch (error) {
      host.report("looking for tasks to recover failed", error);
    }
    return taken;
  }

  return () =>
    (looking ??= look().finally(() => {
      looking = undefined;
    }));
}
