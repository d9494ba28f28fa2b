import {
  exportJWK,
  FlattenedSign,
  generateKeyPair,
  type CryptoKey,
  type JWK,
  type JWSHeaderParameters,
} from "jose";
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { canonicalCard, verifyCard, type SignatureProblem } from "a2a-typed/card";
import { expectedOf, inputOf, type Run } from "./cases.js";

const canonical: Run = (fieldCase) => {
  expect(canonicalCard(inputOf<object>(fieldCase))).toBe(
    expectedOf<{ canonical: string }>(fieldCase).canonical,
  );
};

type Header = JWSHeaderParameters & { readonly alg: string };

const card = { name: "A", version: "1" };

/**
 * A card whose only signature has the header of the case, made as an attacker would: correctly where the algorithm allows
 * it, with the text of the public key as secret for `HS256`, and with anything for `none`.
 */
async function attacked(header: Header): Promise<{ readonly signed: object; readonly key: JWK }> {
  const pair = await generateKeyPair(header.alg === "HS256" ? "RS256" : "ES256", { extractable: true });
  const key = { ...(await exportJWK(pair.publicKey)), kid: "k1" };
  const secret = new TextEncoder().encode(JSON.stringify(key));
  const signatures =
    header.alg === "none"
      ? [{ protected: Buffer.from(JSON.stringify(header)).toString("base64url"), signature: "AA" }]
      : [await made(header, header.alg === "HS256" ? secret : pair.privateKey)];
  return { signed: { ...card, signatures }, key };
}

async function made(header: Header, key: CryptoKey | Uint8Array) {
  const payload = new TextEncoder().encode(canonicalCard(card));
  const jws = await new FlattenedSign(payload).setProtectedHeader(header).sign(key, { crit: { exp: true } });
  return { protected: jws.protected, signature: jws.signature };
}

/** The header is refused, for this reason, although the key is trusted. */
const refused =
  (reason: SignatureProblem): Run =>
  async (fieldCase) => {
    const { protectedHeader } = inputOf<{ protectedHeader: Header }>(fieldCase);
    const { signed, key } = await attacked(protectedHeader);
    const { verified, signatures } = await verifyCard(signed, { keys: [key] });
    expect(verified).toBe(false);
    expect(signatures).toEqual([expect.objectContaining({ verified: false, reason })]);
    // What an honest signer makes with the same key is accepted.
    if (protectedHeader.alg !== "ES256") return;
    const { signed: honest, key: its } = await attacked({ alg: "ES256", kid: "k1" });
    expect((await verifyCard(honest, { keys: [its] })).verified).toBe(true);
  };

/** Cases of the form that is signed, and of signatures that must not count. */
export const cardSigningRuns: Record<string, Run> = {
  B153a: canonical,
  B153b: canonical,
  B154: async (fieldCase) => {
    const path = inputOf<{ card: string }>(fieldCase).card;
    const text = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
    const { verified, signatures } = await verifyCard(JSON.parse(text) as object);
    expect(verified).toBe(expectedOf<{ verified: boolean }>(fieldCase).verified);
    // "key not available" by its name here.
    expect(signatures).toEqual([expect.objectContaining({ verified: false, reason: "KEY_NOT_AVAILABLE" })]);
  },
  B155: canonical,
  B156: canonical,
  B157a: refused("ALGORITHM_NOT_ALLOWED"),
  B157b: refused("ALGORITHM_NOT_ALLOWED"),
  B157c: refused("MALFORMED"),
  B157d: refused("MALFORMED"),
};
