import type { StreamResponse } from "../versions/pivot.js";
import type { Io } from "./io.js";
import { artifactText, partText, statusText } from "./task-text.js";

/** Prints events as they come: artifact text as it is, status changes on lines of their own. */
export function createEventPrinter(
  io: Io,
  json: boolean,
): { print(event: StreamResponse): void; end(): void } {
  let lineStart = true;
  const raw = (text: string): void => {
    if (!text) return;
    io.out(text);
    lineStart = text.endsWith("\n");
  };
  const line = (text: string): void => {
    io.out(`${lineStart ? "" : "\n"}${text}\n`);
    lineStart = true;
  };
  const print = (event: StreamResponse): void => {
    if (json) io.out(JSON.stringify(event) + "\n");
    else if (event.task) {
      line(`task ${event.task.id} ${statusText(event.task.status)}`);
      for (const artifact of event.task.artifacts ?? []) raw(artifactText(artifact));
    } else if (event.message) line(event.message.parts.map(partText).join(""));
    else if (event.statusUpdate) line(statusText(event.statusUpdate.status));
    else raw(artifactText(event.artifactUpdate.artifact));
  };
  return { print, end: () => raw(lineStart ? "" : "\n") };
}
