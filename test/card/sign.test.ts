import { compactVerify, decodeProtectedHeader, flattenedVerify, importJWK } from "jose";
import { describe, expect, it } from "vitest";
import { canonicalCard } from "../../src/card/canonical-card.js";
import { signCard } from "../../src/card/sign-card.js";
import { verifyCard } from "../../src/card/verify-card.js";
import { openKeys } from "../../src/keys/open-keys.js";
import { testKey } from "./keys.js";
import { sampleCard } from "./sample.js";

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

describe("signing a card", () => {
  it("puts alg, kid and typ JOSE into the protected header (A2A-8.4.2-a, A2A-8.4.2-b)", async () => {
    const { signing } = await testKey();
    const { signatures } = await signCard(sampleCard(), signing);
    expect(signatures.map((one) => decodeProtectedHeader(one))).toEqual([
      { typ: "JOSE", alg: "ES256", kid: "k1" },
    ]);
  });

  it("refuses a key without kid, and a symmetric algorithm (A2A-8.4.2-a)", async () => {
    const { signing } = await testKey();
    await expect(signCard(sampleCard(), { ...signing, kid: "" })).rejects.toMatchObject({ reason: "CONFIG" });
    await expect(signCard(sampleCard(), { ...signing, alg: "HS256" })).rejects.toThrow("algorithm HS256");
    await expect(signCard(sampleCard(), { ...signing, alg: "none" })).rejects.toThrow("algorithm none");
  });

  it("names the JWKS where it is told to (A2A-8.4.2-c)", async () => {
    const { signing } = await testKey();
    const jku = "https://agent.example.com/.well-known/jwks.json";
    const own = await signCard(sampleCard(), signing, { jku });
    const fromKeys = await signCard(sampleCard(), openKeys({ signing: [signing], url: jku }));
    for (const { signatures } of [own, fromKeys]) {
      expect(signatures.map((one) => decodeProtectedHeader(one)["jku"])).toEqual([jku]);
    }
  });

  it.each(["ES256", "ES384", "EdDSA", "RS256", "PS256"])(
    "with %s is a JWS that jose verifies by itself, base64url without padding (A2A-8.4-a, A2A-8.4.2-d)",
    async (alg) => {
      const { signing, published } = await testKey("k1", alg);
      const { signatures } = await signCard(sampleCard(), signing);
      const [one] = signatures;
      expect(JSON.stringify(one)).not.toMatch(/[=+/]/);
      const payload = base64url(canonicalCard(sampleCard()));
      const key = await importJWK(published, alg);
      const jws = { protected: one?.protected ?? "", signature: one?.signature ?? "", payload };
      expect(new TextDecoder().decode((await flattenedVerify(jws, key)).payload)).toBe(
        canonicalCard(sampleCard()),
      );
      await expect(compactVerify(`${jws.protected}.${payload}.${jws.signature}`, key)).resolves.toBeDefined();
    },
  );

  it("gives the same signature for the same card, whatever its order and its unset members (A2A-8.4.2-e)", async () => {
    const { pem } = await testKey("k1", "RS256");
    const key = { kid: "k1", alg: "RS256", key: pem };
    const card = sampleCard();
    const reordered = Object.fromEntries(Object.entries(card).reverse());
    const one = await signCard(card, key);
    const other = await signCard({ ...reordered, securityRequirements: [] }, key);
    expect(other.signatures).toEqual(one.signatures);
  });

  it("adds one signature for each key to those that are there (A2A-8.4.3-f)", async () => {
    const [first, second] = [await testKey("a"), await testKey("b", "EdDSA")];
    const once = await signCard(sampleCard(), first.signing);
    const twice = await signCard(once, [second.signing, openKeys({ signing: [first.signing] })]);
    expect(twice.signatures.map((one) => decodeProtectedHeader(one).kid)).toEqual(["a", "b", "a"]);
    const result = await verifyCard(twice, { keys: [second.published] });
    expect(result.verified).toBe(true);
    expect(result.signatures.map((one) => one.verified)).toEqual([false, true, false]);
  });

  it("carries unprotected parameters, which change nothing (A2A-8.4.2-f)", async () => {
    const { signing, published } = await testKey();
    const signed = await signCard(sampleCard(), signing, { header: { note: "hello" } });
    expect(signed.signatures[0]?.header).toEqual({ note: "hello" });
    const [signature] = signed.signatures;
    const changed = { ...signed, signatures: [{ ...signature, header: { note: "bye" } }] };
    expect((await verifyCard(changed, { keys: [published] })).verified).toBe(true);
  });
});
