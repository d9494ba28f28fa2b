import type * as Pivot from "../versions/pivot.js";
import { Role } from "../versions/pivot.js";
import type { Artifact, Message, Part, Task, TaskState, TaskStatus } from "./a2a-types.js";

/** States of 0.3 by those of the newest version. */
const states: Readonly<Record<string, TaskState>> = {
  TASK_STATE_SUBMITTED: "submitted",
  TASK_STATE_WORKING: "working",
  TASK_STATE_INPUT_REQUIRED: "input-required",
  TASK_STATE_COMPLETED: "completed",
  TASK_STATE_CANCELED: "canceled",
  TASK_STATE_FAILED: "failed",
  TASK_STATE_REJECTED: "rejected",
  TASK_STATE_AUTH_REQUIRED: "auth-required",
};

/** A task as sessions hand it out. */
export function toTask(task: Pivot.Task): Task {
  return {
    kind: "task",
    id: task.id,
    contextId: task.contextId ?? "",
    status: toStatus(task.status),
    ...(task.artifacts && { artifacts: task.artifacts.map(toArtifact) }),
    ...(task.history && { history: task.history.map(toMessage) }),
    ...(task.metadata && { metadata: task.metadata }),
  };
}

const toStatus = ({ state, message, timestamp }: Pivot.TaskStatus): TaskStatus => ({
  state: states[state] ?? "unknown",
  ...(message && { message: toMessage(message) }),
  ...(timestamp !== undefined && { timestamp }),
});

/** A message as sessions hand it out. */
export function toMessage({ role, parts, ...rest }: Pivot.Message): Message {
  return {
    kind: "message",
    ...rest,
    role: role === Role.USER ? "user" : "agent",
    parts: parts.map(toPart),
  };
}

/** An artifact as sessions hand it out. */
export const toArtifact = ({ parts, ...rest }: Pivot.Artifact): Artifact => ({
  ...rest,
  parts: parts.map(toPart),
});

/** A part as sessions hand it out. */
export function toPart(part: Pivot.Part): Part {
  const meta = part.metadata && { metadata: part.metadata };
  if (part.text !== undefined) return { kind: "text", text: part.text, ...meta };
  if (part.data !== undefined) return { kind: "data", data: part.data, ...meta };
  const file = {
    ...(part.filename !== undefined && { name: part.filename }),
    ...(part.mediaType !== undefined && { mimeType: part.mediaType }),
    ...(part.url === undefined ? { bytes: part.raw } : { uri: part.url }),
  };
  return { kind: "file", file, ...meta };
}
