import { A2AError } from "../../errors.js";
import type { AgentCard } from "../../versions/pivot.js";
import { servedExtendedCard } from "../extended-card.js";
import type { HandlerContext } from "../router-types.js";
import type { ServiceContext } from "../service-context.js";

/** GetExtendedAgentCard: what the server was given for the caller (A2A-3.1.11). */
export async function getExtendedAgentCard(service: ServiceContext, ctx: HandlerContext): Promise<AgentCard> {
  const { extendedCard } = service;
  if (extendedCard === undefined) {
    throw new A2AError(
      "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
      "This agent has no extended card; use the public one",
    );
  }
  const card = typeof extendedCard === "function" ? await extendedCard(ctx) : extendedCard;
  const served = servedExtendedCard(card, { publicCard: service.card, secure: service.secureCard });
  return service.signCard === undefined ? served : service.signCard(served);
}
