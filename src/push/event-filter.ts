import type { Wanted } from "../task/task-host.js";
import type { StreamResponse } from "../versions/pivot.js";
import { TaskState } from "../versions/pivot.js";

/**
 * Which events are sent: `all`; `significant`, the statuses at which a client has something to do (the end, a question,
 * credentials; A2A-SA-d); or whatever a function says of an event and the task as it left it, which it only reads.
 */
export type EventFilter = "all" | "significant" | Wanted;

const SIGNIFICANT: ReadonlySet<string> = new Set([
  TaskState.COMPLETED,
  TaskState.FAILED,
  TaskState.CANCELED,
  TaskState.REJECTED,
  TaskState.INPUT_REQUIRED,
  TaskState.AUTH_REQUIRED,
]);

/** The function that a filter stands for; undefined where everything is sent. */
export function eventFilter(events: EventFilter): Wanted | undefined {
  if (events === "all") return undefined;
  return events === "significant" ? isSignificant : events;
}

const isSignificant = ({ task, statusUpdate }: StreamResponse): boolean => {
  const state = (task ?? statusUpdate)?.status.state;
  return state !== undefined && SIGNIFICANT.has(state);
};
