import { TaskState, type Task, type TaskStatus } from "../versions/pivot.js";
import { CliFailure } from "./failure.js";
import { statusText } from "./task-text.js";

/** Throws where a task ended without its work done, so that scripts see it in the exit code. */
export function failUnlessDone(id: string, status: TaskStatus | undefined): void {
  if (status?.state === TaskState.FAILED || status?.state === TaskState.REJECTED) {
    throw new CliFailure(`task ${id} ${statusText(status)}`);
  }
}

/** What to do next with an interrupted task, as one line; empty for others. */
export const nextStep = (task: Task): string =>
  task.status.state === TaskState.INPUT_REQUIRED ? `answer with: --task ${task.id}\n` : "";
