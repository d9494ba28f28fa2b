import type { JsonObject } from "../descriptor.js";

/** One signature of a card: a JWS in flattened form whose payload is the card itself (A2A-4.4.7-a). */
export interface CardSignature {
  /** The protected header: base64url of its JSON. */
  protected: string;
  /** Base64url. */
  signature: string;
  /** Unprotected parameters, which the signature does not cover. */
  header?: JsonObject;
}
