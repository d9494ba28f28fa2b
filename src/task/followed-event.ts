import type { JsonText } from "../json-text.js";
import type { StreamResponse, TaskState } from "../versions/pivot.js";

/** An event as those who follow a task get it, from memory or from a store. */
export interface FollowedEvent extends JsonText<StreamResponse> {
  readonly n: number;
  /** State of the status it sets, if it sets one. */
  readonly state: TaskState | undefined;
  /** About how many characters it takes. */
  readonly size: number;
}
