import { check } from "../../codec/check.js";
import type { MaybePromise } from "../../store/types.js";
import { securitySchemeTable, type AgentCard } from "../../versions/pivot.js";
import { readAgentCard } from "./read-agent-card.js";

/** Makes the card that a client promises of what an agent answered; `url` is that of the interface. */
export type ReadCardReply = (raw: unknown, url: string) => MaybePromise<AgentCard>;

/** The card that an agent answered, as leniently read as one that is published. */
export const cardReply: ReadCardReply = (raw, url) =>
  withKnownSchemes(readAgentCard(documentOf(raw), { base: url }).card);

/** The text of a card that came in a reply. */
export const documentOf = (raw: unknown): string =>
  typeof raw === "string" ? raw : JSON.stringify(raw ?? null);

/**
 * A card in the shape that a client promises: schemes of a type that nobody knows are not in it. A requirement that names
 * one stays, so that nobody takes the agent for an open one.
 */
export function withKnownSchemes(card: AgentCard): AgentCard {
  const { securitySchemes, ...others } = card;
  if (securitySchemes === undefined) return card;
  const known = Object.entries(securitySchemes).filter(
    ([, scheme]) => "value" in check(securitySchemeTable, scheme, { direction: "reply" }),
  );
  return { ...others, securitySchemes: Object.fromEntries(known) };
}
