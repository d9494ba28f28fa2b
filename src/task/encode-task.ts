import type { SnapshotLayout } from "../store/types.js";
import type { Task } from "../versions/pivot.js";

/** A task as JSON text, and where its optional lists lie in it. */
export interface TaskText {
  readonly text: string;
  readonly layout: SnapshotLayout;
}

/** Encodes a task with `history` and `artifacts` last, so that replies can cut them out of the text. */
export function encodeTask(task: Task): TaskText {
  const text = isOrdered(task) ? JSON.stringify(task) : undefined;
  const layout = text === undefined ? undefined : layoutOf(task, text);
  return text === undefined || layout === undefined ? inPieces(task) : { text, layout };
}

/** What stands before the history in the text of a task. */
export const HISTORY = ',"history":';
const ARTIFACTS = ',"artifacts":';

/** Whether its text is what `inPieces` would make: tasks are mostly made so. */
function isOrdered(task: Task): boolean {
  if (task.history?.length === 0 || task.artifacts?.length === 0) return false;
  let last = 0;
  for (const key in task) {
    const place = key === "history" ? 1 : key === "artifacts" ? 2 : 0;
    if (place < last) return false;
    last = place;
  }
  return true;
}

/**
 * Where the lists lie, where that can be told from the text: a quote inside a string is escaped, so what stands there
 * once is the member itself. Undefined where data of the agent or the caller has a member of this name too.
 */
function layoutOf({ history, artifacts }: Task, text: string): SnapshotLayout | undefined {
  const end = text.length - 1;
  let artifactsAt = end;
  if (artifacts !== undefined) {
    artifactsAt = text.indexOf(ARTIFACTS);
    if (artifactsAt < 0 || text.includes(ARTIFACTS, artifactsAt + 1)) return undefined;
  }
  if (history === undefined) return { history: artifactsAt, artifacts: artifactsAt, messages: 0 };
  const historyAt = text.indexOf(HISTORY);
  if (historyAt < 0 || text.includes(HISTORY, historyAt + 1)) return undefined;
  return { history: historyAt, artifacts: artifactsAt, messages: history.length };
}

function inPieces(task: Task): TaskText {
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
