/** What works on a live task for its agent, as the task knows it. */
export interface AgentSide {
  /** JSON that is kept with the task; asked for at every snapshot before the end. */
  readonly kept: string | undefined;
  /** Whether the agent goes on by itself where the task is at rest: messages wait for it. */
  readonly goesOn: boolean;
}
