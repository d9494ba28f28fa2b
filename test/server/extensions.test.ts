/** Extensions of a server: listed, activated, echoed, required, checked; the methods that they add. Tenants; agents side by side. */
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createNodeHandler } from "../../src/adapter/node.js";
import { A2AError } from "../../src/errors.js";
import { createServer, type Ctx, type ServerExtension } from "../../src/server.js";
import { receiver } from "../push/receiver.js";
import { bindings, host, say, type Host } from "../rules/support.js";
import { agentOf, quiet, skill } from "./agents.js";

const GEO = "https://example.com/ext/geo/v1";
const TRACE = "https://example.com/ext/trace/v1";
const HEADER = "a2a-extensions";

/** An agent that says which extensions it saw, and servers of it. */
function seeing() {
  const seen: Ctx[] = [];
  const agent = agentOf(async (ctx) => {
    seen.push(ctx);
    return ctx.completed();
  });
  return { agent, seen };
}

const raw = (on: Host, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(on.url + path, {
    method: "POST",
    headers: { "a2a-version": "1.0", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe.each(bindings)("%s", (binding) => {
  it("lists what the option offers in the card (A2A-4.6.1-a), and nothing without it: none is there by itself (A2A-GOV-b, A2A-GOV-e)", async () => {
    const { agent } = seeing();
    const extensions = [
      { uri: GEO, description: "Places", params: { unit: "m" } },
      { uri: TRACE, required: false },
    ];
    await using on = await host(binding, agent, { extensions });
    const card = await (
      await fetch(`${on.url}/.well-known/agent-card.json`, { headers: { "a2a-version": "1.0" } })
    ).json();
    expect(card.capabilities.extensions).toEqual([
      { uri: GEO, description: "Places", params: { unit: "m" } },
      { uri: TRACE, required: false },
    ]);
    await using bare = await host(binding, agent);
    const plain = await (
      await fetch(`${bare.url}/.well-known/agent-card.json`, { headers: { "a2a-version": "1.0" } })
    ).json();
    expect(plain.capabilities.extensions ?? []).toEqual([]);
    expect(plain.supportedInterfaces.map((one: { protocolBinding: string }) => one.protocolBinding)).toEqual(
      expect.arrayContaining(["JSONRPC", "HTTP+JSON"]),
    );
    expect((await bare.call("SendMessage", say("x"), { [HEADER]: GEO })).headers.get(HEADER)).toBeNull();
  });

  it("activates only what a request names (A2A-EXT-a), for that request alone, and ignores what it does not know (A2A-EXT-b, A2A-4.6.3-c)", async () => {
    const { agent, seen } = seeing();
    const calls: string[] = [];
    const extensions: ServerExtension[] = [
      { uri: GEO, activate: ({ method }) => void calls.push(method) },
      { uri: TRACE, activate: () => void calls.push("trace") },
    ];
    await using on = await host(binding, agent, { extensions });
    const without = await on.call("SendMessage", say("x"));
    expect([without.headers.get(HEADER), calls]).toEqual([null, []]);
    const named = await on.call("SendMessage", say("x"), { [HEADER]: `https://example.com/other, ${GEO}` });
    expect([named.status, named.headers.get(HEADER), calls]).toEqual([200, GEO, ["SendMessage"]]);
    await on.ok("SendMessage", say("x"));
    expect(calls).toEqual(["SendMessage"]);
    expect(seen.map(({ extensions: active }) => active)).toEqual([[], [GEO], []]);
  });

  it("takes a URI for a name, and never calls it (A2A-GOV-f)", async () => {
    await using there = await receiver();
    const { agent, seen } = seeing();
    const official = "https://a2a-protocol.org/extensions/x/v1";
    await using on = await host(binding, agent, { extensions: [{ uri: there.url }, { uri: official }] });
    const reply = await on.call("SendMessage", say("x"), { [HEADER]: `${official}, ${there.url}` });
    expect(reply.headers.get(HEADER)).toBe(`${official}, ${there.url}`);
    expect(seen[0]?.extensions).toEqual([official, there.url]);
    expect(there.requests).toEqual([]);
  });

  it("never falls back to another version of an extension (A2A-4.6.3-e)", async () => {
    const { agent, seen } = seeing();
    const calls: string[] = [];
    const extensions = [{ uri: GEO, activate: () => void calls.push("v1") }];
    await using on = await host(binding, agent, { extensions });
    for (const other of [GEO.replace("v1", "v2"), `${GEO}/`, GEO.toUpperCase(), GEO.slice(0, -1)]) {
      const reply = await on.call("SendMessage", say("x"), { [HEADER]: other });
      expect([reply.status, reply.headers.get(HEADER)]).toEqual([200, null]);
    }
    expect(calls).toEqual([]);
    expect(seen.every(({ extensions: active }) => active.length === 0)).toBe(true);
  });

  it("refuses a request that does not name a required one, or another version of it (A2A-4.6.3-d, A2A-EXT-g, A2A-3.3.4-e)", async () => {
    const { agent, seen } = seeing();
    await using on = await host(binding, agent, {
      extensions: [{ uri: GEO, required: true }, { uri: TRACE }],
    });
    for (const headers of [{}, { [HEADER]: TRACE }, { [HEADER]: GEO.replace("v1", "v2") }]) {
      const { json } = await on.call("SendMessage", say("x"), headers);
      if (binding === "JSONRPC") expect(json.error.code).toBe(-32008);
      const [info] = binding === "JSONRPC" ? json.error.data : json.error.details;
      expect(info).toMatchObject({ reason: "EXTENSION_SUPPORT_REQUIRED", metadata: { extensions: GEO } });
    }
    expect(seen).toEqual([]);
    expect((await on.call("SendMessage", say("x"), { [HEADER]: GEO })).headers.get(HEADER)).toBe(GEO);
  });

  it("says what is active in every reply: of a stream, and of an error after the activation, too (A2A-EXT-c)", async () => {
    const { agent } = seeing();
    await using on = await host(binding, agent, { extensions: [{ uri: GEO }, { uri: TRACE }] });
    const both = { [HEADER]: `${TRACE},${GEO},${GEO}` };
    expect((await on.call("SendMessage", say("x"), both)).headers.get(HEADER)).toBe(`${TRACE}, ${GEO}`);
    const stream = await on.stream("SendStreamingMessage", say("x"), both);
    expect(stream.headers.get(HEADER)).toBe(`${TRACE}, ${GEO}`);
    await stream.rest();
    const missing = await on.call("GetTask", { id: "nobody" }, both);
    expect(missing.json).toHaveProperty("error");
    expect(missing.headers.get(HEADER)).toBe(`${TRACE}, ${GEO}`);
    // Refused before anything was active.
    const bad = await on.call("SendMessage", { message: 7 }, both);
    expect(bad.headers.get(HEADER)).toBeNull();
  });

  it("takes data of extensions for what it is, that of strangers (A2A-EXT-h)", async () => {
    const { agent, seen } = seeing();
    const data: unknown[] = [];
    const schema = z.object({ lat: z.number().min(-90).max(90), name: z.string().default("here") });
    const keep: ServerExtension["activate"] = (call) => void data.push(call.data);
    const strict: ServerExtension = {
      uri: TRACE,
      schema: (value) => {
        if (typeof value !== "string") throw new Error("secret detail");
        if (value === "told") throw new A2AError("INVALID_PARAMS", "a reason of its own");
        return value;
      },
    };
    await using on = await host(binding, agent, {
      extensions: [{ uri: GEO, schema, activate: keep }, strict],
    });
    const active = { [HEADER]: `${GEO},${TRACE}` };
    const given = (value: unknown, uri = GEO) => ({ ...say("x"), metadata: { [uri]: value } });
    await on.ok("SendMessage", given({ lat: 59.9 }), active);
    expect(data).toEqual([{ lat: 59.9, name: "here" }]);
    expect(seen[0]?.metadata).toEqual({ [GEO]: { lat: 59.9, name: "here" } });
    const hostile = [
      { lat: 91 },
      { lat: "1" },
      null,
      [],
      "x",
      7,
      { lat: { toString: 1 } },
      { __proto__: { lat: 1 } },
    ];
    for (const value of hostile) {
      const { json } = await on.call("SendMessage", given(value), active);
      expect(JSON.stringify(json.error)).toContain(`metadata[\\"${GEO}\\"]`);
      if (binding === "JSONRPC") expect(json.error.code).toBe(-32602);
      else expect(json.error.code).toBe(400);
    }
    const inMessage = await on.call("SendMessage", say("x", { metadata: { [GEO]: { lat: 91 } } }), active);
    expect(JSON.stringify(inMessage.json.error)).toContain("message.metadata");
    // What is right is handed over as the schema gives it, and so is the message that holds it.
    const { task } = await on.ok("SendMessage", say("x", { metadata: { [GEO]: { lat: 1 } } }), active);
    expect(data.at(-1)).toEqual({ lat: 1, name: "here" });
    expect(task.history[0].metadata).toEqual({ [GEO]: { lat: 1, name: "here" } });
    seen.pop();
    // Of two places, that of the request decides.
    const twice = { ...say("x", { metadata: { [GEO]: { lat: 1 } } }), metadata: { [GEO]: { lat: 2 } } };
    await on.ok("SendMessage", twice, active);
    expect(data.at(-1)).toEqual({ lat: 2, name: "here" });
    seen.pop();
    const told = await on.call("SendMessage", given("told", TRACE), active);
    expect(JSON.stringify(told.json.error)).toContain("a reason of its own");
    const thrown = await on.call("SendMessage", given(7, TRACE), active);
    expect(JSON.stringify(thrown.json)).not.toContain("secret detail");
    expect(seen).toHaveLength(1);
    // Of an extension that is not active, the data is nobody's business.
    await on.ok("SendMessage", given({ lat: 91 }));
  });

  it("adds registered methods, behind the same authentication and limits as all others (A2A-EXT-i, A2A-EXT-l)", async () => {
    const { agent } = seeing();
    const calls: unknown[] = [];
    const search: ServerExtension = {
      uri: GEO,
      methods: {
        "x/search": {
          path: "/x/search",
          schema: z.object({ q: z.string(), tenant: z.string().optional() }),
          handle(params, call) {
            calls.push([params, call.principal, call.tenant]);
            return { found: [params["q"] ?? null] };
          },
        },
      },
    };
    const auth = ({ headers }: { headers: Readonly<Record<string, string | undefined>> }) => {
      if (headers["authorization"] !== "Bearer t") throw new A2AError("UNAUTHENTICATED", "Who are you?");
      return { principal: "me" };
    };
    await using on = await host(binding, agent, { extensions: [search], auth });
    const post = async (method: string, params: object, headers: Record<string, string>) => {
      const reply = await (binding === "JSONRPC"
        ? raw(on, "", { jsonrpc: "2.0", id: 1, method, params }, headers)
        : raw(on, `/${method}`, params, headers));
      const json = await reply.json();
      return {
        status: reply.status,
        json,
        result: binding === "JSONRPC" ? json.result : json,
        echo: reply.headers.get(HEADER),
      };
    };
    const mine = { authorization: "Bearer t" };
    expect((await post("x/search", { q: "a" }, { [HEADER]: GEO })).status).toBe(401);
    expect(calls).toEqual([]);
    const found = await post("x/search", { q: "a", tenant: "acme" }, { ...mine, [HEADER]: GEO });
    expect([found.result, found.echo]).toEqual([{ found: ["a"] }, GEO]);
    expect(calls).toEqual([[{ q: "a", tenant: "acme" }, "me", "acme"]]);
    expect(JSON.stringify((await post("x/search", { q: 7 }, { ...mine, [HEADER]: GEO })).json)).toContain(
      "q: ",
    );
    const inactive = await post("x/search", { q: "a" }, mine);
    expect(JSON.stringify(inactive.json)).toContain("EXTENSION_SUPPORT_REQUIRED");
    const unknown = await post("x/other", {}, { ...mine, [HEADER]: GEO });
    expect(binding === "JSONRPC" ? unknown.json.error.code : unknown.status).toBe(
      binding === "JSONRPC" ? -32601 : 404,
    );
    expect(calls).toHaveLength(1);
  });

  it("carries extension data in metadata, with core objects and enums as they are (A2A-4.6.2-a, A2A-EXT-e)", async () => {
    const place = { [GEO]: { lat: 1, at: [{ deep: null }] } };
    const agent = agentOf(async (ctx, message) => {
      ctx.artifact("found", { artifactId: "a", metadata: place, extensions: [GEO] });
      return ctx.completed({
        messageId: "s",
        role: "ROLE_AGENT",
        parts: [{ text: "there" }],
        metadata: message.metadata ?? {},
        extensions: message.extensions ?? [],
      });
    });
    await using on = await host(binding, agent, { extensions: [{ uri: GEO }] });
    const sent = say("x", { metadata: place, extensions: [GEO], surprise: 1 });
    const { task } = await on.ok("SendMessage", sent, { [HEADER]: GEO });
    expect(task.artifacts[0]).toMatchObject({ metadata: place, extensions: [GEO] });
    expect(task.status.message).toMatchObject({ metadata: place, extensions: [GEO] });
    expect(task.history[0]).toMatchObject({ metadata: place, extensions: [GEO] });
    // A member that no schema has is none of an extension either.
    expect(task.history[0]).not.toHaveProperty("surprise");
  });

  it("takes a tenant as it is, from path, query or body (A2A-MT-a, A2A-MT-b)", async () => {
    const { agent, seen } = seeing();
    await using on = await host(binding, agent);
    const odd = "Ünïcode / ..%2F team 7";
    const { task } = await on.ok("SendMessage", { ...say("x"), tenant: odd });
    expect(seen.at(-1)?.tenant).toBe(odd);
    expect((await on.ok("GetTask", { id: task.id, tenant: odd })).id).toBe(task.id);
    for (const tenant of [undefined, `${odd} `, odd.toLowerCase()]) {
      const other = await on.call("GetTask", { id: task.id, ...(tenant !== undefined && { tenant }) });
      expect(other.json).toHaveProperty("error");
    }
    if (binding === "JSONRPC") return;
    await raw(on, `/${encodeURIComponent("acme")}/message:send`, say("x"));
    expect(seen.at(-1)?.tenant).toBe("acme");
    const conflict = await raw(on, "/acme/message:send", { ...say("x"), tenant: "other" });
    expect(conflict.status).toBe(400);
    expect(JSON.stringify(await conflict.json())).toContain("different tenants");
  });

  it("several agents share an origin, each with its card below its path (A2A-MT-d)", async () => {
    const make = (name: string) =>
      createServer(
        agentOf(async () => name, { card: { name, description: name, skills: [] } }),
        {
          logger: quiet,
          basePath: `/agents/${name}`,
          url: `http://example.com/agents/${name}`,
        },
      );
    const [a, b] = [make("ann"), make("bob")];
    const [forA, forB] = [createNodeHandler(a.handle), createNodeHandler(b.handle)];
    const server = createHttpServer((request, response) =>
      (request.url?.startsWith("/agents/bob") ? forB : forA)(request, response),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    for (const name of ["ann", "bob"]) {
      const base = `http://127.0.0.1:${String(port)}/agents/${name}`;
      const headers = { "a2a-version": "1.0", "content-type": "application/json" };
      const card = await (await fetch(`${base}/.well-known/agent-card.json`, { headers })).json();
      expect([card.name, card.supportedInterfaces[0].url]).toEqual([
        name,
        `http://example.com/agents/${name}`,
      ]);
      const body =
        binding === "JSONRPC" ? { jsonrpc: "2.0", id: 1, method: "SendMessage", params: say("x") } : say("x");
      const reply = await fetch(base + (binding === "JSONRPC" ? "" : "/message:send"), {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      expect(JSON.stringify(await reply.json())).toContain(`"text":"${name}"`);
    }
    server.close();
    server.closeAllConnections();
    await Promise.all([a.close(), b.close()]);
  });
});

it.each([
  ["two of one URI", [{ uri: GEO }, { uri: GEO }], "twice"],
  ["a URI that fits into no header", [{ uri: "a, b" }], "header"],
  ["a path that is none", [{ uri: GEO, methods: { x: { path: "x", handle: () => null } } }], "slash"],
  ["a method of the protocol", [{ uri: GEO, methods: { SendMessage: { handle: () => null } } }], "already"],
])("%s is a CONFIG error", (_what, extensions, problem) => {
  expect(() => createServer(seeing().agent, { extensions })).toThrow(problem);
});

it("an extension that card and option require differently is a CONFIG error; what the card says of it stays", () => {
  const listed = { uri: GEO, required: true, description: "Places" };
  const card = {
    name: "A",
    description: "An agent",
    skills: [skill],
    capabilities: { extensions: [listed] },
  };
  const agent = agentOf(async () => "x", { card });
  const make = (required?: boolean) =>
    createServer(agent, {
      extensions: [{ uri: GEO, ...(required !== undefined && { required }) }],
      logger: quiet,
    });
  for (const required of [false, undefined]) expect(() => make(required)).toThrow("differ on whether");
  expect(make(true).card.capabilities.extensions).toEqual([listed]);
});
