/** The card of a server of several versions: which document is at which path for whom. */
import { afterEach, describe, expect, it } from "vitest";
import * as v02 from "../../../generated/v0.2/index.js";
import { isAgentCard as isCard03 } from "../../../generated/v0.3/validators.js";
import * as v03 from "../../../generated/v0.3/index.js";
import * as v10 from "../../../generated/v1.0/index.js";
import type { ServiceDescriptor } from "../../../src/descriptor.js";
import { A2AError } from "../../../src/errors.js";
import { defineAgent, serve, type RunningServer, type ServeOptions } from "../../../src/server.js";
import { ask, type Answer } from "../../rpc/support.js";
import { agentOf, quiet, skill } from "../agents.js";
import { strays } from "./stray.js";

const open: RunningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const signatures = [{ protected: "eyJhbGciOiJFUzI1NiJ9", signature: "c2ln" }];
const card = {
  name: "Test",
  description: "An agent under test",
  skills: [{ ...skill, securityRequirements: [{ schemes: { bearer: { list: ["run"] } } }] }],
  capabilities: { streaming: true },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "bearer" } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  signatures,
};

async function start(options: Partial<ServeOptions> = {}, more: object = {}): Promise<RunningServer> {
  const server = await serve(
    agentOf(async () => "ok", { card: { ...card, ...more } }),
    { port: 0, logger: quiet, ...options },
  );
  open.push(server);
  return server;
}

const CURRENT = "/.well-known/agent-card.json";
const LEGACY = "/.well-known/agent.json";
const get = (server: RunningServer, path = CURRENT, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(server, path, { headers });
const as = (version: string) => ({ "A2A-Version": version });
const foreign = ({ card: { table } }: ServiceDescriptor, json: unknown): string[] => strays(table, json);

describe("all versions", () => {
  it("publish a card for both generations at both paths, at the origin and below the base", async () => {
    const server = await start({ basePath: "/agents/test" });
    const { url } = server;
    const hybrid = (await get(server)).json;
    for (const path of [LEGACY, `/agents/test${CURRENT}`, `/agents/test${LEGACY}`]) {
      expect((await get(server, path)).json).toEqual(hybrid);
    }
    expect(hybrid).toMatchObject({
      supportedInterfaces: [
        { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
        { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
        { url, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
      ],
      url,
      preferredTransport: "JSONRPC",
      protocolVersion: "0.3.0",
      additionalInterfaces: [{ url, transport: "HTTP+JSON" }],
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
      security: [{ bearer: [] }],
      securitySchemes: {
        bearer: { httpAuthSecurityScheme: { scheme: "bearer" }, type: "http", scheme: "bearer" },
      },
      skills: [
        {
          id: "s",
          securityRequirements: [{ schemes: { bearer: { list: ["run"] } } }],
          security: [{ bearer: ["run"] }],
        },
      ],
    });
    // They cover another document.
    expect(hybrid.signatures).toBeUndefined();
    expect(isCard03(hybrid)).toBe(true);
  });

  it("give the clean card of the version that is named, in header or query", async () => {
    const server = await start();
    const newest = (await get(server, CURRENT, as("1.0"))).json;
    expect(foreign(v10.A2A, newest)).toEqual([]);
    expect(newest).toEqual(server.card);
    expect(newest.signatures).toEqual(signatures);
    expect((await get(server, `${CURRENT}?A2A-Version=1.0.1`)).json).toEqual(newest);
    const legacy = (await get(server, CURRENT, as("0.3"))).json;
    expect(foreign(v03.A2A, legacy)).toEqual([]);
    expect(legacy).toMatchObject({ url: server.url, protocolVersion: "0.3.0", security: [{ bearer: [] }] });
    const oldest = (await get(server, LEGACY, as("0.2.5"))).json;
    expect(foreign(v02.A2A, oldest)).toEqual([]);
    expect(oldest).toMatchObject({ url: server.url, protocolVersion: expect.stringMatching(/^0\.2/) });
    // The newest says what is served.
    expect((await get(server, CURRENT, as("9.0"))).json).toEqual(newest);
  });

  it("have a tag for each document, and 304 and HEAD for all", async () => {
    const server = await start();
    const replies = [await get(server)];
    for (const version of ["1.0", "0.3", "0.2"]) replies.push(await get(server, CURRENT, as(version)));
    const tags = replies.map(({ headers }) => headers.etag ?? "");
    expect(new Set(tags).size).toBe(4);
    for (const reply of replies) expect(reply.headers.vary).toBe("A2A-Version");
    const [hybrid = "", newest = ""] = tags;
    expect(await get(server, CURRENT, { "if-none-match": hybrid })).toMatchObject({ status: 304, text: "" });
    expect((await get(server, CURRENT, { ...as("1.0"), "if-none-match": hybrid })).status).toBe(200);
    expect((await get(server, CURRENT, { ...as("1.0"), "if-none-match": newest })).status).toBe(304);
    const head = await ask(server, LEGACY, { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers.etag).toBe(hybrid);
    expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(replies[0]?.text ?? "")));
  });

  it("keep the interfaces that the author gave; 0.x is where its bindings are", async () => {
    const supportedInterfaces = [
      { url: "grpc.example:443", protocolBinding: "GRPC", protocolVersion: "1.0" },
      { url: "https://agent.example/a2a", protocolBinding: "HTTP+JSON", protocolVersion: "1.0", tenant: "t" },
    ];
    const server = await start({}, { supportedInterfaces });
    expect((await get(server, CURRENT, as("1.0"))).json.supportedInterfaces).toEqual(supportedInterfaces);
    const hybrid = (await get(server)).json;
    expect(hybrid.supportedInterfaces).toEqual(supportedInterfaces);
    expect(hybrid).toMatchObject({ url: "https://agent.example/a2a", preferredTransport: "HTTP+JSON" });
    const grpc = await start({}, { supportedInterfaces: supportedInterfaces.slice(0, 1) });
    // Nothing for 0.x there: the card does not promise any.
    const clean = (await get(grpc)).json;
    expect(clean).toEqual(grpc.card);
    expect(foreign(v10.A2A, clean)).toEqual([]);
    expect((await get(grpc, CURRENT, as("0.3"))).status).toBe(400);
  });

  it("is that of 1.0 where 0.x cannot say it, so that the agent is found", async () => {
    const server = await start();
    // No such card can be served from the start.
    Object.assign(server.card, {
      securitySchemes: { key: { apiKeySecurityScheme: { location: "body", name: "k" } } },
    });
    const found = await get(server);
    expect(found.status).toBe(200);
    expect(found.json).toEqual(server.card);
    expect((await get(server, CURRENT, as("0.3"))).status).toBe(500);
  });
});

describe("some versions", () => {
  it("1.0 alone has a clean card at its own path only", async () => {
    const server = await start({ versions: ["1.0"] });
    const clean = (await get(server)).json;
    expect(clean).toEqual(server.card);
    expect(foreign(v10.A2A, clean)).toEqual([]);
    expect(server.card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual([
      "1.0",
      "1.0",
    ]);
    expect((await get(server, CURRENT, as("0.3"))).json).toEqual(clean);
    expect((await get(server, LEGACY)).status).toBe(404);
  });

  it("0.x alone has a card of 0.3 at both paths", async () => {
    const server = await start({ versions: ["0.2", "0.3"] });
    for (const path of [CURRENT, LEGACY]) {
      const { json } = await get(server, path);
      expect(foreign(v03.A2A, json)).toEqual([]);
      expect(json).toMatchObject({ url: server.url, protocolVersion: "0.3.0" });
    }
    expect((await get(server, CURRENT, as("1.0"))).json.protocolVersion).toBe("0.3.0");
  });

  it("names 0.2 where nothing newer of 0.x is served", async () => {
    const server = await start({ versions: ["1.0", "0.2"] });
    expect(server.card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual([
      ...["1.0", "1.0"],
      ...["0.2", "0.2"],
    ]);
    expect((await get(server)).json.protocolVersion).toMatch(/^0\.2/);
  });
});

describe("the extended card", () => {
  const { signatures: _none, ...unsigned } = card;
  const extendedCard = {
    ...defineAgent({ card: unsigned, handle: async () => "ok" }).card,
    description: "More for those we know",
  };
  const auth: ServeOptions["auth"] = ({ headers }) => {
    if (headers["authorization"] === "Bearer alice") return { principal: "alice" };
    throw new A2AError("UNAUTHENTICATED", "Say who you are");
  };
  const alice = { authorization: "Bearer alice" };
  const DOCUMENT = "/agent/authenticatedExtendedCard";

  it("is a document for 0.2: at the origin, beside the card's URL and below it, for who is known", async () => {
    const server = await start({ extendedCard, auth, basePath: "/agents/test" });
    for (const path of [DOCUMENT, `/agents${DOCUMENT}`, `/agents/test${DOCUMENT}`]) {
      const legacy = await get(server, path, alice);
      expect(legacy.status).toBe(200);
      expect(legacy.headers["content-type"]).toBe("application/json");
      expect(foreign(v03.A2A, legacy.json)).toEqual([]);
      expect(legacy.json).toMatchObject({
        description: "More for those we know",
        url: server.url,
      });
    }
    expect((await get(server, LEGACY)).json.supportsAuthenticatedExtendedCard).toBe(true);
    const oldest = (await get(server, DOCUMENT, { ...alice, ...as("0.2") })).json;
    expect(foreign(v02.A2A, oldest)).toEqual([]);
    expect(oldest.protocolVersion).toMatch(/^0\.2/);
    const stranger = await get(server, DOCUMENT);
    expect(stranger).toMatchObject({ status: 401, json: { message: "Say who you are" } });
    expect(stranger.headers["www-authenticate"]).toBe("Bearer");
    expect((await get(server, DOCUMENT, { ...alice, ...as("1.0") })).status).toBe(404);
    expect((await ask(server, DOCUMENT, { method: "POST", headers: alice })).status).toBe(405);
  });

  it("is a method of 0.3 and 1.0, and a route of both", async () => {
    const server = await start({ extendedCard, auth });
    const rpcOf = (method: string, version: string): Promise<Answer> =>
      ask(server, "/", {
        method: "POST",
        headers: { ...alice, ...as(version), "content-type": "application/json" },
        body: { jsonrpc: "2.0", id: 1, method },
      });
    const newest = (await rpcOf("GetExtendedAgentCard", "1.0")).json.result;
    expect(foreign(v10.A2A, newest)).toEqual([]);
    const legacy = (await rpcOf("agent/getAuthenticatedExtendedCard", "0.3")).json.result;
    expect(foreign(v03.A2A, legacy)).toEqual([]);
    expect(legacy.description).toBe("More for those we know");
    expect((await get(server, "/extendedAgentCard", { ...alice, ...as("1.0") })).json).toEqual(newest);
    const route = await get(server, "/v1/card", alice);
    expect(route.json).toMatchObject({ description: "More for those we know", url: server.url });
    // 0.2 has no such method, only the document.
    expect((await rpcOf("agent/getAuthenticatedExtendedCard", "0.2")).json.error.code).toBe(-32601);
  });

  it("that does not exist is neither a document nor a method", async () => {
    const server = await start({ auth });
    expect((await get(server, DOCUMENT, alice)).status).toBe(404);
    const only = await start({ extendedCard, auth, versions: ["1.0"] });
    expect((await get(only, DOCUMENT, alice)).status).toBe(404);
  });
});
