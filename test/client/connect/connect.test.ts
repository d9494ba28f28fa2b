import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, readAgentCard, type Agent, type ClientWarning } from "a2a-typed/client";
import type { Interceptor } from "a2a-typed";
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { textOf, userMessage } from "a2a-typed/v1";
import {
  drain,
  failure,
  frame,
  listen,
  message,
  openStream,
  reply,
  status,
  task,
  type TestServer,
} from "../support.js";
import { oldMessage, oldTask } from "./legacy-agent.js";

const echo = defineAgent({
  card: { name: "Echo", description: "Repeats.", skills: [] },
  async *handle(_, said) {
    const text = textOf(said);
    if (text === "stream") {
      yield "one ";
      yield "two";
      return undefined;
    }
    return `echo: ${text}`;
  },
});

describe("an agent of this library", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await serve(echo, { port: 0 });
  });
  afterAll(() => server.close());

  it("answers a text with a reply that has one", async () => {
    await using agent = await connect(server.url);
    const said = await agent.send("hello");
    expect(said.text()).toBe("echo: hello");
    expect(said.task?.status.state).toBe("TASK_STATE_COMPLETED");
    // The text is no data.
    expect(Object.keys(said)).toEqual(["task"]);
    expect((await agent.send(userMessage("a message"))).text()).toBe("echo: a message");
    const request = { message: userMessage("a request"), configuration: { historyLength: 0 } };
    expect((await agent.send(request)).text()).toBe("echo: a request");
  });

  it("is what its card says, and what it speaks", async () => {
    await using agent = await connect(new URL(server.url));
    expect(agent.protocolVersion).toBe("1.0");
    expect(agent.card).toEqual(server.card);
    expect(agent.interface).toMatchObject({ protocolBinding: "JSONRPC", url: server.url, assumed: false });
    expect(agent.problems).toEqual([]);
    expect(agent.signature).toBe("none");
    expect(agent.cardUrl).toBe(`${server.url}/.well-known/agent-card.json`);
    expect(agent.interfaces.length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ["JSONRPC", { prefer: "JSONRPC" }],
    ["HTTP+JSON", { prefer: "HTTP+JSON" }],
    ["HTTP+JSON", { bindings: ["HTTP+JSON"] }],
  ])(
    "has every operation over %s, whichever is preferred (A2A-5.2-b, A2A-8.3.2-c)",
    async (binding, options) => {
      await using agent = await connect(server.url, options);
      expect(agent.interface.protocolBinding).toBe(binding);
      const { events } = await drain(agent.sendStreamingMessage({ message: userMessage("stream") }));
      expect(events.map(({ artifactUpdate }) => textOf(artifactUpdate?.artifact)).join("")).toBe("one two");
      const id = events[0]?.task?.id ?? "";
      expect(await agent.getTask({ id })).toMatchObject({ id, status: { state: "TASK_STATE_COMPLETED" } });
      expect((await agent.listTasks({ pageSize: 1 })).tasks).toHaveLength(1);
      expect((await failure(agent.cancelTask({ id }))).reason).toBe("TASK_NOT_CANCELABLE");
    },
  );

  it.each([
    ["0.3", "JSONRPC"],
    ["0.3", "HTTP+JSON"],
    ["0.2", "JSONRPC"],
    ["0.2", "HTTP+JSON"],
  ])("is the same in %s over %s", async (version, binding) => {
    const { document } = readAgentCard(server.card);
    const supportedInterfaces = [{ url: server.url, protocolBinding: binding, protocolVersion: version }];
    await using agent = await connect({ ...document, supportedInterfaces });
    expect(agent.protocolVersion).toBe(version);
    const { task: finished } = await agent.sendMessage({ message: userMessage("hello") });
    expect(textOf(finished)).toBe("echo: hello");
    const { events, error } = await drain(agent.sendStreamingMessage({ message: userMessage("stream") }));
    expect(error).toBeUndefined();
    expect(events.map(({ artifactUpdate }) => textOf(artifactUpdate?.artifact)).join("")).toBe("one two");
    const id = finished?.id ?? "";
    expect(await agent.getTask({ id })).toMatchObject({ id, status: { state: "TASK_STATE_COMPLETED" } });
    expect((await failure(agent.cancelTask({ id }))).reason).toBe("TASK_NOT_CANCELABLE");
    expect((await failure(agent.getTask({ id: "none" }))).reason).toBe("TASK_NOT_FOUND");
  });

  it("takes a card as an object, also one with relative URLs (A2A-8.2-b)", async () => {
    const { document } = readAgentCard(server.card);
    await using agent = await connect(document);
    expect((await agent.send("x")).text()).toBe("echo: x");
    const supportedInterfaces = [{ url: "/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    const card = { ...document, supportedInterfaces };
    await using relative = await connect(card, { cardUrl: `${server.url}/.well-known/agent-card.json` });
    expect((await relative.send("y")).text()).toBe("echo: y");
    expect(relative.problems.map(({ code }) => code)).toEqual(["relative_url"]);
    expect((await failure(connect(card))).violations?.[0]?.pointer).toBe("/supportedInterfaces/0/url");
  });

  it.each([
    ["maxBodyBytes", (agent: Agent) => agent.send("x")],
    [
      "maxEventBytes",
      async (agent: Agent) => agent.sendStreamingMessage({ message: userMessage("stream") }).next(),
    ],
  ])("reads no more than %s", async (option, call) => {
    await using agent = await connect(server.url, { [option]: 10 });
    expect((await failure(call(agent))).reason).toBe("PAYLOAD_TOO_LARGE");
  });

  it("closes", async () => {
    const agent = await connect(server.url);
    await agent.close();
    expect((await failure(agent.send("x"))).reason).toBe("ABORTED");
  });

  it("never speaks a version that was not asked for (A2A-3.6.3-b)", async () => {
    const card = {
      ...server.card,
      supportedInterfaces: undefined,
      url: server.url,
      protocolVersion: "0.3.0",
    };
    const error = await failure(connect(card, { versions: ["1.0"] }));
    expect(error.reason).toBe("NO_COMPATIBLE_INTERFACE");
    expect(error.message).toContain("version 0.3 is none of 1.0");
  });

  it.each([
    [{ versions: ["2.0"] }, "versions: 2.0 is none of 1.0, 0.3, 0.2"],
    [{ versions: [] }, "versions: an empty list is none of"],
    [{ versions: "1.0" as unknown as string[] }, 'versions: expected a list, found "1.0"'],
    [{ bindings: ["GRPC"] }, "bindings: GRPC is none of JSONRPC, HTTP+JSON"],
  ])("refuses options that cannot work: %j", async (options, text) => {
    const error = await failure(connect(server.url, options));
    expect(error.reason).toBe("CONFIG");
    expect(error.message).toContain(text);
  });

  it.each([
    ["version", /^connect: there is no option version; did you mean versions\?$/],
    ["timeoutMS", /; did you mean timeoutMs\?$/],
    ["onwarnings", /; did you mean onWarning\?$/],
    ["token", /^connect: there is no option token; there are auth, .*\bversions$/],
  ])("refuses the option %s, and says which was meant, before anything is asked", async (name, text) => {
    const error = await failure(connect("http://127.0.0.1:1", { versions: ["1.0"], [name]: "1.0" }));
    expect(error.reason).toBe("CONFIG");
    expect(error.message).toMatch(text);
  });

  it("is called with the options of the caller", async () => {
    const seen: string[] = [];
    const noted: Interceptor = (next) => async (call) => {
      seen.push(`${call.methodName} ${call.headers["a2a-version"] ?? ""}`);
      return next(call);
    };
    let requests = 0;
    await using agent = await connect(server.url, {
      interceptors: [noted],
      fetch: async (url, init) => {
        requests++;
        return fetch(url, init);
      },
      timeoutMs: 5_000,
    });
    await agent.send("x");
    expect(seen).toEqual(["sendMessage 1.0"]);
    expect(requests).toBe(2);
  });
});

/** An agent of 1.0 over JSON-RPC at `/rpc`, written by hand. */
async function startAgent(
  result: unknown,
  members: object = {},
  interfaces: (url: string) => object[] = (url) => [
    { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
): Promise<TestServer> {
  const server: TestServer = await listen((seen, response) => {
    const { id } = seen.json;
    if (seen.method === "POST") reply(response, { jsonrpc: "2.0", id, result });
    else {
      reply(response, {
        name: "A",
        description: "",
        version: "1",
        capabilities: {},
        defaultInputModes: [],
        defaultOutputModes: [],
        skills: [],
        supportedInterfaces: interfaces(server.url),
        ...members,
      });
    }
  });
  return server;
}
const called = (server: TestServer): TestServer["seen"] =>
  server.seen.filter(({ method }) => method === "POST");
const hello = { message: userMessage("hello") };

describe("an interface of 1.0", () => {
  it("has its tenant put into every request, whatever the caller writes (A2A-8.3.2-d, A2A-4.4.6-d, A2A-MT-c)", async () => {
    await using server = await startAgent(task("TASK_STATE_COMPLETED").task, {}, (url) => [
      { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "acme" },
    ]);
    await using agent = await connect(server.url);
    await agent.getTask({ id: "t1", tenant: "other" });
    await agent.getTask({ id: "t1" });
    expect(called(server).map(({ json }) => json.params)).toEqual([
      { tenant: "acme", id: "t1" },
      { tenant: "acme", id: "t1" },
    ]);
  });

  it("has its tenant put into streams too", async () => {
    const server: TestServer = await listen((seen, response) => {
      openStream(response)(frame(seen.json.id, task("TASK_STATE_COMPLETED")));
      response.end();
    });
    await using _ = server;
    const supportedInterfaces = [
      { url: server.url, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "acme" },
    ];
    await using agent = await connect({ name: "A", capabilities: {}, supportedInterfaces });
    await drain(agent.subscribeToTask({ id: "t1" }));
    expect(server.seen[0]?.json.params).toEqual({ tenant: "acme", id: "t1" });
  });

  it("without a tenant gets what the caller writes", async () => {
    await using server = await startAgent(task("TASK_STATE_COMPLETED").task);
    await using agent = await connect(server.url);
    await agent.getTask({ id: "t1", tenant: "mine" });
    await agent.getTask({ id: "t1" });
    expect(called(server).map(({ json }) => json.params)).toEqual([
      { tenant: "mine", id: "t1" },
      { id: "t1" },
    ]);
  });

  it.each([
    ["a task", oldTask("completed"), { task: { id: "t1", contextId: "c1" } }],
    ["a message", oldMessage("hi"), { message: { role: "ROLE_AGENT", parts: [{ text: "hi" }] } }],
  ])("may answer with %s of 0.3, which is converted and told", async (_, result, wanted) => {
    await using server = await startAgent(result);
    const warnings: ClientWarning[] = [];
    await using agent = await connect(server.url, { onWarning: (warning) => warnings.push(warning) });
    expect(await agent.sendMessage(hello)).toMatchObject(wanted);
    expect(warnings).toEqual([
      {
        method: "sendMessage",
        code: "legacy-payload",
        message: "A payload of A2A 0.3 on an interface of 1.0",
      },
    ]);
  });

  it("may stream events of 0.3, and get a task of 0.3", async () => {
    const server: TestServer = await listen((seen, response) => {
      const { id, method } = seen.json;
      if (method === "GetTask") {
        reply(response, { jsonrpc: "2.0", id, result: oldTask("working") });
        return;
      }
      openStream(response)([oldTask("working"), oldTask("completed")].map((one) => frame(id, one)).join(""));
      response.end();
    });
    await using _ = server;
    const supportedInterfaces = [{ url: server.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    await using agent = await connect({ name: "A", capabilities: {}, supportedInterfaces });
    const { events, error } = await drain(agent.sendStreamingMessage(hello));
    expect(error).toBeUndefined();
    expect(events.map((event) => event.task?.status.state)).toEqual([
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
    ]);
    expect(await agent.getTask({ id: "t1" })).not.toHaveProperty("kind");
  });

  it("may write its extended card as sloppily as its public one", async () => {
    await using server = await startAgent({
      name: "More",
      url: "/rpc",
      protocolVersion: "0.3",
      skills: [],
      securitySchemes: { b: { type: "http", scheme: "bearer" } },
    });
    await using agent = await connect(server.url);
    expect(await agent.getExtendedAgentCard()).toMatchObject({
      name: "More",
      securitySchemes: { b: { httpAuthSecurityScheme: { scheme: "bearer" } } },
    });
  });

  it("reads leniently, and tells (A2A-A-d, A2A-A-e)", async () => {
    await using server = await startAgent({ task: { id: "t1", status: { state: "completed" } } });
    const warnings: ClientWarning[] = [];
    await using agent = await connect(server.url, { onWarning: (warning) => warnings.push(warning) });
    expect((await agent.sendMessage(hello)).task?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(warnings.map(({ code }) => code)).toEqual(["legacy_value"]);
  });

  it("a stream that starts with an update is told", async () => {
    const server: TestServer = await listen((seen, response) => {
      openStream(response)(frame(seen.json.id, status("TASK_STATE_COMPLETED")));
      response.end();
    });
    await using _ = server;
    const warnings: ClientWarning[] = [];
    const supportedInterfaces = [{ url: server.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    await using agent = await connect(
      { name: "A", capabilities: {}, supportedInterfaces },
      { onWarning: (warning) => warnings.push(warning) },
    );
    expect((await drain(agent.sendStreamingMessage(hello))).events).toHaveLength(1);
    expect(warnings.map(({ code }) => code)).toEqual(["stream-start"]);
  });
});

describe("headers of the caller", () => {
  const headers = { authorization: "Bearer secret" };

  it("go with the search for the card and with every call, on the origin that was named", async () => {
    await using server = await startAgent(message("hi"));
    await using agent = await connect(server.url, { headers });
    await agent.send("x");
    expect(server.seen.map((seen) => seen.headers.authorization)).toEqual(["Bearer secret", "Bearer secret"]);
  });

  it("do not go to another origin that a card names, unless that is allowed", async () => {
    await using elsewhere = await startAgent(message("hi"));
    await using server = await startAgent(message("no"), {}, () => [
      { url: `${elsewhere.url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ]);
    const error = await failure(connect(server.url, { headers }));
    expect(error.reason).toBe("NO_COMPATIBLE_INTERFACE");
    expect(error.message).toContain(`name ${elsewhere.url} in headerOrigins`);
    expect(elsewhere.seen).toEqual([]);

    await using allowed = await connect(server.url, { headers, headerOrigins: [elsewhere.url] });
    expect((await allowed.send("x")).text()).toBe("hi");
    expect(elsewhere.seen[0]?.headers.authorization).toBe("Bearer secret");
    await using bare = await connect(server.url);
    expect((await bare.send("x")).text()).toBe("hi");
  });

  it("leave the interface that may get them", async () => {
    await using server: TestServer = await startAgent(message("mine"), {}, (url) => [
      { url: "https://elsewhere.example.com/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ]);
    await using agent: Agent = await connect(server.url, { headers });
    expect((await agent.send("x")).text()).toBe("mine");
    expect(agent.interfaces.map(({ usable }) => usable)).toEqual([false, true]);
  });
});

describe("finding the card", () => {
  it("asks for the newest version that may be spoken", async () => {
    await using server = await startAgent(message("hi"));
    await failure(connect(server.url, { versions: ["0.2", "0.3"] }));
    await connect(server.url, { versions: ["1.0.1", "0.3"] });
    expect(server.seen.map((seen) => seen.headers["a2a-version"])).toEqual(["0.3", "1.0"]);
  });

  it("keeps the card, and asks whether it has changed (304)", async () => {
    const server: TestServer = await listen((seen, response) => {
      const caching = { etag: '"1"', "cache-control": "max-age=0" };
      if (seen.headers["if-none-match"] === '"1"') reply(response, "", { status: 304, headers: caching });
      else {
        const supportedInterfaces = [{ url: "/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
        reply(response, { name: "A", capabilities: {}, supportedInterfaces }, { headers: caching });
      }
    });
    await using _ = server;
    const cache = new Map();
    for (let n = 0; n < 3; n++) expect((await connect(server.url, { cache })).card.name).toBe("A");
    expect(server.seen.map((seen) => seen.headers["if-none-match"])).toEqual([undefined, '"1"', '"1"']);
  });

  it.each([
    ["a page", "<html>hello</html>", "text/html", "DECODE", "is no agent card"],
    ["half of it", '{"name":"A",', "application/json", "DECODE", "is not JSON"],
    ["another format", '{"name":"A","services":[]}', "application/json", "DECODE", "services: is not read"],
    ["nothing", "", "application/json", "DECODE", "is no agent card"],
  ])("%s is no card", async (_, body, type, reason, text) => {
    await using server = await listen((__, response) => {
      reply(response, body, { type });
    });
    const error = await failure(connect(server.url));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(text);
    expect(error.message).toContain(`${server.url}/.well-known/agent-card.json`);
  });

  it("takes a card with a byte order mark and of the wrong media type", async () => {
    const supportedInterfaces = [{ url: "/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    const text = JSON.stringify({ name: "A", capabilities: {}, supportedInterfaces });
    await using server = await listen((_, response) => {
      reply(response, Buffer.from(`\uFEFF${text}`), { type: "text/plain" });
    });
    expect((await connect(server.url)).card.name).toBe("A");
  });

  it("ends with its signal, its deadline, and a card that has no end", async () => {
    await using silent = await listen(() => undefined);
    expect((await failure(connect(silent.url, { discoveryTimeoutMs: 20 }))).reason).toBe("TIMEOUT");
    expect((await failure(connect(silent.url, { signal: AbortSignal.abort() }))).reason).toBe("ABORTED");
    await using endless = await listen((_, response) => {
      response.write("{");
      const more = (): void => {
        if (response.destroyed) return;
        response.write(" ".repeat(100_000), more);
      };
      more();
    });
    const error = await failure(connect(endless.url, { maxCardBytes: 1_000_000 }));
    expect(error.reason).toBe("PAYLOAD_TOO_LARGE");
    await endless.seen[0]?.closed;
  });

  it("a connection that breaks in the middle of a card is NETWORK", async () => {
    await using server = await listen((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"name":', () => response.destroy());
    });
    expect((await failure(connect(server.url))).reason).toBe("NETWORK");
  });

  it("a host that is not there is NETWORK, with the code of the system", async () => {
    const server = await listen(() => undefined);
    await server[Symbol.asyncDispose]();
    const error = await failure(connect(server.url));
    expect(error).toMatchObject({ reason: "NETWORK" });
    expect(error.message).toContain("ECONNREFUSED");
  });
});
