/** The card of a server as the document that clients read. */
import { once } from "node:events";
import { createServer as createHttps, request } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createNodeHandler } from "../../src/node.js";
import { createServer, type ServerOptions } from "../../src/server.js";
import type { AgentCard } from "../../src/versions/pivot.js";
import { authority, hasOpenssl } from "../certificates.js";
import { agentOf, quiet, skill } from "../server/agents.js";

const PATH = "/.well-known/agent-card.json";
const url = "https://a.example.com/base";
const base = { name: "T", description: "d", skills: [skill] };
const server = (card: Partial<AgentCard>, options: ServerOptions = {}) =>
  createServer(
    agentOf(async () => "ok", { card: { ...base, ...card } }),
    { logger: quiet, url, ...options },
  );

/** The 1.0 card as text and as JSON. */
async function published(card: Partial<AgentCard>, options?: ServerOptions): Promise<AgentCard> {
  await using one = server(card, options);
  const reply = await one.fetch(
    new Request(`https://a.example.com${PATH}`, { headers: { "a2a-version": "1.0" } }),
  );
  expect(reply.status).toBe(200);
  return (await reply.json()) as AgentCard;
}
const short = ({ supportedInterfaces }: AgentCard): string[] =>
  supportedInterfaces.map(({ url: at, protocolBinding, protocolVersion, tenant }) =>
    [at, protocolBinding, protocolVersion, tenant].filter(Boolean).join(" "),
  );
const at = (where: string, protocolBinding: string, more: object = {}) => ({
  url: where,
  protocolBinding,
  protocolVersion: "1.0",
  ...more,
});

describe("the interfaces", () => {
  it("stay in the author's order, the first preferred (A2A-4.4.1-b)", async () => {
    const given = [
      at("grpc.example.com:443", "GRPC"),
      at(url, "HTTP+JSON"),
      at("https://b.example.com", "https://example.com/binding"),
      at(url, "JSONRPC"),
    ];
    expect((await published({ supportedInterfaces: given })).supportedInterfaces).toEqual(given);
  });

  it("that are filled in have one URL for all bindings, JSON-RPC first (A2A-8.3.1-d, A2A-4.4.1-b)", async () => {
    expect(short(await published({}, { versions: ["1.0"] }))).toEqual([
      `${url} JSONRPC 1.0`,
      `${url} HTTP+JSON 1.0`,
    ]);
  });

  it("get the bindings that are answered at the same place, at the end (A2A-5.2-a)", async () => {
    const given = [
      at(`${url}/`, "HTTP+JSON", { tenant: "t" }),
      at("https://b.example.com", "JSONRPC"),
      at(url, "JSONRPC", { protocolVersion: "0.3" }),
      at(url, "HTTP+JSON", { protocolVersion: "0.3" }),
    ];
    expect(short(await published({ supportedInterfaces: given }))).toEqual([
      `${url}/ HTTP+JSON 1.0 t`,
      "https://b.example.com JSONRPC 1.0",
      `${url} JSONRPC 0.3`,
      `${url} HTTP+JSON 0.3`,
      `${url}/ JSONRPC 1.0 t`,
    ]);
    const elsewhere = [at("https://b.example.com", "JSONRPC")];
    expect((await published({ supportedInterfaces: elsewhere })).supportedInterfaces).toEqual(elsewhere);
  });

  it("of a card that was signed elsewhere must be complete: nothing is added to it (A2A-5.2-a)", async () => {
    const signatures = [{ protected: "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ", signature: "c2ln" }];
    const complete = [at(url, "JSONRPC"), at(url, "HTTP+JSON")];
    expect((await published({ supportedInterfaces: complete, signatures })).supportedInterfaces).toEqual(
      complete,
    );
    expect(() => server({ supportedInterfaces: complete.slice(0, 1), signatures })).toThrow(
      /supportedInterfaces: does not list HTTP\+JSON, which is answered \(A2A-5\.2-a\)/,
    );
  });
});

it("every member is served as it was given: maps, lists and what is optional (A2A-4.4.1-e, A2A-4.4.3-b)", async () => {
  const optional = {
    provider: { organization: "O", url: "https://o.example.com" },
    documentationUrl: "https://o.example.com/docs",
    iconUrl: "https://o.example.com/icon.png",
    capabilities: {
      streaming: true,
      extensions: [
        { uri: "https://e.example.com/a", required: false, params: { a: [{}, null] } },
        { uri: "https://e.example.com/b" },
      ],
    },
    securitySchemes: {
      token: { httpAuthSecurityScheme: { scheme: "Bearer" } },
      key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } },
    },
    securityRequirements: [
      { schemes: { token: { list: ["read"] } } },
      { schemes: { token: { list: [] }, key: { list: [] } } },
    ],
    signatures: [
      { protected: "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ", signature: "c2ln", header: { x: 1 } },
      { protected: "eyJhbGciOiJFUzI1NiIsImtpZCI6ImoifQ", signature: "c2ln" },
    ],
  };
  expect(await published(optional)).toMatchObject(optional);
  const bare = await published({});
  for (const name of Object.keys(optional))
    if (name !== "capabilities") expect(bare).not.toHaveProperty(name);
  expect(bare.capabilities).toEqual({ streaming: true });
});

describe.skipIf(!hasOpenssl)("over https", () => {
  it("the card is served, and its interfaces are there (A2A-14.3-c)", async () => {
    const { ca, of } = authority("localhost");
    const https = createHttps(of.localhost);
    https.listen(0, "127.0.0.1");
    await once(https, "listening");
    const { port } = https.address() as AddressInfo;
    const origin = `https://localhost:${String(port)}`;
    await using agent = server({}, { url: origin, versions: ["1.0"] });
    https.on("request", createNodeHandler(agent.handle));
    try {
      // The certificate is checked against its name, as a client would.
      const get = request({
        host: "127.0.0.1",
        servername: "localhost",
        port,
        path: PATH,
        ca,
        agent: false,
      });
      get.end();
      const [reply] = (await once(get, "response")) as [NodeJS.ReadableStream & { statusCode: number }];
      let text = "";
      for await (const chunk of reply) text += String(chunk);
      expect(reply.statusCode).toBe(200);
      expect(short(JSON.parse(text) as AgentCard)).toEqual([
        `${origin} JSONRPC 1.0`,
        `${origin} HTTP+JSON 1.0`,
      ]);
    } finally {
      https.close();
    }
  });
});
