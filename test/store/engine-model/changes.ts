import fc from "fast-check";
import type { StreamResponse, Task, TaskState } from "../../../src/versions/pivot.js";
import { Role } from "../../../src/versions/pivot.js";
import type { Reference } from "./reference.js";

/** A change of a task by its agent. */
export const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ artifact: fc.constantFrom("a", "b"), append: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      artifact: fc.constantFrom("a", "b"),
      append: fc.boolean(),
      big: fc.constant(true),
    }),
  },
  { weight: 2, arbitrary: fc.record({ note: fc.boolean() }) },
);
export type Change = { artifact: string; append: boolean; big?: boolean } | { note: boolean };

/** Its event: no two are alike. */
export function eventOf(
  change: Change,
  task: Task,
  model: Reference,
  real: { count: number },
): StreamResponse {
  const { id: taskId, contextId = "" } = task;
  real.count += 1;
  const text = String(real.count);
  if ("note" in change) return status("TASK_STATE_WORKING", task, model, change.note ? text : undefined);
  const { artifact: artifactId, append, big } = change;
  const artifact = { artifactId, parts: [{ text: big === true ? text.padEnd(30_000, "x") : text }] };
  return { artifactUpdate: { taskId, contextId, artifact, append } };
}

/** A change of the status. */
export function status(
  state: TaskState,
  { id: taskId, contextId = "" }: Task,
  model: Reference,
  note?: string,
) {
  const timestamp = new Date(model.now).toISOString();
  const message = note !== undefined && {
    message: { messageId: note, role: Role.AGENT, parts: [{ text: note }] },
  };
  return { statusUpdate: { taskId, contextId, status: { state, timestamp, ...message } } };
}
