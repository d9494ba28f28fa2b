import type { Task } from "../versions/pivot.js";
import { TaskState } from "../versions/pivot.js";

/** States in which nothing happens until somebody does something. */
const resting: ReadonlySet<string> = new Set([
  TaskState.COMPLETED,
  TaskState.CANCELED,
  TaskState.FAILED,
  TaskState.REJECTED,
  TaskState.INPUT_REQUIRED,
  TaskState.AUTH_REQUIRED,
]);

/** Whether waiting for a task is over. */
export const isResting = ({ status }: Task): boolean => resting.has(status.state);
