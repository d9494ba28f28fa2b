import {
  type AgentCard,
  canonicalizeAgentCard,
  generateAgentCardSignature,
  verifyAgentCardSignature,
} from "@a2a-js/sdk";
import { importJWK } from "jose";
import { describe, expect, it } from "vitest";
import { canonicalCard } from "../../src/card/canonical-card.js";
import { signCard } from "../../src/card/sign-card.js";
import { verifyCard } from "../../src/card/verify-card.js";
import { testKey } from "./keys.js";
import { plainCard, sampleCard } from "./sample.js";

/** As the SDK takes cards that came over the wire: plain JSON. */
const theirs = (card: object): AgentCard => JSON.parse(JSON.stringify(card)) as AgentCard;

/** A card where the two forms differ. */
const awkward = (): object => ({ ...sampleCard(), description: "", iconUrl: "", "x-vendor": 1 });

describe("the SDKs' form", () => {
  it.each([plainCard(), sampleCard(), awkward(), { ...plainCard(), description: "größer, 1 €" }])(
    "of card %# is the text that @a2a-js/sdk makes",
    (card) => {
      expect(canonicalCard(card, "sdk")).toBe(canonicalizeAgentCard(theirs(card)));
    },
  );

  it("signed by @a2a-js/sdk verifies here where it is asked for, and only there", async () => {
    const { signing, published } = await testKey();
    const key = await importJWK(signing.key, "ES256");
    const sign = generateAgentCardSignature(key as CryptoKey, { alg: "ES256", kid: "k1", typ: "JOSE" });
    const signed = await sign(theirs(awkward()));
    const keys = [published];
    expect((await verifyCard(signed, { keys })).verified).toBe(false);
    const { verified, signatures } = await verifyCard(signed, { keys, form: ["spec", "sdk"] });
    expect([verified, signatures[0]?.verified === true && signatures[0].form]).toEqual([true, "sdk"]);
    // Where both forms are the same text, that of the specification is what was signed.
    const plain = await sign(theirs(plainCard()));
    expect((await verifyCard(plain, { keys })).verified).toBe(true);
  });

  it("signed here verifies with @a2a-js/sdk", async () => {
    const { signing, published } = await testKey();
    const verify = verifyAgentCardSignature(async () => (await importJWK(published, "ES256")) as CryptoKey);
    await expect(
      verify(theirs(await signCard(awkward(), signing, { form: "sdk" }))),
    ).resolves.toBeUndefined();
    await expect(verify(theirs(await signCard(plainCard(), signing)))).resolves.toBeUndefined();
    await expect(verify(theirs(await signCard(awkward(), signing)))).rejects.toThrow("No valid signatures");
  });

  it("with everything but ASCII escaped, as the Python SDK has it, verifies too", async () => {
    const { signing, published } = await testKey();
    const card = { ...plainCard(), name: "größer \u{1f600}" };
    const escaped = canonicalCard(card, "sdk").replace(
      "größer \u{1f600}",
      "gr\\u00f6\\u00dfer \\ud83d\\ude00",
    );
    const { openKeys } = await import("../../src/keys/open-keys.js");
    const signature = await openKeys({ signing: [signing] }).sign(new TextEncoder().encode(escaped));
    const signed = { ...card, signatures: [signature] };
    expect((await verifyCard(signed, { keys: [published], form: "sdk" })).verified).toBe(true);
    expect((await verifyCard(signed, { keys: [published] })).verified).toBe(false);
  });
});
