import type { CardSignature } from "../card/card-signature.js";
import type { Keys } from "../keys/types.js";
import type { AgentCard } from "../versions/pivot.js";

/** Signs a card; one that brings signatures of its own comes back as it is. */
export type CardSigner = (card: AgentCard) => Promise<AgentCard>;

/** Signed cards that are kept: each caller may see another one. */
const KEPT = 100;

/** Signs every card once (A2A-8.4-a); the same content is the same signed card. */
export function createCardSigner(keys: Keys): CardSigner {
  const signed = new Map<string, Promise<AgentCard>>();
  return async (card) => {
    const { signatures = [] } = card as { readonly signatures?: readonly CardSignature[] };
    if (signatures.length > 0) return card;
    const text = JSON.stringify(card);
    const known = signed.get(text);
    if (known !== undefined) return known;
    // Loaded when used: most servers sign nothing.
    const made = import("../card/sign-card.js").then(({ signCard }) => signCard(card, keys));
    signed.set(text, made);
    // What failed is tried again.
    made.catch(() => signed.delete(text));
    const [oldest] = signed.keys();
    if (signed.size > KEPT && oldest !== undefined) signed.delete(oldest);
    return made;
  };
}
