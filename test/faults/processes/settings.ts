/** How an instance of the tests is run: JSON in its first argument. */
export interface Settings {
  readonly store:
    { readonly kind: "sqlite"; readonly path: string } | { readonly kind: "postgres"; readonly url: string };
  readonly recovery: "fail" | "rerun";
  readonly leaseMs: number;
  /** URL of the bus between the instances. */
  readonly bus?: string;
  /** Every call of the store takes up to that many milliseconds more. */
  readonly slowMs?: number;
  /** Handlers that run at once, at most. */
  readonly runningTasks?: number;
}

/** What a task is told to do: the text of its message, as JSON. */
export interface Plan {
  readonly steps: number;
  /** Milliseconds between two steps, at most. */
  readonly pauseMs: number;
  /** Characters that each step says besides, which the task does not keep. */
  readonly ballast?: number;
}
