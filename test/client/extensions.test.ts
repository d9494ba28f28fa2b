/** Extensions of the protocol, from the side of who calls: what is asked for, and agents that insist on one. */
import { describe, expect, it } from "vitest";
import { connect, type Agent, type ClientExtension, type ConnectOptions } from "a2a-typed/client";
import { defineAgent, serve } from "a2a-typed/server";
import { userMessage } from "a2a-typed/v1";
import { failure, listen, message, reply, type TestServer } from "./support.js";

const GEO = "https://example.com/ext/geo/v1";
const UNITS = "https://example.com/ext/units/v1";
const BASE = "https://example.com/ext/base/v1";

const cardOf = (url: string, binding: string, protocolVersion: string, extensions: readonly object[]) => ({
  name: "Surveyor",
  capabilities: { extensions },
  supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion }],
});

async function withAgent(
  look: (agent: Agent, server: TestServer) => Promise<void>,
  options: ConnectOptions,
  { required = [] as readonly string[], binding = "JSONRPC", version = "1.0" } = {},
): Promise<void> {
  await using server = await listen((seen, response) => {
    if (binding === "JSONRPC") {
      const old = { kind: "message", messageId: "m1", role: "agent", parts: [{ kind: "text", text: "hi" }] };
      const result = version === "1.0" ? message("hi") : old;
      reply(response, { jsonrpc: "2.0", id: seen.json.id, result });
    } else reply(response, message("hi"));
  });
  const extensions = required.map((uri) => ({ uri, required: true }));
  await using agent = await connect(cardOf(server.url, binding, version, extensions), options);
  await look(agent, server);
}

const asked = (server: TestServer): (string | undefined)[] =>
  server.seen.map(({ headers }) => headers["a2a-extensions"]).map((one) => one?.toString());

describe.each(["JSONRPC", "HTTP+JSON"])("extensions over %s", (binding) => {
  it("are asked for with each request, in one header with commas between (A2A-4.6.1-b, A2A-14.2-b)", () =>
    withAgent(
      async (agent, server) => {
        await agent.send("x");
        await agent.send(userMessage("x"), { extensions: [BASE] });
        await agent.send(userMessage("x"), { extensions: [] });
        expect(asked(server)).toEqual([`${GEO}, https://example.com/a%2Cb`, BASE, undefined]);
      },
      { extensions: [GEO, "https://example.com/a,b"] },
      { binding },
    ));

  it("bring along what they build on, each once (A2A-EXT-d)", async () => {
    const extensions: ClientExtension[] = [
      { uri: GEO, requires: [UNITS, BASE] },
      { uri: UNITS, requires: [BASE] },
      // Two that build on each other end as well.
      { uri: BASE, requires: [GEO] },
    ];
    await withAgent(
      async (agent, server) => {
        await agent.send(userMessage("x"), { extensions: [UNITS] });
        expect(asked(server)).toEqual([`${UNITS}, ${BASE}, ${GEO}`]);
      },
      { extensions },
      { binding },
    );
  });

  it("take part in the calls that ask for them: data and flow are theirs (A2A-EXT-k)", async () => {
    const flow: string[] = [];
    const geo: ClientExtension = {
      uri: GEO,
      interceptor: (next) => async (call) => {
        const request = call.input as { message: object };
        const result = await next({
          ...call,
          input: { ...request, metadata: { [GEO]: { lat: 1, lon: 2 } } },
        });
        flow.push(`${call.methodName}: ${result.headers["x-place"] ?? "nowhere"}`);
        return result;
      },
    };
    await withAgent(
      async (agent, server) => {
        await agent.send("here");
        await agent.send(userMessage("there"), { extensions: [] });
        const bodies = server.seen.map(({ body }) => body);
        expect(bodies.map((body) => body.includes(`"${GEO}":{"lat":1,"lon":2}`))).toEqual([true, false]);
        expect(flow).toEqual(["sendMessage: nowhere"]);
      },
      { extensions: [geo] },
      { binding },
    );
  });
});

describe("an agent that requires an extension", () => {
  const required = [GEO];

  it.each(["1.0", "0.3"])("of %s is not called by who does not follow it (A2A-4.4.4-b)", (version) =>
    withAgent(
      async (agent, server) => {
        for (const call of [
          agent.send("x"),
          agent.start("x"),
          agent.getTask({ id: "t1" }),
          agent.send(userMessage("x"), { extensions: [BASE] }),
        ]) {
          const error = await failure(call);
          expect(error).toMatchObject({ reason: "EXTENSION_SUPPORT_REQUIRED", code: -32008 });
          expect(error.message).toBe(
            `Surveyor requires ${GEO}; where your program follows that extension, name it in extensions`,
          );
        }
        expect(server.seen).toHaveLength(0);
        await agent.send(userMessage("x"), { extensions: [GEO] });
        expect(server.seen).toHaveLength(1);
      },
      {},
      { required, version },
    ),
  );

  it("is called by who does, also where another extension brings it along", async () => {
    for (const extensions of [[GEO], [{ uri: UNITS, requires: [GEO] }]]) {
      await withAgent(
        async (agent, server) => {
          expect((await agent.send("x")).text()).toBe("hi");
          expect(asked(server)[0]).toContain(GEO);
        },
        { extensions },
        { required },
      );
    }
  });

  it("is understood by a server of this library, which would refuse too", async () => {
    const extended = defineAgent({
      card: { name: "E", description: "d", skills: [] },
      handle: async (ctx) => `active: ${ctx.extensions.join()}`,
    });
    await using server = await serve(extended, { port: 0, extensions: [{ uri: GEO, required: true }] });
    await using stranger = await connect(server.url);
    expect((await failure(stranger.send("x"))).reason).toBe("EXTENSION_SUPPORT_REQUIRED");
    await using friend = await connect(server.url, { extensions: [GEO] });
    expect((await friend.send("x")).text()).toBe(`active: ${GEO}`);
  });
});
