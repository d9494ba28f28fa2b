import type { Message, StreamResponse, Task } from "../versions/pivot.js";
import { refusal } from "./refusal.js";
import { TaskFold } from "./task-fold.js";

/**
 * The reducer: a task after one event. Nothing is changed in place; an event that may not be applied leaves the task
 * as it is. `append` adds to a known artifact, an unknown one is taken as new; without it a known one is replaced.
 * A status that is replaced leaves its message in the history.
 */
export function apply(task: Task, event: StreamResponse): Task {
  if (refusal(task, event) !== undefined) return task;
  const fold = new TaskFold(task);
  fold.apply(event);
  return fold.task;
}

/** A task after a message to it. */
export function receive(task: Task, message: Message): Task {
  const fold = new TaskFold(task);
  fold.receive(message);
  return fold.task;
}
