import type { Scope } from "../../store/types.js";
import type { Elsewhere } from "../../task/elsewhere.js";
import { later } from "../../task/clock.js";
import type { TaskEngine } from "../../task/engine.js";
import type { Errand } from "../errands.js";
import { ask } from "./ask.js";

/** Milliseconds that the owner may take; one that is gone is succeeded by one that reads the store. */
const PATIENCE_MS = 2_000;

/** Tells the instance that works on a task, where another does, what it must know at once; resolves when it does. */
export async function tellOwner(
  engine: TaskEngine,
  scope: Scope,
  taskId: string,
  errand: Errand,
): Promise<void> {
  if (engine.cluster === undefined) return;
  const met = await engine.visit<Elsewhere | undefined>(scope, taskId, () => undefined, {
    purpose: "follow",
    elsewhere: (task) => task,
  });
  const lease = met?.stored.lease;
  if (lease === undefined || lease.holder === "") return;
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
}
