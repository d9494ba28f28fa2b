import type { Scope } from "../../store/types.js";
import type { TaskEngine } from "../../task/engine.js";
import type { Errand } from "../errands.js";

/**
 * Asks the instance that works on a task for something; the text of its answer, undefined where the task has ended, is gone, or
 * nobody else can have it.
 */
export async function ask(
  { cluster }: TaskEngine,
  scope: Scope,
  taskId: string,
  errand: Errand,
  caller?: { readonly signal: AbortSignal },
): Promise<string | undefined> {
  return cluster?.ask(scope, taskId, JSON.stringify(errand), caller);
}
