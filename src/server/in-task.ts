import type { Message } from "../versions/pivot.js";

/** The message as it is kept: with the ids of its place. */
export const inTask = (
  message: Message,
  taskId: string,
  contextId: string,
): Message & { taskId: string; contextId: string } => ({ ...message, contextId, taskId });
