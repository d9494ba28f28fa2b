/** One difference between two versions. */
export interface Change {
  readonly change: "added" | "removed" | "renamed" | "retyped" | "made required" | "made optional";
  readonly what: "type" | "field" | "value" | "method" | "error";
  /** Name in the newer version where the thing exists there: `Task.id`, `TaskState.TASK_STATE_WORKING`. */
  readonly name: string;
  readonly was?: string;
  readonly now?: string;
}

/** All differences between two releases, in a fixed order. */
export interface ModelDiff {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly Change[];
}
