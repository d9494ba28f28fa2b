import { CompactSign, importJWK } from "jose";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonicalCard } from "../../src/card/canonical-card.js";
import { signCard } from "../../src/card/sign-card.js";
import { verifyCard, type VerifyCardOptions } from "../../src/card/verify-card.js";
import { testKey, type TestKey } from "./keys.js";
import { sampleCard } from "./sample.js";

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** What was found out about the only signature: `verified`, or why not. */
async function outcome(card: object, options: VerifyCardOptions): Promise<string> {
  const { verified, signatures } = await verifyCard(card, options);
  expect(signatures).toHaveLength(1);
  const [one] = signatures;
  expect(one?.verified).toBe(verified);
  return one === undefined ? "none" : one.verified ? "verified" : one.reason;
}

/** A card with a signature whose header says what it likes, made correctly otherwise. */
async function forged(key: TestKey, header: Record<string, unknown>): Promise<object> {
  const payload = new TextEncoder().encode(canonicalCard(sampleCard()));
  const jws = await new CompactSign(payload)
    .setProtectedHeader({ alg: "ES256", ...header })
    .sign(await importJWK(key.signing.key, "ES256"), { crit: { exp: true, b64: true } });
  const [head, , signature] = jws.split(".");
  return { ...sampleCard(), signatures: [{ protected: head, signature }] };
}

describe("verifying a card", () => {
  it("tells which signature verified, with which key (A2A-8.4.3-a)", async () => {
    const { signing, published } = await testKey();
    expect(await verifyCard(await signCard(sampleCard(), signing), { keys: [published] })).toEqual({
      verified: true,
      signatures: [{ verified: true, index: 0, kid: "k1", alg: "ES256", form: "spec", key: published }],
    });
  });

  it("works on the document as it was received: text, order and all (A2A-8.4.1-a, A2A-8.4.3-a)", async () => {
    const { signing, published } = await testKey();
    const signed = await signCard({ ...sampleCard(), "x-vendor": { kept: [""] } }, signing);
    const received = JSON.parse(
      JSON.stringify(Object.fromEntries(Object.entries(signed).reverse())),
    ) as object;
    expect(await outcome(received, { keys: { keys: [published] } })).toBe("verified");
  });

  it.each<[string, (card: Record<string, unknown>) => object]>([
    ["a changed text", (card) => ({ ...card, name: "Other" })],
    ["a member that is gone", ({ version: _, ...card }) => card],
    ["a member more", (card) => ({ ...card, iconUrl: "" })],
    ["an unknown member more", (card) => ({ ...card, "x-vendor": 1 })],
    [
      "an unknown member inside",
      (card) => ({ ...card, capabilities: { ...(card["capabilities"] as object), x: 1 } }),
    ],
  ])("fails for %s (A2A-8.4.3-a)", async (_, change) => {
    const { signing, published } = await testKey();
    const signed = await signCard(sampleCard(), signing);
    expect(await outcome(change({ ...signed }), { keys: [published] })).toBe("MISMATCH");
  });

  it("fails with another key of the same name, and without a key (A2A-8.4.3-a)", async () => {
    const [mine, other] = [await testKey(), await testKey()];
    const signed = await signCard(sampleCard(), mine.signing);
    expect(await outcome(signed, { keys: [other.published] })).toBe("MISMATCH");
    expect(await outcome(signed, { keys: [{ ...mine.published, kid: "k2" }] })).toBe("KEY_NOT_AVAILABLE");
    expect(await outcome(signed, {})).toBe("KEY_NOT_AVAILABLE");
  });

  it("takes, of two keys of one name, the one for the algorithm", async () => {
    const [elliptic, rsa] = [await testKey("k1", "ES256"), await testKey("k1", "RS256")];
    const signed = await signCard(sampleCard(), rsa.signing);
    expect(await outcome(signed, { keys: [elliptic.published, rsa.published] })).toBe("verified");
    expect(await outcome(signed, { keys: [rsa.published, elliptic.published] })).toBe("verified");
  });

  it("needs one signature unless more are asked for; one key counts once (A2A-8.4.3-b)", async () => {
    const [a, b] = [await testKey("a"), await testKey("b")];
    const keys = [a.published, b.published];
    const twice = await signCard(sampleCard(), [a.signing, a.signing]);
    const both = await signCard(sampleCard(), [a.signing, b.signing]);
    expect((await verifyCard(twice, { keys })).verified).toBe(true);
    expect((await verifyCard(twice, { keys, atLeast: 2 })).verified).toBe(false);
    expect((await verifyCard(both, { keys, atLeast: 2 })).verified).toBe(true);
    for (const unsigned of [sampleCard(), null, "card", undefined]) {
      expect(await verifyCard(unsigned, { keys })).toEqual({ verified: false, signatures: [] });
    }
    await expect(verifyCard(both, { keys, atLeast: 0 })).rejects.toMatchObject({ reason: "CONFIG" });
  });

  it("takes keys of a store of the caller's own (A2A-8.4.3-d)", async () => {
    const { signing, published } = await testKey();
    const signed = await signCard(sampleCard(), signing, { jku: "https://keys.example.com/jwks.json" });
    const asked: unknown[] = [];
    const resolver: VerifyCardOptions["resolver"] = (header) => {
      asked.push(header);
      return published;
    };
    expect(await outcome(signed, { resolver })).toBe("verified");
    expect(asked).toEqual([
      { alg: "ES256", kid: "k1", typ: "JOSE", jku: "https://keys.example.com/jwks.json" },
    ]);
  });

  it("never verifies with keys that are expired, not valid yet, revoked, or for something else (A2A-8.4.3-e)", async () => {
    const { signing, published } = await testKey();
    const signed = await signCard(sampleCard(), signing);
    const now = (): number => 1_000_000_000;
    const withKey = (more: Record<string, unknown>): Promise<string> =>
      outcome(signed, { keys: [{ ...published, ...more }], now });
    expect(await withKey({ exp: 1_000_001, nbf: 1_000_000 })).toBe("verified");
    expect(await withKey({ exp: 1_000_000 })).toBe("KEY_NOT_USABLE");
    expect(await withKey({ nbf: 1_000_001 })).toBe("KEY_NOT_USABLE");
    for (const exp of ["tomorrow", "1000001", null]) expect(await withKey({ exp })).toBe("KEY_NOT_USABLE");
    expect(await withKey({ use: "enc" })).toBe("KEY_NOT_USABLE");
    expect(await withKey({ key_ops: ["encrypt"] })).toBe("KEY_NOT_USABLE");
    expect(await withKey({ key_ops: [] })).toBe("KEY_NOT_USABLE");
    expect(await withKey({ alg: "ES384" })).toBe("KEY_NOT_USABLE");
    expect(await withKey({ x5c: ["AAAA"] })).toBe("KEY_NOT_USABLE");
    expect(await outcome(signed, { resolver: () => undefined })).toBe("KEY_NOT_AVAILABLE");
  });

  it("reads how long a certificate is valid (A2A-8.4.3-e)", async () => {
    const { signing, published } = await testKey();
    const signed = await signCard(sampleCard(), signing);
    const keys = [{ ...published, x5c: [CERTIFICATE] }];
    const at = (date: string): Promise<string> => outcome(signed, { keys, now: () => Date.parse(date) });
    expect(await at("2026-11-30T02:59:06Z")).toBe("verified");
    expect(await at("2026-11-30T02:59:05Z")).toBe("KEY_NOT_USABLE");
    expect(await at("2027-11-30T02:59:07Z")).toBe("KEY_NOT_USABLE");
  });

  it("refuses alg none, symmetric algorithms and those that are not on the list (A2A-8.4.3-g)", async () => {
    const key = await testKey("k1", "RS256");
    const unsigned = (alg: string): object => ({
      ...sampleCard(),
      signatures: [{ protected: base64url({ alg, kid: "k1", typ: "JOSE" }), signature: "AA" }],
    });
    const keys = [key.published];
    expect(await outcome(unsigned("none"), { keys })).toBe("ALGORITHM_NOT_ALLOWED");
    expect(await outcome(unsigned("HS256"), { keys })).toBe("ALGORITHM_NOT_ALLOWED");
    const signed = await signCard(sampleCard(), key.signing);
    expect(await outcome(signed, { keys })).toBe("verified");
    expect(await outcome(signed, { keys, algorithms: ["ES256"] })).toBe("ALGORITHM_NOT_ALLOWED");
    await expect(verifyCard(signed, { keys, algorithms: ["HS256"] })).rejects.toMatchObject({
      reason: "CONFIG",
    });
    const oct = { kty: "oct" as const, kid: "k1", k: "c2VjcmV0" };
    expect(await outcome(signed, { keys: [oct] })).toBe("KEY_NOT_USABLE");
  });

  it("refuses a header that it does not understand in full (A2A-8.4.2-a, A2A-8.4.3-a)", async () => {
    const key = await testKey();
    const keys = [key.published];
    expect(await outcome(await forged(key, { kid: "k1" }), { keys })).toBe("verified");
    expect(await outcome(await forged(key, {}), { keys })).toBe("MALFORMED");
    expect(await outcome(await forged(key, { kid: "k1", b64: true }), { keys })).toBe("MALFORMED");
    const unprotected = async (header: object): Promise<string> => {
      const { signatures, ...card } = (await forged(key, { kid: "k1" })) as { signatures: object[] };
      return outcome({ ...card, signatures: signatures.map((one) => ({ ...one, header })) }, { keys });
    };
    expect(await unprotected({ note: "x" })).toBe("verified");
    expect(await unprotected({ crit: ["note"], note: "x" })).toBe("MALFORMED");
    expect(await unprotected({ kid: "k1" })).toBe("MALFORMED");
    expect(await outcome(await forged(key, { kid: "k1", crit: ["exp"], exp: 1 }), { keys })).toBe(
      "MALFORMED",
    );
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["no header", { signature: "AA" }],
    ["a header that is no JSON", { protected: "AAAA", signature: "AA" }],
    ["a header that is a list", { protected: base64url([]), signature: "AA" }],
    ["padding", { protected: base64url({ alg: "ES256", kid: "k1" }), signature: "AA==" }],
    ["a number for kid", { protected: base64url({ alg: "ES256", kid: 1 }), signature: "AA" }],
    [
      "alg twice",
      { protected: base64url({ alg: "ES256", kid: "k1" }), signature: "AA", header: { alg: "none" } },
    ],
    [
      "an unprotected header that is a text",
      { protected: base64url({ alg: "ES256", kid: "k1" }), signature: "AA", header: "x" },
    ],
  ])("reports an entry with %s instead of failing (A2A-8.4.3-a)", async (_, entry) => {
    const { published } = await testKey();
    expect(await outcome({ ...sampleCard(), signatures: [entry] }, { keys: [published] })).toBe("MALFORMED");
  });

  it("never reports success without a key for a card that was signed elsewhere (A2A-8.4.3-b)", async () => {
    const text = readFileSync(
      new URL("../cards/card-45-v1-spec-sample-signed.json", import.meta.url),
      "utf8",
    );
    const { published } = await testKey("key-1");
    const card = JSON.parse(text) as object;
    expect(await outcome(card, {})).toBe("KEY_NOT_AVAILABLE");
    expect(await outcome(card, { keys: [published] })).toBe("MISMATCH");
  });
});

/** Self-signed, valid for a year from 2026-11-30T02:59:06Z. */
const CERTIFICATE =
  "MIIBczCCARmgAwIBAgIUPNrlpIr3/zrr4Bg//CyNbuAHqqgwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEdGVzdDAeFw0yNjExMzAwMjU5MDZaFw0yNzExMzAwMjU5MDZaMA8xDTALBgNVBAMMBHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQcUmolRyqfraq17Zgg6tLCWVcxBeQZROIlt//m4JrxkSnPYbspD4VOwMtJ/GT4wpESq4WjdXIP8fegenKhO0sbo1MwUTAdBgNVHQ4EFgQU2NeHjsYpMcgTKV64eumuuPlUie0wHwYDVR0jBBgwFoAU2NeHjsYpMcgTKV64eumuuPlUie0wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAzLeLAxOvr1OKALVeD6OX8HeOHUDxqer/Dwr4JAnqfOYCIGiQEsGqppLKb+P0rSceCbxNH0MY1YGd4sN/BDoycODe";
