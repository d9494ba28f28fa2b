import { decode } from "../codec/decode.js";
import { A2AError } from "../errors.js";
import type { AgentCard } from "../versions/pivot.js";
import { agentCardTable, pivot } from "../versions/pivot.js";

/** What the check of a card needs to know of the server. */
export interface CardMeans {
  readonly push: boolean;
  readonly extendedCard: boolean;
  readonly allowPublicExtendedCard: boolean;
  /** Versions that are served, newest first. */
  readonly versions: readonly string[];
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
    supportedInterfaces:
      card.supportedInterfaces.length > 0 ? card.supportedInterfaces : interfacesAt(url, means.versions),
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

/**
 * JSON-RPC and HTTP+JSON at one base URL, the first preferred; the pivot's version first, then the newest of the older
 * ones. An even older one need not be named: its clients read the card that is made for them.
 */
function interfacesAt(url: string, versions: readonly string[]): AgentCard["supportedInterfaces"] {
  const older = versions.find((version) => version !== pivot.version);
  return [
    ...versions.filter((version) => version === pivot.version),
    ...(older === undefined ? [] : [older]),
  ].flatMap((protocolVersion) =>
    servedBindings.map((protocolBinding) => ({ url, protocolBinding, protocolVersion })),
  );
}

/** The bindings that every server answers, at one URL. */
export const servedBindings: readonly string[] = ["JSONRPC", "HTTP+JSON"];

const config = (problem: string): A2AError => new A2AError("CONFIG", `card: ${problem}`);
