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
