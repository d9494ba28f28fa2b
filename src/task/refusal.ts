import type { StreamResponse, Task } from "../versions/pivot.js";
import { TaskState } from "../versions/pivot.js";
import { isTerminal } from "./states.js";

/**
 * Why an event may not be applied to a task, or undefined where it may. The only rules of the lifecycle:
 * terminal is final (A2A-4.1.3-e), nothing returns to SUBMITTED, and an event belongs to its task.
 */
export function refusal(task: Task, event: StreamResponse): string | undefined {
  if (event.message !== undefined) return "a message is not an event of a task";
  if (event.task !== undefined) {
    if (event.task.id !== task.id) return `the event is of task ${event.task.id}`;
    return isTerminal(task.status.state) && event.task.status.state !== task.status.state
      ? terminal(task)
      : undefined;
  }
  const update = event.statusUpdate ?? event.artifactUpdate;
  if (update.taskId !== task.id) return `the event is of task ${update.taskId}`;
  if (task.contextId !== undefined && update.contextId !== task.contextId) {
    return `the event is of context ${update.contextId}`;
  }
  if (isTerminal(task.status.state)) return terminal(task);
  const state = event.statusUpdate?.status.state;
  if (state === TaskState.UNSPECIFIED) return "a status needs a state";
  if (state === TaskState.SUBMITTED && task.status.state !== state)
    return "a task never returns to SUBMITTED";
  return undefined;
}

const terminal = (task: Task): string => `task ${task.id} ended as ${task.status.state}`;
