import type { SnapshotLayout } from "../store/types.js";
import type { Task } from "../versions/pivot.js";

/** A task as JSON text, and where its optional lists lie in it. */
export interface TaskText {
  readonly text: string;
  readonly layout: SnapshotLayout;
}

/** Encodes a task with `history` and `artifacts` last, so that replies can cut them out of the text. */
export function encodeTask(task: Task): TaskText {
  const { history, artifacts, ...rest } = task;
  let text = JSON.stringify(rest).slice(0, -1);
  const historyAt = text.length;
  if (history !== undefined && history.length > 0) text += `,"history":${JSON.stringify(history)}`;
  const artifactsAt = text.length;
  if (artifacts !== undefined && artifacts.length > 0) text += `,"artifacts":${JSON.stringify(artifacts)}`;
  return {
    text: text + "}",
    layout: { history: historyAt, artifacts: artifactsAt, messages: history?.length ?? 0 },
  };
}
