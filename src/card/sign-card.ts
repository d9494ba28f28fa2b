import type { Keys, SigningKey } from "../keys/types.js";
import type { JsonObject } from "../descriptor.js";
import { openKeys } from "../keys/open-keys.js";
import { canonicalCard, type CardForm } from "./canonical-card.js";
import type { CardSignature } from "./card-signature.js";

/** How a card is signed. */
export interface SignCardOptions {
  /** URL of the JWKS that has the public key, as `jku` of the protected header. Default: that of `Keys`, or none. */
  readonly jku?: string;
  /** Unprotected parameters, which the signature does not cover. */
  readonly header?: JsonObject;
  /** `sdk` only for readers that know no other. Default `spec`. */
  readonly form?: CardForm;
}

/**
 * The card with one more signature for each key (A2A-8.4.2); signatures that it has stay. Of opened `Keys` the first
 * signs. Rejects with `CONFIG` where a key cannot be read, has no `kid`, or a symmetric algorithm.
 */
export async function signCard<Card extends object>(
  card: Card,
  keys: SigningKey | Keys | readonly (SigningKey | Keys)[],
  { jku, header, form }: SignCardOptions = {},
): Promise<Card & { signatures: CardSignature[] }> {
  const payload = new TextEncoder().encode(canonicalCard(card, form));
  const signers = (isList(keys) ? keys : [keys]).map((key) =>
    "sign" in key ? key : openKeys({ signing: [key] }),
  );
  const protectedHeader = { typ: "JOSE", ...(jku !== undefined && { jku }) };
  const added = await Promise.all(
    signers.map(async (signer): Promise<CardSignature> => ({
      ...(await signer.sign(payload, protectedHeader)),
      ...(header && { header }),
    })),
  );
  const { signatures = [] } = card as { readonly signatures?: readonly CardSignature[] };
  return { ...card, signatures: [...signatures, ...added] };
}

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);
