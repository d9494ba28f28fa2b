import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { keyResolver, type KeyResolverOptions } from "../../src/card/key-resolver.js";
import { signCard } from "../../src/card/sign-card.js";
import { verifyCard } from "../../src/card/verify-card.js";
import { testKey } from "./keys.js";
import { sampleCard } from "./sample.js";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** A host of keys on a real socket. */
async function host(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ origin: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => (server.closeAllConnections(), server.close()) });
  return { origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, requests };
}

/** What is said of a card that points to a JWKS. */
async function check(jku: string, options: KeyResolverOptions): Promise<string> {
  const { signing } = await testKey();
  const signed = await signCard(sampleCard(), signing, { jku });
  const [one] = (await verifyCard(signed, { resolver: keyResolver(options) })).signatures;
  return one === undefined || one.verified ? "verified" : one.message;
}

describe("keys of a JWKS that a signature points to", () => {
  it("are not fetched for more signatures than a card has reason to carry", async () => {
    const { signing, published } = await testKey();
    const { origin, requests } = await host((_, response) => response.end(JSON.stringify({ keys: [] })));
    let card = await signCard(sampleCard(), signing);
    const own = card.signatures ?? [];
    const pointing = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const other = { ...signing, kid: `k${String(n + 2)}` };
        const signed = await signCard(sampleCard(), other, { jku: `${origin}/${String(n)}` });
        return signed.signatures ?? [];
      }),
    );
    card = { ...card, signatures: [...own, ...pointing.flat()] };
    const resolver = keyResolver({ keys: [published], jku: { allow: [origin] } });
    const { verified, signatures } = await verifyCard(card, { resolver });
    expect(verified).toBe(true);
    expect(signatures).toHaveLength(101);
    expect(signatures.at(-1)).toMatchObject({ verified: false, index: 100, reason: "MALFORMED" });
    expect(requests).toHaveLength(31);
    const late = { ...card, signatures: card.signatures.toReversed() };
    expect((await verifyCard(late, { resolver, maxSignatures: 100 })).verified).toBe(false);
  });

  it("are fetched from an origin that is allowed, once, and again when a key is new (A2A-8.4.3-c)", async () => {
    const [first, second] = [await testKey("a"), await testKey("b")];
    const keys = [first.published];
    const { origin, requests } = await host((_, response) => response.end(JSON.stringify({ keys })));
    let now = 0;
    const resolver = keyResolver({ jku: { allow: [origin] }, now: () => now });
    const jku = `${origin}/jwks.json`;
    const verified = async ({ signing }: typeof first): Promise<boolean> =>
      (await verifyCard(await signCard(sampleCard(), signing, { jku }), { resolver })).verified;
    expect([await verified(first), await verified(first)]).toEqual([true, true]);
    expect(requests).toEqual(["/jwks.json"]);
    // A key that is not there is no reason to ask again at once.
    expect(await verified(second)).toBe(false);
    expect(requests).toHaveLength(1);
    keys.push(second.published);
    now = 30_000;
    expect(await verified(second)).toBe(true);
    expect(requests).toHaveLength(2);
    now = 400_000;
    expect(await verified(first)).toBe(true);
    expect(requests).toHaveLength(3);
  });

  it("are fetched anew after a failure, and once for all fragments of a URL; so many documents are kept", async () => {
    const { signing, published } = await testKey();
    let down = true;
    const { origin, requests } = await host((_, response) => {
      response.writeHead(down ? 500 : 200).end(JSON.stringify({ keys: [published] }));
    });
    const resolver = keyResolver({ jku: { allow: [origin] }, now: () => 0 });
    const verified = async (path: string): Promise<boolean> =>
      (await verifyCard(await signCard(sampleCard(), signing, { jku: origin + path }), { resolver }))
        .verified;
    expect(await verified("/jwks.json")).toBe(false);
    down = false;
    expect([await verified("/jwks.json"), await verified("/jwks.json#a")]).toEqual([true, true]);
    expect(requests).toHaveLength(2);
    for (let i = 0; i < 99; i += 1) expect(await verified(`/${String(i)}`)).toBe(true);
    await verified("/jwks.json");
    expect(requests).toHaveLength(101);
    // One more, and the first is forgotten.
    await verified("/99");
    await verified("/jwks.json");
    expect(requests.slice(101)).toEqual(["/99", "/jwks.json"]);
  });

  it("are never fetched from elsewhere (A2A-8.4.3-c)", async () => {
    const { origin, requests } = await host((_, response) => response.end('{"keys":[]}'));
    const elsewhere = "its jku is not of an origin that is allowed, so it was not fetched";
    const allow = ["https://agent.example.com"];
    expect(await check(`${origin}/jwks.json`, { jku: { allow } })).toContain(elsewhere);
    expect(await check("not a url", { jku: { allow } })).toContain(elsewhere);
    expect(await check("http://agent.example.com/jwks.json", { jku: { allow } })).toContain(elsewhere);
    expect(await check("https://agent.example.com:444/", { jku: { allow } })).toContain(elsewhere);
    expect(await check("https://u:p@agent.example.com/", { jku: { allow } })).toContain(elsewhere);
    expect(await check(`${origin}/jwks.json`, {})).toContain("is not a trusted one");
    expect(requests).toEqual([]);
  });

  it("are not fetched through a redirect, nor in any size, nor for ever", async () => {
    const { origin, requests } = await host((request, response) => {
      if (request.url === "/redirect") response.writeHead(302, { location: "/keys" }).end();
      else if (request.url === "/large") response.end(JSON.stringify({ keys: [], more: "x".repeat(70_000) }));
      else if (request.url === "/text") response.end("<html>");
      else if (request.url === "/list") response.end("[]");
      else if (request.url === "/gone") response.writeHead(404).end();
      // Everything else is never answered.
    });
    const ask = (path: string, more: Partial<KeyResolverOptions> = {}): Promise<string> =>
      check(origin + path, { jku: { allow: [origin] }, ...more });
    expect(await ask("/redirect")).toContain("answered with status 302");
    expect(await ask("/large")).toContain("is longer than 65536 bytes");
    expect(await ask("/large", { maxBytes: 100_000 })).toContain("is not a trusted one");
    expect(await ask("/text")).toContain("is no JSON");
    expect(await ask("/list")).toContain("has no list of keys");
    expect(await ask("/gone")).toContain("answered with status 404");
    expect(await ask("/silent", { timeoutMs: 50 })).toContain("has key k1");
    expect(requests).not.toContain("/keys");
  });

  it("of the caller's own come first, and need no network", async () => {
    const { signing, published } = await testKey();
    const { origin, requests } = await host((_, response) => response.end('{"keys":[]}'));
    const signed = await signCard(sampleCard(), signing, { jku: `${origin}/jwks.json` });
    const resolver = keyResolver({ keys: { keys: [published] }, jku: { allow: [origin] } });
    expect((await verifyCard(signed, { resolver })).verified).toBe(true);
    expect(requests).toEqual([]);
  });

  it.each(["http://agent.example.com", "https://agent.example.com/keys", "agent.example.com", "file:///etc"])(
    "refuses to allow %s (A2A-8.4.3-c)",
    (origin) => {
      expect(() => keyResolver({ jku: { allow: [origin] } })).toThrow(`jku.allow: ${origin}`);
    },
  );
});
