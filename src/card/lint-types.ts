import type { AgentCard } from "../versions/pivot.js";

/** Something that is wrong with a card (`error`), or deserves a look (`warning`). */
export interface CardProblem {
  readonly level: "error" | "warning";
  /** JSON pointer into the card (RFC 6901); `""` is the card itself. */
  readonly pointer: string;
  readonly message: string;
  /** Id of the rule that it breaks. */
  readonly rule: string;
}

/** What the agent behind a card can do; what is left out is not checked. */
export interface CardMeans {
  /** There is something that delivers webhooks. */
  readonly push?: boolean;
  /** There is an extended card. */
  readonly extendedCard?: boolean;
  /** The agent makes its answers piece by piece. */
  readonly streaming?: boolean;
  /** An extended card without security schemes is wanted, for tests. */
  readonly allowPublicExtendedCard?: boolean;
  /** Protocol versions that are served. */
  readonly versions?: readonly string[];
  /** Bindings that are answered at `url`. */
  readonly bindings?: readonly string[];
  /** Public base URL, where it is known. */
  readonly url?: string;
}

/** Takes a problem: where, what, and the rule. */
export type Report = (
  level: CardProblem["level"],
  pointer: readonly (string | number)[],
  message: string,
  rule: string,
) => void;

/** Looks at one side of a card whose shape is right. */
export type CardRule = (card: AgentCard, means: CardMeans, report: Report) => void;
