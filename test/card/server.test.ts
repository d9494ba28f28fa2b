/** Cards of a server: signed, with their keys beside them, and the extended card over both bindings. */
import { describe, expect, it } from "vitest";
import { verifyCard } from "../../src/card/verify-card.js";
import { keyResolver } from "../../src/card/key-resolver.js";
import { bearer } from "../../src/auth.js";
import { A2AError } from "../../src/errors.js";
import { createServer, serve, type ServeOptions } from "../../src/server.js";
import { agentOf, quiet, skill } from "../server/agents.js";
import { bindings, errorOf, host, reasonOf } from "../rules/support.js";
import { testKey } from "./keys.js";

const CARD = "/.well-known/agent-card.json";
const JWKS = "/.well-known/jwks.json";
const card = {
  name: "T",
  description: "d",
  skills: [skill],
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
};
const agent = (more: object = {}) => agentOf(async () => "ok", { card: { ...card, ...more } });
const start = (options: Partial<ServeOptions> = {}, more: object = {}) =>
  serve(agent(more), { port: 0, logger: quiet, ...options });
const get = (url: string, headers: Record<string, string> = {}): Promise<Response> => fetch(url, { headers });

/** The principal is the bearer token; none is refused. */
const auth: NonNullable<ServeOptions["auth"]> = ({
  headers,
}: {
  headers: Readonly<Record<string, string | undefined>>;
}) => {
  const [, token] = (headers["authorization"] ?? "").split(" ");
  if (token === undefined) throw new A2AError("UNAUTHENTICATED", "Who are you?", { status: 401 });
  return { principal: token };
};

describe("a server with keys", () => {
  it("signs its card, which verifies with the keys that it serves (A2A-8.4-a, A2A-8.4.1-a, A2A-8.4.2-a)", async () => {
    const { signing, pem } = await testKey("now");
    const retired = await testKey("before");
    const signingPem = { ...signing, key: pem };
    await using server = await start({ keys: { signing: [signingPem], published: [retired.published] } });
    const text = await (await get(server.url + CARD, { "A2A-Version": "1.0" })).text();
    const allow = [new URL(server.url).origin];
    const result = await verifyCard(JSON.parse(text) as object, {
      resolver: keyResolver({ jku: { allow } }),
    });
    expect(result.verified).toBe(true);
    // Signed once: ES256 never makes the same signature twice.
    expect(await (await get(server.url + CARD, { "A2A-Version": "1.0" })).text()).toBe(text);
    expect(await (await get(server.url + CARD)).json()).not.toHaveProperty("signatures");

    const keys = await get(server.url + JWKS);
    expect(keys.headers.get("content-type")).toBe("application/jwk-set+json");
    expect(keys.headers.get("cache-control")).toBe("public, max-age=3600");
    const body = await keys.text();
    expect(JSON.parse(body)).toMatchObject({
      keys: [{ kid: "now", alg: "ES256", use: "sig" }, { kid: "before" }],
    });
    expect(body).not.toContain('"d"');
    expect((await get(server.url + JWKS, { "if-none-match": keys.headers.get("etag") ?? "" })).status).toBe(
      304,
    );
    const head = await fetch(server.url + JWKS, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(body.length),
      "",
    ]);
    expect((await fetch(server.url + JWKS, { method: "POST" })).status).toBe(405);
  });

  it("serves a card that brings its own signatures as it is; without keys there is no JWKS", async () => {
    const { signing } = await testKey();
    const signatures = [{ protected: "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ", signature: "c2ln" }];
    await using server = await start({ keys: { signing: [signing] }, versions: ["1.0"] }, { signatures });
    expect(await (await get(server.url + CARD)).json()).toMatchObject({ signatures });
    await using bare = await start();
    expect((await get(bare.url + JWKS)).status).toBe(404);
    expect(await (await get(bare.url + CARD, { "A2A-Version": "1.0" })).json()).not.toHaveProperty(
      "signatures",
    );
  });

  it("does not start with a key that cannot be read, and does not show it", async () => {
    const { signing } = await testKey("k9");
    const { d } = signing.key;
    const failed = start({ keys: { signing: [{ ...signing, alg: "ES384" }] } });
    await expect(failed).rejects.toMatchObject({ reason: "CONFIG" });
    const message = await failed.then(String, String);
    expect(message).toContain("k9");
    expect(message).not.toContain(d ?? "-");
    await expect(start({ keys: { signing: [{ ...signing, alg: "HS256" }] } })).rejects.toThrow(
      "algorithm HS256",
    );
    const published = [{ ...signing.key, kid: "old" }];
    await expect(start({ keys: { signing: [signing], published } })).rejects.toThrow(
      "holds its private part",
    );
  });
});

describe.each(bindings)("the extended card over %s", (binding) => {
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const extendedCard: NonNullable<ServeOptions["extendedCard"]> = ({ context }) => {
    if (context.principal === "guest")
      throw new A2AError("PERMISSION_DENIED", "Not for guests", { status: 403 });
    const more = { ...skill, id: `for-${String(context.principal)}` };
    return {
      ...card,
      version: "1",
      capabilities: { extendedAgentCard: true },
      supportedInterfaces: [],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [skill, more],
    };
  };

  it("is for callers who authenticate, and depends on who they are (A2A-3.1.11-a, A2A-3.1.11-c, A2A-13.3-a, A2A-13.3-c, A2A-13.3-d, A2A-13.3-i, A2A-14.3-e)", async () => {
    const { signing, published } = await testKey();
    const keys = { signing: [signing] as const };
    await using on = await host(binding, agent(), { auth, extendedCard, keys });
    const anonymous = await on.call("GetExtendedAgentCard", {});
    expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await on.call("GetExtendedAgentCard", {}, as("guest"))).status).toBe(403);
    expect(errorOf(await on.call("GetExtendedAgentCard", {}, as("guest"))).message).toBe("Not for guests");
    const [ann, bob] = [
      await on.call("GetExtendedAgentCard", {}, as("ann")),
      await on.call("GetExtendedAgentCard", {}, as("bob")),
    ];
    const ids = ({ result }: typeof ann): unknown =>
      (result as { skills: { id: string }[] }).skills.map(({ id }) => id);
    expect([ids(ann), ids(bob)]).toEqual([
      [skill.id, "for-ann"],
      [skill.id, "for-bob"],
    ]);
    expect((await verifyCard(ann.result as object, { keys: [published] })).verified).toBe(true);
    expect((await on.call("GetExtendedAgentCard", {}, as("ann"))).result).toEqual(ann.result);
  });

  it("has the schemes that are checked, as the public card has (A2A-13.3-c)", async () => {
    const schemes = { token: bearer({ ann: { principal: "ann" } }) };
    const { securitySchemes: _, ...open } = card;
    const modes = { defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] };
    const given = { ...open, ...modes, version: "1", capabilities: {}, supportedInterfaces: [] };
    const bare = agentOf(async () => "ok", { card: open });
    await using on = await host(binding, bare, { auth: { schemes }, extendedCard: given });
    const said = await on.ok("GetExtendedAgentCard", {}, as("ann"));
    const published = await (await get(on.url + CARD, { "a2a-version": "1.0" })).json();
    expect(said).toMatchObject({
      securitySchemes: { token: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { token: { list: [] } } }],
    });
    for (const name of ["securitySchemes", "securityRequirements", "supportedInterfaces"]) {
      expect(said[name]).toEqual((published as Record<string, unknown>)[name]);
    }
    const other = { other: { httpAuthSecurityScheme: { scheme: "bearer" } } };
    const wrong = { ...given, securitySchemes: other };
    expect(() => createServer(bare, { logger: quiet, auth: { schemes }, extendedCard: wrong })).toThrow(
      /^extendedCard: card: securitySchemes\.other has no authenticator/,
    );
    // One that is made for a caller is the agent's fault, and its details stay inside.
    await using made = await host(binding, bare, { auth: { schemes }, extendedCard: () => wrong });
    const failed = await made.call("GetExtendedAgentCard", {}, as("ann"));
    expect(errorOf(failed).message).not.toContain("authenticator");
  });

  it("is UnsupportedOperation without the flag, NotConfigured without a card (A2A-3.1.11-e, A2A-3.1.11-f, A2A-13.3-b)", async () => {
    await using off = await host(binding, agent(), { auth });
    expect(reasonOf(await off.call("GetExtendedAgentCard", {}, as("ann")))).toBe("UNSUPPORTED_OPERATION");
    await using none = await host(binding, agent({ capabilities: { extendedAgentCard: true } }), { auth });
    expect(reasonOf(await none.call("GetExtendedAgentCard", {}, as("ann")))).toBe(
      "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    );
  });

  it("is kept by no shared cache; another card has another tag (A2A-13.3-e, A2A-13.3-f)", async () => {
    await using on = await host(binding, agent(), { auth, extendedCard });
    const [ann, bob] = [
      await on.call("GetExtendedAgentCard", {}, as("ann")),
      await on.call("GetExtendedAgentCard", {}, as("bob")),
    ];
    if (binding === "JSONRPC") {
      // The answer to a POST is kept by nobody.
      expect(ann.headers.get("etag")).toBeNull();
      return;
    }
    expect(ann.headers.get("cache-control")).toBe("private, no-cache");
    expect(ann.headers.get("vary")).toContain("Authorization");
    const tag = ann.headers.get("etag") ?? "";
    expect(bob.headers.get("etag")).not.toBe(tag);
    const again = await fetch(`${on.url}/extendedAgentCard`, {
      headers: { ...as("ann"), "a2a-version": "1.0", "if-none-match": tag },
    });
    expect(again.status).toBe(304);
  });
});
