import type { Artifact, StreamResponse, Task } from "../versions/pivot.js";
import type { Io } from "./io.js";
import { artifactText, partText, statusText } from "./task-text.js";

/**
 * Prints events as they come: artifact text as it is, status changes on lines of their own. Of a task that comes once more,
 * after a break, only what is new.
 */
export function createEventPrinter(
  io: Io,
  json: boolean,
): { print(event: StreamResponse): void; end(): void } {
  let lineStart = true;
  let task: string | undefined;
  let status: string | undefined;
  const printed = new Map<string, string>();
  const raw = (text: string): void => {
    if (!text) return;
    io.out(text);
    lineStart = text.endsWith("\n");
  };
  const line = (text: string): void => {
    io.out(`${lineStart ? "" : "\n"}${text}\n`);
    lineStart = true;
  };
  const grow = (artifact: Artifact): void => {
    const text = artifactText(artifact);
    printed.set(artifact.artifactId, (printed.get(artifact.artifactId) ?? "") + text);
    raw(text);
  };
  const show = (artifact: Artifact): void => {
    const text = artifactText(artifact);
    const before = printed.get(artifact.artifactId) ?? "";
    printed.set(artifact.artifactId, text);
    raw(text.startsWith(before) ? text.slice(before.length) : `${lineStart ? "" : "\n"}${text}`);
  };
  const whole = ({ id, status: now, artifacts = [] }: Task): void => {
    const text = statusText(now);
    if (id !== task) line(`task ${id} ${text}`);
    for (const artifact of artifacts) show(artifact);
    if (id === task && text !== status) line(text);
    task = id;
    status = text;
  };
  const print = (event: StreamResponse): void => {
    if (json) io.out(JSON.stringify(event) + "\n");
    else if (event.task) whole(event.task);
    else if (event.message) line(event.message.parts.map(partText).join(""));
    else if (event.statusUpdate) line((status = statusText(event.statusUpdate.status)));
    else if (event.artifactUpdate.append === true) grow(event.artifactUpdate.artifact);
    else show(event.artifactUpdate.artifact);
  };
  return { print, end: () => raw(lineStart ? "" : "\n") };
}
