import { decode } from "../codec/decode.js";
import { A2AError } from "../errors.js";
import type { AgentCard } from "../versions/pivot.js";
import { agentCardTable, pivot } from "../versions/pivot.js";

/** What the check of a card needs to know of the server. */
export interface CardMeans {
  readonly push: boolean;
  readonly extendedCard: boolean;
  readonly allowPublicExtendedCard: boolean;
}

/**
 * The card as it is served: interfaces filled in, both bindings at one URL. Throws `CONFIG` where it promises what the
 * server cannot keep.
 */
export function servedCard(card: AgentCard, url: string, means: CardMeans): AgentCard {
  const capabilities = {
    ...card.capabilities,
    ...(means.push && { pushNotifications: card.capabilities.pushNotifications ?? true }),
    ...(means.extendedCard && { extendedAgentCard: card.capabilities.extendedAgentCard ?? true }),
  };
  if (capabilities.pushNotifications === true && !means.push) {
    throw config("capabilities.pushNotifications is true, but there is no push option that could deliver");
  }
  const schemes = Object.keys(card.securitySchemes ?? {});
  if (capabilities.extendedAgentCard === true && schemes.length === 0 && !means.allowPublicExtendedCard) {
    throw config(
      "capabilities.extendedAgentCard needs securitySchemes, since the extended card is for authenticated callers; " +
        "allowPublicExtendedCard turns this check off",
    );
  }
  return checked({
    ...card,
    supportedInterfaces: card.supportedInterfaces.length > 0 ? card.supportedInterfaces : interfacesAt(url),
    capabilities,
  });
}

/** The card as clients will read it: what they would refuse is refused here. */
function checked(card: AgentCard): AgentCard {
  try {
    return decode(agentCardTable, JSON.parse(JSON.stringify(card)), { direction: "reply" });
  } catch (error) {
    const { violations } = A2AError.from(error);
    throw config(
      violations?.map(({ field, description }) => `${field}: ${description}`).join("; ") ?? String(error),
    );
  }
}

/** JSON-RPC and HTTP+JSON at one base URL, the first preferred. */
const interfacesAt = (url: string): AgentCard["supportedInterfaces"] =>
  ["JSONRPC", "HTTP+JSON"].map((protocolBinding) => ({
    url,
    protocolBinding,
    protocolVersion: pivot.version,
  }));

const config = (problem: string): A2AError => new A2AError("CONFIG", `card: ${problem}`);
