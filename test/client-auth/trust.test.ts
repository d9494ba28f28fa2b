/** Cards that are believed: signatures before anything in them is used, and addresses that may be called. */
import { describe, expect, it } from "vitest";
import { cardVerifier, keyResolver, signCard } from "../../src/card.js";
import { connect } from "../../src/client.js";
import { networkGuard } from "../../src/node.js";
import { serve } from "../../src/server.js";
import { testKey } from "../card/keys.js";
import { failure, listen, reply, type TestServer } from "../client/support.js";
import { agentOf, quiet } from "../server/agents.js";

const card = (url: string, more: object = {}) => ({
  name: "A",
  description: "d",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "s", name: "S", description: "d", tags: ["t"] }],
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  ...more,
});

/** Serves what `make` says as its card. */
const serving = (make: (url: string) => object): Promise<TestServer> =>
  listen((seen, response) => {
    reply(response, make(`http://${String(seen.headers.host)}`));
  });

describe("signatures", () => {
  it("our own server's card is valid", async () => {
    const { signing, published } = await testKey();
    await using server = await serve(
      agentOf(async () => "ok"),
      { port: 0, logger: quiet, keys: { signing: [signing] } },
    );
    const verify = cardVerifier(keyResolver({ keys: [published] }));
    await using agent = await connect(server.url, { verify });
    expect(agent.signature).toBe("valid");
    expect((await agent.send("x")).text()).toBe("ok");
    await using careless = await connect(server.url);
    expect(careless.signature).toBe("unverified");
  });

  it("a card that was changed is refused before it is used, whatever is accepted", async () => {
    const { signing, published } = await testKey();
    const verify = cardVerifier({ keys: [published] });
    await using elsewhere = await listen((_, response) => {
      reply(response, {});
    });
    const signed = await signCard(card("https://agent.example.com"), signing);
    const forged = { ...signed, supportedInterfaces: card(elsewhere.url).supportedInterfaces };
    await using server = await serving(() => forged);
    for (const unsigned of ["accept", "refuse"] as const) {
      const error = await failure(connect(server.url, { verify, unsigned }));
      expect(error.reason).toBe("CARD_NOT_TRUSTED");
      expect(error.message).toContain("was not made over this card by key k1");
    }
    expect(elsewhere.seen).toHaveLength(0);
  });

  it("without signature, or by keys that are not known: refused, or marked where that is accepted (A2A-8.4.3-b)", async () => {
    const { published } = await testKey();
    const other = await testKey("other");
    const verify = cardVerifier({ keys: [published] });
    await using bare = await serving((url) => card(url));
    expect((await failure(connect(bare.url, { verify }))).message).toContain("has no signature");
    expect((await connect(bare.url, { verify, unsigned: "accept" })).signature).toBe("none");
    const signed = await signCard(card("https://agent.example.com"), other.signing);
    const error = await failure(connect(signed, { verify }));
    expect(error.reason).toBe("CARD_NOT_TRUSTED");
    expect(error.message).toContain("key other, which is not a trusted one");
    expect((await connect(signed, { verify, unsigned: "accept" })).signature).toBe("unverified");
    expect((await failure(connect(bare.url, { unsigned: "refuse" }))).reason).toBe("CONFIG");
  });

  it("what the form of the SDKs does not cover is not used", async () => {
    const { signing, published } = await testKey();
    const signed = await signCard(card("https://agent.example.com"), signing, { form: "sdk" });
    // Members of an older layout: that form does not know them, and `connect` would.
    const added = {
      ...signed,
      url: "https://evil.example.com",
      preferredTransport: "JSONRPC",
      protocolVersion: "0.3.0",
    };
    const careless = await connect(added);
    expect(careless.interfaces.map(({ url }) => url)).toContain("https://evil.example.com");
    const agent = await connect(added, { verify: cardVerifier({ keys: [published], form: "sdk" }) });
    expect(agent.signature).toBe("valid");
    expect(agent.interfaces.map(({ url }) => url)).toEqual(["https://agent.example.com"]);
    const error = await failure(connect(added, { verify: cardVerifier({ keys: [published] }) }));
    expect(error.reason).toBe("CARD_NOT_TRUSTED");
  });
});

describe("signatures of extended cards", () => {
  /** An agent whose public card is signed, and which answers with this extended one. */
  const withExtended = (publicCard: (url: string) => Promise<object>, extended: () => object) =>
    listen(async (seen, response) => {
      const url = `http://${String(seen.headers.host)}`;
      if (seen.method === "GET") reply(response, await publicCard(url));
      else reply(response, { jsonrpc: "2.0", id: seen.json.id, result: extended() });
    });
  const more = { capabilities: { extendedAgentCard: true } };

  it("are verified as those of the public one: a valid one takes its place (A2A-14.3-d, A2A-13.3-j)", async () => {
    const { signing, published } = await testKey();
    let extended: object = {};
    await using server = await withExtended(
      (url) => signCard(card(url, more), signing),
      () => extended,
    );
    extended = await signCard(card("https://elsewhere.example.com", { description: "For you." }), signing);
    await using agent = await connect(server.url, { verify: cardVerifier({ keys: [published] }) });
    const before = agent.interface;
    expect((await agent.extendedCard()).description).toBe("For you.");
    expect([agent.card.description, agent.signature]).toEqual(["For you.", "valid"]);
    expect(agent.document).toEqual(extended);
    expect(agent.interface).toBe(before);
  });

  it("that are wrong, missing or of unknown keys are refused, and the public card stays", async () => {
    const { signing, published } = await testKey();
    const other = await testKey("other");
    const signed = await signCard(card("https://a.example.com"), signing);
    const strange = await signCard(card("https://a.example.com"), other.signing);
    let extended: object = {};
    await using server = await withExtended(
      (url) => signCard(card(url, more), signing),
      () => extended,
    );
    const verify = cardVerifier({ keys: [published] });
    await using strict = await connect(server.url, { verify });
    await using lax = await connect(server.url, { verify, unsigned: "accept" });
    const cases = [
      [{ ...signed, description: "Forged." }, undefined],
      [card("https://a.example.com"), "none"],
      [strange, "unverified"],
    ] as const;
    for (const [one, accepted] of cases) {
      extended = one;
      const error = await failure(strict.extendedCard());
      expect(error.reason).toBe("CARD_NOT_TRUSTED");
      expect((await failure(strict.getExtendedAgentCard())).reason).toBe("CARD_NOT_TRUSTED");
      expect([strict.card.description, strict.signature]).toEqual(["d", "valid"]);
      if (accepted === undefined) expect((await failure(lax.extendedCard())).reason).toBe("CARD_NOT_TRUSTED");
      else {
        await lax.extendedCard();
        expect(lax.signature).toBe(accepted);
      }
    }
  });

  it("of agents of 0.3 and of 0.2 too", async () => {
    const { signing, published } = await testKey();
    for (const protocolVersion of ["0.3", "0.2"]) {
      await using server = await listen((seen, response) => {
        const forged = {
          ...card("https://a.example.com"),
          signatures: [{ protected: "e30", signature: "AA" }],
        };
        if (seen.method === "GET") reply(response, forged);
        else reply(response, { jsonrpc: "2.0", id: seen.json.id, result: forged });
      });
      const supportedInterfaces = [{ url: server.url, protocolBinding: "JSONRPC", protocolVersion }];
      const signed = await signCard(card("", { supportedInterfaces }), signing);
      await using agent = await connect(signed, { verify: cardVerifier({ keys: [published] }) });
      expect(agent.protocolVersion).toBe(protocolVersion);
      expect((await failure(agent.extendedCard())).reason).toBe("CARD_NOT_TRUSTED");
    }
  });

  it("our own server signs the extended card, too", async () => {
    const { signing, published } = await testKey();
    await using server = await serve(
      agentOf(async () => "ok"),
      {
        port: 0,
        logger: quiet,
        keys: { signing: [signing] },
        extendedCard: card("https://a.example.com", more),
        allowPublicExtendedCard: true,
      },
    );
    const verify = cardVerifier(keyResolver({ keys: [published] }));
    await using agent = await connect(server.url, { verify });
    await agent.extendedCard();
    expect(agent.signature).toBe("valid");
  });
});

describe("a guard", () => {
  it("refuses a card at a private address, before anything is sent", async () => {
    await using server = await serving((url) => card(url));
    await using guard = networkGuard();
    for (const url of [server.url, server.url.replace("127.0.0.1", "localhost")]) {
      expect((await failure(connect(url, { guard }))).reason).toBe("FORBIDDEN_TARGET");
    }
    expect(server.seen).toHaveLength(0);
    expect((await failure(connect(server.url, { guard, fetch }))).reason).toBe("CONFIG");
  });

  it("refuses interfaces at private addresses, by number and by name; takes the others", async () => {
    const lookup = async (name: string) => [
      { address: name === "inside.example.com" ? "10.1.2.3" : "203.0.113.7", family: 4 },
    ];
    await using server = await serving(() => card("http://169.254.169.254/latest"));
    await using guard = networkGuard({ allow: [new URL(server.url).origin, "203.0.113.0/24"], lookup });
    const error = await failure(connect(server.url, { guard }));
    expect(error.reason).toBe("NO_COMPATIBLE_INTERFACE");
    expect(error.message).toContain("must be a public address");
    const two = card("http://inside.example.com/a2a", {});
    two.supportedInterfaces.push({
      url: "http://outside.example.com/a2a",
      protocolBinding: "JSONRPC",
      protocolVersion: "1.0",
    });
    const agent = await connect(two, { guard });
    expect(agent.interfaces.map(({ usable }) => usable)).toEqual([false, true]);
    expect(agent.interface.url).toBe("http://outside.example.com/a2a");
  });

  it("a name that changes its mind gains nothing", async () => {
    await using server = await listen((_, response) => {
      reply(response, {});
    });
    const { port } = new URL(server.url);
    let asked = 0;
    const lookup = async () => [{ address: asked++ === 0 ? "8.8.8.8" : "127.0.0.1", family: 4 }];
    await using guard = networkGuard({ lookup });
    const agent = await connect(card(`http://rebind.example.com:${port}/`), { guard, retry: false });
    expect((await failure(agent.send("x"))).reason).toBe("FORBIDDEN_TARGET");
    expect(server.seen).toHaveLength(0);
  });

  it("lets pass what is allowed", async () => {
    await using server = await serve(
      agentOf(async () => "ok"),
      { port: 0, logger: quiet },
    );
    await using guard = networkGuard({ allow: ["127.0.0.0/8"] });
    await using agent = await connect(server.url, { guard });
    expect((await agent.send("x")).text()).toBe("ok");
  });
});
