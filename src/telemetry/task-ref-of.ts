import type { TaskRef } from "./types.js";

/** The task that the input of an operation names: in itself, or in its message. */
export function taskRefOf(input: unknown): TaskRef {
  const { id, taskId = id, contextId, message } = record(input);
  if (message === undefined) return { taskId: text(taskId), contextId: text(contextId) };
  const inner = record(message);
  return { taskId: text(inner["taskId"]), contextId: text(inner["contextId"]) };
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
