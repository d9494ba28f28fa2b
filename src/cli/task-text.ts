import { textOf, type Artifact, type Part, type Task, type TaskStatus } from "../versions/pivot.js";

/** `TASK_STATE_INPUT_REQUIRED` → `input-required`. */
export const stateText = (state: string): string =>
  state
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");

/** A status as one line: the state and, where there is one, what was said. */
export const statusText = (status: TaskStatus): string => {
  const said = status.message ? textOf(status.message) : "";
  return said ? `${stateText(status.state)}: ${said}` : stateText(status.state);
};

/** A part as text: its text, its data as JSON, or a word about the file. */
export const partText = (part: Part): string => {
  if (part.text !== undefined) return part.text;
  if (part.data !== undefined) return JSON.stringify(part.data);
  const name = part.filename ?? part.mediaType ?? "file";
  return part.url === undefined ? `[${name}, ${base64Bytes(part.raw)} bytes]` : `[${name} ${part.url}]`;
};

/** All parts of an artifact. */
export const artifactText = (artifact: Artifact): string => artifact.parts.map(partText).join("");

/** A task as readable lines: who it is, its state, what was said, its artifacts. */
export function taskText(task: Task): string {
  const lines = [`task ${task.id} ${statusText(task.status)}`];
  if (task.contextId) lines.push(`context ${task.contextId}`);
  for (const artifact of task.artifacts ?? []) {
    if (artifact.name) lines.push(`[${artifact.name}]`);
    lines.push(artifactText(artifact));
  }
  return lines.join("\n") + "\n";
}

const base64Bytes = (text: string): number => Math.floor((text.replace(/=+$/, "").length * 3) / 4);
