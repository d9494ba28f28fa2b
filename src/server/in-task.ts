import { growable } from "../growable.js";
import type { Message } from "../versions/pivot.js";

/** The message as it is kept: with the ids of its place. */
export function inTask(
  message: Message,
  taskId: string,
  contextId: string,
): Message & { taskId: string; contextId: string } {
  const kept = growable(message);
  kept.contextId = contextId;
  kept.taskId = taskId;
  // Both were just set.
  return kept as Message & { taskId: string; contextId: string };
}
