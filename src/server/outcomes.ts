import type { Message } from "../versions/pivot.js";

/** How a run ended; made by `ctx.completed()`, `ctx.inputRequired()` and the like, which act when called. */
export interface Outcome {
  /** `reply`: a direct message, no task. `task`: the state is with the task. `detached`: it stays WORKING. */
  readonly outcome: "task" | "reply" | "detached";
  readonly reply?: Message;
}

/** True for what the outcome functions return. */
export const isOutcome = (value: unknown): value is Outcome =>
  typeof value === "object" && value !== null && "outcome" in value;
