import { check } from "../../codec/check.js";
import { securitySchemeTable, type AgentCard } from "../../versions/pivot.js";
import { readAgentCard } from "./read-agent-card.js";

/**
 * The card that an agent answered, in the shape that a client promises: schemes of a type that nobody knows are not in it.
 * A requirement that names one stays, so that nobody takes the agent for an open one.
 */
export function cardReply(raw: unknown, url: string): AgentCard {
  const { card } = readAgentCard(typeof raw === "string" ? raw : JSON.stringify(raw ?? null), { base: url });
  const { securitySchemes, ...others } = card;
  if (securitySchemes === undefined) return card;
  const known = Object.entries(securitySchemes).filter(
    ([, scheme]) => "value" in check(securitySchemeTable, scheme, { direction: "reply" }),
  );
  return { ...others, securitySchemes: Object.fromEntries(known) };
}
