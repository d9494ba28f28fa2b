/** What a task of the test is to do, as the JSON of its first message. */
export interface Work {
  readonly events: number;
  readonly everyMs: number;
  /** After this event it waits for a message, as it does at its beginning. */
  readonly restAfter?: number;
}
