import type { JsonObject } from "../descriptor.js";

/** A member of a 1.x `StreamResponse`, of which one is set. */
export type Payload = "task" | "message" | "statusUpdate" | "artifactUpdate";

const byKind: Readonly<Record<string, Payload>> = {
  task: "task",
  message: "message",
  "status-update": "statusUpdate",
  "artifact-update": "artifactUpdate",
};

/** The payload that a 0.x `kind` names; undefined for other values. */
export const payloadOfKind = (kind: unknown): Payload | undefined =>
  typeof kind === "string" && Object.hasOwn(byKind, kind) ? byKind[kind] : undefined;

/**
 * What a bare object is, judged by its members, for those that do not say it themselves: an artifact makes an artifact
 * update, a task id beside a status a status update, role and parts a message, an id beside a status a task.
 */
export function payloadOf(value: JsonObject): Payload | undefined {
  const has = (...names: string[]): boolean => names.some((name) => Object.hasOwn(value, name));
  if (has("artifact")) return "artifactUpdate";
  if (has("taskId", "task_id") && has("status")) return "statusUpdate";
  if (has("role") && has("parts", "content")) return "message";
  return has("id") && has("status") ? "task" : undefined;
}
