import { isTerminal } from "../task/states.js";
import { userMessage, type Message, type Task } from "../versions/pivot.js";

/**
 * A message that goes on from a task: part of it while it has not ended, else one in its context that names it in
 * `referenceTaskIds` (A2A-3.4.3-g). `agent.send(followUp(task, "And in blue?"))`.
 */
export function followUp(
  { id, contextId, status }: Pick<Task, "id" | "contextId" | "status">,
  what: string | Message,
): Message {
  const said = typeof what === "string" ? userMessage(what) : what;
  const context = contextId ? { contextId } : {};
  if (!isTerminal(status.state)) return { ...said, ...context, taskId: id };
  return { ...said, ...context, referenceTaskIds: [...new Set([...(said.referenceTaskIds ?? []), id])] };
}
