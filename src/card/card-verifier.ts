import { canonicalCard } from "./canonical-card.js";
import type { KeyResolver } from "./key-resolver.js";
import { verifyCard, type VerifyCardOptions } from "./verify-card.js";

/** What `connect` asks about the signatures of a card. */
export interface VerifiedCard {
  /** `unverified`: by keys that are not known, or by too few. `invalid`: at least one is not of this card. */
  readonly signature: "valid" | "unverified" | "invalid";
  readonly problem?: string;
  /** What is signed, where the signatures do not cover the whole card. */
  readonly covered?: object;
}

/**
 * Verifies cards for `connect(url, { verify: cardVerifier(resolver) })`, before anything in them is used. A signature that a
 * trusted key did not make over this card makes it `invalid`; other keys are not known, and say nothing.
 */
export function cardVerifier(
  trust: KeyResolver | VerifyCardOptions,
): (document: object) => Promise<VerifiedCard> {
  const options = typeof trust === "function" ? { resolver: trust } : trust;
  return async (document) => {
    const { verified, signatures } = await verifyCard(document, options);
    if (verified) {
      const good = signatures.filter((one) => one.verified);
      const isWhole = ({ form }: { readonly form: string }): boolean => form === "spec";
      const whole = (options.atLeast ?? 1) > 1 ? good.every(isWhole) : good.some(isWhole);
      if (whole) return { signature: "valid" };
      const covered: unknown = JSON.parse(canonicalCard(document, "sdk"));
      return { signature: "valid", ...(typeof covered === "object" && covered !== null && { covered }) };
    }
    const problem =
      signatures.flatMap((one) => (one.verified ? [] : [one.message])).join("; ") || "too few keys signed it";
    const wrong = signatures.some((one) => !one.verified && one.reason !== "KEY_NOT_AVAILABLE");
    return { signature: wrong ? "invalid" : "unverified", problem };
  };
}
