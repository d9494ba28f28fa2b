import type { JsonObject } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { readAgentCard, type ReadCard, type ReadCardOptions } from "./card/read-agent-card.js";

/** What a verifier found out about a card. */
export interface CardTrust {
  /** `unverified`: signed by keys that are not known, or by too few. `invalid`: a signature is not of this card. */
  readonly signature: "valid" | "unverified" | "invalid";
  /** Why it is not valid; fit for messages. */
  readonly problem?: string;
  /** What the signatures cover, where that is not the whole document. */
  readonly covered?: object;
}

/** Looks at the signatures of a document that has some; `cardVerifier` of `a2a-typed/card` makes one. */
export type VerifyDocument = (document: JsonObject) => Promise<CardTrust>;

/** How `connect` decides whether to believe a card. */
export interface TrustOptions {
  /** Verifies the signatures of the card before anything in it is used. Default: nobody looks at them. */
  readonly verify?: VerifyDocument | undefined;
  /** With `verify`: what becomes of a card without signatures of known keys. Default `refuse`. */
  readonly unsigned?: "accept" | "refuse" | undefined;
}

/** A card, and what its signatures are worth. */
export type TrustedCard = Omit<ReadCard, "signature"> & {
  readonly signature: "valid" | "none" | "unverified";
};

/**
 * The card as far as it may be believed. Throws `CARD_NOT_TRUSTED` where a signature is wrong, and where there is none of a
 * known key unless `unsigned` accepts that. `at`: how `read` was read.
 */
export async function trustedCard(
  read: ReadCard,
  { verify, unsigned }: TrustOptions,
  at: ReadCardOptions,
): Promise<TrustedCard> {
  if (verify === undefined) {
    if (unsigned === undefined) return read;
    throw new A2AError("CONFIG", "connect: unsigned needs verify, which looks at signatures");
  }
  const where = `The card of ${read.card.name}${at.url === undefined ? "" : ` at ${at.url}`}`;
  if (read.signature === "none") {
    if (unsigned === "accept") return read;
    throw new A2AError(
      "CARD_NOT_TRUSTED",
      `${where} has no signature; unsigned: "accept" takes such cards too`,
    );
  }
  const { signature, problem, covered } = await verify(read.document);
  if (signature === "valid") {
    // What the signatures do not cover, anybody may have put there.
    const seen = covered === undefined ? read : readAgentCard(covered, at);
    return { ...seen, document: read.document, signature };
  }
  if (signature === "unverified" && unsigned === "accept") return read;
  throw new A2AError(
    "CARD_NOT_TRUSTED",
    `${where} is not trusted: ${problem ?? "its signature is not valid"}`,
  );
}
