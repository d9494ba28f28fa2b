import { JsonText } from "../../json-text.js";
import type { Snapshot } from "../../store/types.js";
import { cutTask, type TaskView } from "../../task/cut-task.js";
import type { StreamResponse } from "../../versions/pivot.js";

/** The `task` event of a task; its id is the revision it shows. */
export const snapshotEvent = (
  task: Pick<Snapshot, "text" | "layout">,
  revision: number,
  view: TaskView = {},
): JsonText<StreamResponse> => new JsonText<StreamResponse>(`{"task":${cutTask(task, view)}}`, revision);
