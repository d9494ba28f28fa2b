import { memberOf } from "../codec/json.js";
import { planFor } from "../convert/plan.js";
import { A2AError } from "../errors.js";
import { pivot, taskStateTable, type TaskState } from "../versions/pivot.js";
import type { VersionName } from "./codec-types.js";

/** Reads the name of a task state of any version: `working` and `TASK_STATE_WORKING` are the same. Else throws `DECODE`. */
export function decodeState(state: string): TaskState {
  const { values, legacy } = taskStateTable;
  const read = values.includes(state) ? state : memberOf(legacy, state);
  // Listed in the table of this type.
  if (read !== undefined) return read as TaskState;
  throw new A2AError("DECODE", `${JSON.stringify(state)} is no task state; they are ${values.join(", ")}`);
}

/** The name of a task state, given in the spelling of any version, in that of one version; default the newest. */
export function encodeState(state: string, version: VersionName = pivot.version): string {
  const { run } = planFor("TaskState", pivot.version, version);
  return String(run(decodeState(state), false));
}

/** The names of the task states in one version, that of the unknown state included; default the newest. */
export function validStates(version: VersionName = pivot.version): readonly string[] {
  const { table } = planFor("TaskState", version, pivot.version);
  return table.is === "enum" ? table.values : [];
}
