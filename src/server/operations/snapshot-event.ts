import { JsonText } from "../../json-text.js";
import type { LiveTask } from "../../task/live-task.js";
import type { StreamResponse } from "../../versions/pivot.js";

/** The `task` event of a live task as it is now; its id is the revision it shows. */
export const snapshotEvent = (live: LiveTask): JsonText<StreamResponse> =>
  new JsonText<StreamResponse>(`{"task":${live.text().text}}`, live.revision);
