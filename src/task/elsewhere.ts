import { A2AError } from "../errors.js";
import type { StoredTask } from "../store/types.js";

/** A task that another instance works on: nothing but that instance may change it. Or one that is followed from here. */
export class Elsewhere {
  /** As it was read. */
  readonly stored: StoredTask;

  constructor(stored: StoredTask) {
    this.stored = stored;
  }
}

/** What whoever meets such a task is told where nothing else is agreed. */
export function refuseElsewhere({ stored: { taskId } }: Elsewhere): never {
  throw new A2AError("UNAVAILABLE", `Another instance works on task ${taskId}; try again`, {
    metadata: { taskId },
  });
}
