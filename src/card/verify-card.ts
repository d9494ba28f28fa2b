import { A2AError } from "../errors.js";
import { asymmetricAlgorithms } from "../keys/algorithms.js";
import { canonicalCard, type CardForm } from "./canonical-card.js";
import { checkSignature, type SignatureCheck } from "./check-signature.js";
import { keyResolver, type KeyResolver, type KeySet } from "./key-resolver.js";

/** How the signatures of a card are verified. Without `keys` or `resolver`, none ever is. */
export interface VerifyCardOptions {
  /** Keys that are trusted. */
  readonly keys?: KeySet;
  /** Asked for the key of each signature; undefined means unknown or revoked. Wins over `keys`. */
  readonly resolver?: KeyResolver;
  /** JWS algorithms that are accepted. Default: all asymmetric ones. */
  readonly algorithms?: readonly string[];
  /** Forms that are tried, in this order. `sdk` does not cover what is empty or unknown. Default `spec` alone. */
  readonly form?: CardForm | readonly CardForm[];
  /** How many keys must have signed. Default 1. */
  readonly atLeast?: number;
  /** Signatures that are looked at, the first ones: each may cost a key to be fetched. Default 32. */
  readonly maxSignatures?: number;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

/** What came of it. */
export interface CardVerification {
  /** Whether as many keys as were asked for have signed this card. */
  readonly verified: boolean;
  /** One for each entry of `signatures`, in its order. */
  readonly signatures: readonly SignatureCheck[];
}

/**
 * Verifies the signatures of a card (A2A-8.4.3). Pass the document as it was received: members that the schema does not
 * know are covered too, and a card that was converted or merged is another one. Throws `CONFIG` for an algorithm in
 * `algorithms` that is symmetric, and for `atLeast` below 1.
 */
export async function verifyCard(card: unknown, options: VerifyCardOptions = {}): Promise<CardVerification> {
  const {
    algorithms = asymmetricAlgorithms,
    atLeast = 1,
    form = "spec",
    maxSignatures = 32,
    now = Date.now,
  } = options;
  const unsafe = algorithms.find((alg) => !asymmetricAlgorithms.includes(alg));
  if (unsafe !== undefined) {
    throw new A2AError("CONFIG", `algorithms: ${unsafe} is not one of ${asymmetricAlgorithms.join(", ")}`);
  }
  if (!(atLeast >= 1)) throw new A2AError("CONFIG", "atLeast must be 1 or more");
  if (typeof card !== "object" || card === null) return { verified: false, signatures: [] };
  const { signatures: entries } = card as { readonly signatures?: unknown };
  if (!Array.isArray(entries) || entries.length === 0) return { verified: false, signatures: [] };

  const texts = (typeof form === "string" ? [form] : form).flatMap((one) => payloads(card, one));
  const resolver = options.resolver ?? keyResolver({ keys: options.keys ?? [] });
  const at = now();
  const signatures = await Promise.all(
    entries.map(async (entry: unknown, index) =>
      index < maxSignatures
        ? checkSignature(entry, index, { payloads: texts, algorithms, resolver, now: at })
        : oneTooMany(index, maxSignatures),
    ),
  );
  const { calculateJwkThumbprint } = await import("jose");
  // One key that signs twice vouches once.
  const signers = new Set(
    await Promise.all(
      signatures.flatMap((check) => (check.verified ? [calculateJwkThumbprint(check.key)] : [])),
    ),
  );
  return { verified: signers.size >= atLeast, signatures };
}

const oneTooMany = (index: number, most: number): SignatureCheck => ({
  verified: false,
  index,
  reason: "MALFORMED",
  message: `Signature ${String(index)} is not looked at, for the card has more than ${String(most)}`,
});

/** A text that may have been signed, and the form it is in. */
export interface Payload {
  readonly form: CardForm;
  readonly bytes: Uint8Array;
}

function payloads(card: object, form: CardForm): Payload[] {
  const text = canonicalCard(card, form);
  // The Python SDK escapes whatever is not ASCII, which RFC 8785 does not.
  const escaped = form === "sdk" ? text.replace(/[\u007f-\uffff]/g, escapeUnit) : text;
  return [...new Set([text, escaped])].map((one) => ({ form, bytes: new TextEncoder().encode(one) }));
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
