import type { JsonObject } from "../descriptor.js";

/** Thrown in the agent by an effect after the outcome, or on a task that is over: nothing was changed. */
export class TaskFinished extends Error {
  override readonly name = "TaskFinished";
}

/** Reason of `ctx.signal` when the task is canceled. */
export class TaskCanceled extends Error {
  override readonly name = "TaskCanceled";
  /** Metadata of the CancelTask request. */
  readonly metadata: JsonObject | undefined;

  constructor(taskId: string, metadata?: JsonObject) {
    super(`Task ${taskId} was canceled`);
    this.metadata = metadata;
  }
}
