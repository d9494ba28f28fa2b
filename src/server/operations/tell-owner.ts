import type { Scope } from "../../store/types.js";
import { later } from "../../task/clock.js";
import type { TaskEngine } from "../../task/engine.js";
import type { Errand } from "../errands.js";
import { ask } from "./ask.js";

/** Milliseconds that the owner may take; one that is gone is succeeded by one that reads the store. */
const PATIENCE_MS = 2_000;

/**
 * Tells the instance that works on a task, where another does, what it must know at once; resolves when it does, with the fence of its
 * lease. Whoever was told under the fence `told` is not told again.
 */
export async function tellOwner(
  engine: TaskEngine,
  scope: Scope,
  taskId: string,
  errand: Errand,
  told?: number,
): Promise<number | undefined> {
  if (engine.cluster === undefined) return undefined;
  // Read now: one that is shared with others may have begun before what the owner is to be told of.
  const lease = (await engine.store.read(scope, taskId))?.lease;
  if (lease === undefined || lease.holder === "" || lease.holder === engine.ownership?.holder)
    return undefined;
  if (lease.fence === told) return told;
  const enough = new AbortController();
  const stop = later(PATIENCE_MS, () => {
    enough.abort();
  });
  try {
    await ask(engine, scope, taskId, errand, enough);
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  } finally {
    stop();
  }
  return lease.fence;
}
