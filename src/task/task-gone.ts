import { A2AError } from "../errors.js";

/** What whoever follows a task is told when it was deleted. */
export const taskGone = (taskId: string): A2AError =>
  new A2AError("TASK_NOT_FOUND", `Task ${taskId} is gone`, { metadata: { taskId } });
