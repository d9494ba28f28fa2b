// An agent that signs its card, and a reader that verifies it, in one process: npx tsx examples/signed-card.ts
import { exportPKCS8, generateKeyPair } from "jose";
import { keyResolver, verifyCard } from "a2a-typed/card";
import { defineAgent, serve } from "a2a-typed/server";

const agent = defineAgent({
  card: { name: "Notary", description: "Stands by what it says.", skills: [] },
  handle: async () => "signed",
});

// A key that lasts; here it is made anew.
const { privateKey } = await generateKeyPair("ES256", { extractable: true });
const pem = await exportPKCS8(privateKey);

// #region sign
await using server = await serve(agent, {
  port: 0,
  keys: { signing: [{ kid: "2030-01", alg: "ES256", key: pem }] },
});
// #endregion sign

// #region verify
const reply = await fetch(`${server.url}/.well-known/agent-card.json`, {
  headers: { "A2A-Version": "1.0" },
});
const card = (await reply.json()) as { name: string };

// Whose keys count is for the reader to say, not for the card.
const resolver = keyResolver({ jku: { allow: [new URL(server.url).origin] } });
const { verified, signatures } = await verifyCard(card, { resolver });
for (const one of signatures) {
  console.log(card.name, one.verified ? `is signed with ${one.kid}` : `${one.reason}: ${one.message}`);
}

const forged = await verifyCard({ ...card, name: "Bank" }, { resolver });
console.log(verified, forged.verified); // true false
// #endregion verify
