import type { Snapshot } from "../store/types.js";
import type { Message, Task } from "../versions/pivot.js";
import { encodeTask, HISTORY } from "./encode-task.js";

/** What of a task a reply shows. */
export interface TaskView {
  /** At most that many of the newest messages; 0: no `history` key; absent: all (A2A-3.2.4). */
  readonly historyLength?: number;
  /** False: no `artifacts` key (A2A-3.1.4-i). */
  readonly artifacts?: boolean;
}

/** The text of a task as a reply shows it, cut out of the stored text wherever that is possible without parsing. */
export function cutTask(task: Pick<Snapshot, "text" | "layout">, view: TaskView): string {
  if (view.historyLength === undefined && view.artifacts !== false) return task.text;
  const { text, layout } = task.layout === undefined ? encodeTask(JSON.parse(task.text) as Task) : task;
  if (layout === undefined) return text;
  const rest = view.artifacts === false ? "}" : text.slice(layout.artifacts);
  return text.slice(0, layout.history) + historyOf(text, layout, view.historyLength) + rest;
}

function historyOf(
  text: string,
  layout: NonNullable<Snapshot["layout"]>,
  length = Number.POSITIVE_INFINITY,
): string {
  if (length === 0) return "";
  const whole = text.slice(layout.history, layout.artifacts);
  if (layout.messages <= length) return whole;
  const messages = JSON.parse(whole.slice(HISTORY.length)) as Message[];
  return HISTORY + JSON.stringify(messages.slice(-length));
}
