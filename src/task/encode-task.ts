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
  const head = JSON.stringify(rest);
  const said = history === undefined || history.length === 0 ? "" : JSON.stringify(history);
  const made = artifacts === undefined || artifacts.length === 0 ? "" : JSON.stringify(artifacts);
  const historyAt = head.length - 1;
  const artifactsAt = said === "" ? historyAt : historyAt + HISTORY.length + said.length;
  const layout = { history: historyAt, artifacts: artifactsAt, messages: history?.length ?? 0 };
  // Joined, because a text that is kept must not hang on its pieces.
  const pieces = [head.slice(0, -1)];
  if (said !== "") pieces.push(HISTORY, said);
  if (made !== "") pieces.push(ARTIFACTS, made);
  pieces.push("}");
  return { text: pieces.join(""), layout };
}

/** What stands before the history in the text of a task. */
export const HISTORY = ',"history":';
const ARTIFACTS = ',"artifacts":';
