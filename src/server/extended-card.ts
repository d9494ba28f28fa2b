import { A2AError, isA2AError } from "../errors.js";
import type { AgentCard } from "../versions/pivot.js";
import { checkedCard } from "./served-card.js";

/** What an extended card has in common with the public one. */
export interface ExtendedCardMeans {
  /** The public card as it is served. */
  readonly publicCard: () => AgentCard;
  /** Adds what the `auth` option says of a card. */
  readonly secure: (card: AgentCard) => AgentCard;
}

/**
 * The extended card as it is served: where the public one is, with the schemes that are checked, and checked like it.
 * Throws `CONFIG` where it contradicts itself or the `auth` option.
 */
export function servedExtendedCard(given: AgentCard, { publicCard, secure }: ExtendedCardMeans): AgentCard {
  try {
    const card = secure(given);
    return checkedCard(
      card.supportedInterfaces.length > 0
        ? card
        : { ...card, supportedInterfaces: publicCard().supportedInterfaces },
      // The public card says how to authenticate.
      { allowPublicExtendedCard: true },
    );
  } catch (error) {
    if (!isA2AError(error, "CONFIG")) throw error;
    throw new A2AError("CONFIG", `extendedCard: ${error.message}`, { cause: error });
  }
}
