/** Where 0.3 and later publish the card. */
export const CARD_PATH = "/.well-known/agent-card.json";
/** Where 0.2 did. */
export const LEGACY_CARD_PATH = "/.well-known/agent.json";
/** Where 0.2 has the card for authenticated callers: relative to the folder of the card's URL. */
export const LEGACY_EXTENDED_CARD_PATH = "/agent/authenticatedExtendedCard";
