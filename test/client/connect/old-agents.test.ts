import { describe, expect, it } from "vitest";
import { connect, type Agent, type ClientWarning, type ConnectOptions } from "a2a-typed/client";
import { data, userMessage } from "a2a-typed/v1";
import { drain, failure, reply, type TestServer } from "../support.js";
import {
  callsOf,
  oldCard,
  OldError,
  oldChunk,
  oldMessage,
  oldStatus,
  oldTask,
  startOldAgent,
  streamOf,
  type OldAgentOptions,
} from "./legacy-agent.js";

/** An agent of 0.x, connected to. */
async function meet(
  options: OldAgentOptions,
  own: ConnectOptions = {},
): Promise<{ server: TestServer; agent: Agent; warnings: ClientWarning[] } & AsyncDisposable> {
  const server = await startOldAgent(options);
  const warnings: ClientWarning[] = [];
  const agent = await connect(server.url, { onWarning: (warning) => warnings.push(warning), ...own });
  return {
    server,
    agent,
    warnings,
    async [Symbol.asyncDispose]() {
      await agent.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const hello = { message: userMessage("hello", { messageId: "m1" }) };
const oldHello = { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "text", text: "hello" }] };

describe("an agent of 0.3, in the shapes of 1.0", () => {
  it("is asked for its card in the newest version, and called in its own (A2A-A.2.1-c)", async () => {
    await using met = await meet(
      { methods: { "message/send": () => oldTask("completed") } },
      { extensions: ["urn:a"] },
    );
    const { agent, server, warnings } = met;
    expect(agent).toMatchObject({
      protocolVersion: "0.3",
      cardUrl: `${server.url}/.well-known/agent-card.json`,
    });
    expect(agent.card).toMatchObject({
      name: "Old agent",
      supportedInterfaces: [{ url: `${server.url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "0.3" }],
    });
    expect(agent.document).toEqual(JSON.parse(JSON.stringify(oldCard(`${server.url}/rpc`))));
    expect(server.seen[0]?.headers["a2a-version"]).toBe("1.0");
    expect(await agent.sendMessage(hello)).toEqual({
      task: {
        id: "t1",
        contextId: "c1",
        status: { state: "TASK_STATE_COMPLETED", timestamp: "2025-01-02T03:04:05Z" },
      },
    });
    const [call] = callsOf(server);
    expect(call?.json).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "message/send",
      params: { message: oldHello },
    });
    expect(call?.headers).toMatchObject({
      "a2a-version": "0.3",
      "a2a-extensions": "urn:a",
      "x-a2a-extensions": "urn:a",
    });
    expect(warnings).toEqual([]);
  });

  it("is understood without the context and the kind that early agents leave out", async () => {
    await using met = await meet({
      methods: {
        "message/send": () => ({ id: "t1", status: { state: "working" } }),
        "tasks/get": () => ({ kind: "task", id: "t1", status: { state: "completed" } }),
      },
    });
    expect(await met.agent.sendMessage(hello)).toEqual({
      task: { id: "t1", status: { state: "TASK_STATE_WORKING" } },
    });
    expect(await met.agent.getTask({ id: "t1" })).toEqual({
      id: "t1",
      status: { state: "TASK_STATE_COMPLETED" },
    });
    expect(met.warnings.map(({ method, code }) => `${method} ${code}`)).toEqual([
      "sendMessage missing_member",
      "sendMessage missing_tag",
      "getTask missing_member",
    ]);
  });

  it("tells what could not be carried over, where", async () => {
    await using met = await meet({ methods: { "message/send": () => oldMessage("hi") } });
    const part = data([1], { mediaType: "application/json" });
    const answer = await met.agent.sendMessage({
      message: userMessage([part]),
      configuration: { historyLength: 0 },
    });
    expect(answer).toEqual({ message: { messageId: "m2", role: "ROLE_AGENT", parts: [{ text: "hi" }] } });
    expect(callsOf(met.server)[0]?.json.params).toMatchObject({
      message: { parts: [{ kind: "data", data: { value: [1] }, metadata: { data_part_compat: true } }] },
      configuration: { historyLength: 0, blocking: true },
    });
    expect(met.warnings).toEqual([
      {
        method: "sendMessage",
        code: "dropped",
        pointer: "/message/parts/0/mediaType",
        message: "dropped on the way to A2A 0.3",
      },
    ]);
  });

  it("keeps media types under a metadata key, where both sides are told to", async () => {
    const echo = (params: Readonly<Record<string, unknown>>): object => ({
      ...(params["message"] as object),
      role: "agent",
    });
    await using met = await meet({ methods: { "message/send": echo } }, { stashMediaTypes: true });
    const part = { text: "<b>hi</b>", mediaType: "text/html" };
    const { message } = await met.agent.sendMessage({ message: userMessage([part]) });
    expect(message?.parts).toEqual([part]);
    expect(met.warnings).toEqual([]);
  });

  it.each([
    [new OldError(-32001, "No task", "t9"), { reason: "TASK_NOT_FOUND", code: -32001, message: "No task" }],
    [new OldError(-32002, "Done"), { reason: "TASK_NOT_CANCELABLE" }],
    [new OldError(-32007, "None"), { reason: "EXTENDED_AGENT_CARD_NOT_CONFIGURED" }],
    [new OldError(-32600, "No"), { reason: "INVALID_REQUEST" }],
    [new OldError(-32099, "Odd"), { code: -32099 }],
  ])("names its errors as 1.0 does: %j", async (error, wanted) => {
    await using met = await meet({ methods: { "tasks/cancel": () => error } });
    expect(await failure(met.agent.cancelTask({ id: "t9" }))).toMatchObject(wanted);
  });

  it("has no list of tasks, and is not asked for one", async () => {
    await using met = await meet({ methods: {} });
    const error = await failure(met.agent.listTasks());
    expect(error).toMatchObject({ reason: "UNSUPPORTED_OPERATION", code: -32004 });
    expect(error.message).toContain("A2A 0.3, which the agent speaks, has no ListTasks");
    expect(callsOf(met.server)).toEqual([]);
  });

  it("keeps webhooks: nested configurations, a bare list, nothing after a deletion", async () => {
    const nested = { taskId: "t1", pushNotificationConfig: { id: "p1", url: "https://h.example.com/" } };
    const flat = { taskId: "t1", id: "p1", url: "https://h.example.com/" };
    await using met = await meet({
      methods: {
        "tasks/pushNotificationConfig/set": (params) => params,
        "tasks/pushNotificationConfig/get": () => nested,
        "tasks/pushNotificationConfig/list": () => [nested],
        "tasks/pushNotificationConfig/delete": () => null,
      },
    });
    const { agent, server } = met;
    expect(await agent.createTaskPushNotificationConfig(flat)).toEqual(flat);
    expect(await agent.getTaskPushNotificationConfig({ taskId: "t1", id: "p1" })).toEqual(flat);
    expect(await agent.listTaskPushNotificationConfigs({ taskId: "t1" })).toEqual({ configs: [flat] });
    expect(await agent.deleteTaskPushNotificationConfig({ taskId: "t1", id: "p1" })).toEqual({});
    expect(callsOf(server).map(({ json }) => json.params)).toEqual([
      nested,
      { id: "t1", pushNotificationConfigId: "p1" },
      { id: "t1" },
      { id: "t1", pushNotificationConfigId: "p1" },
    ]);
  });

  it.each([
    ["{}", {}],
    ["an absent result", undefined],
    ["true", "refused"],
  ])("a deletion may be answered by %s", async (_, result) => {
    await using met = await meet({ methods: { "tasks/pushNotificationConfig/delete": () => result } });
    const deletion = met.agent.deleteTaskPushNotificationConfig({ taskId: "t1", id: "p1" });
    if (result === "refused") expect((await failure(deletion)).reason).toBe("DECODE");
    else expect(await deletion).toEqual({});
  });

  it.each([
    ["an absent result", undefined],
    ["the object of 1.0", { configs: [] }],
  ])("a list without webhooks may be answered by %s", async (_, result) => {
    await using met = await meet({ methods: { "tasks/pushNotificationConfig/list": () => result ?? null } });
    expect((await met.agent.listTaskPushNotificationConfigs({ taskId: "t1" })).configs ?? []).toEqual([]);
  });

  it("gives its extended card in the newest shape, however it is written", async () => {
    await using met = await meet({
      methods: {
        "agent/getAuthenticatedExtendedCard": () =>
          oldCard("/rpc", {
            name: "More",
            securitySchemes: { k: { type: "x402" }, b: { type: "http", scheme: "bearer" } },
            security: [{ k: [] }],
            provider: { name: "Org", url: "" },
          }),
      },
    });
    const card = await met.agent.getExtendedAgentCard();
    expect(card).toMatchObject({
      name: "More",
      provider: { organization: "Org" },
      securitySchemes: { b: { httpAuthSecurityScheme: { scheme: "bearer" } } },
      securityRequirements: [{ schemes: { k: { list: [] } } }],
      supportedInterfaces: [{ url: `${met.server.url}/rpc`, protocolVersion: "0.3" }],
    });
    expect(callsOf(met.server)[0]?.body).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"agent/getAuthenticatedExtendedCard"}',
    );
  });
});

describe("streams of 0.3", () => {
  it("come as events of 1.0, with the ids of the server, and end with the final one", async () => {
    const events = [oldTask("submitted"), oldChunk("a"), oldStatus("completed", true)];
    await using met = await meet({
      methods: { "message/stream": streamOf(events, { end: false, ids: true }) },
    });
    const stream = met.agent.sendStreamingMessage(hello);
    const read = await drain(stream);
    expect(read.error).toBeUndefined();
    expect(read.events.map((event) => Object.keys(event)[0])).toEqual([
      "task",
      "artifactUpdate",
      "statusUpdate",
    ]);
    expect(read.events.at(-1)).toEqual({
      statusUpdate: { taskId: "t1", contextId: "c1", status: { state: "TASK_STATE_COMPLETED" } },
    });
    expect(stream.lastEventId).toBe("3");
    // The server had left the stream open: the client closed it.
    await callsOf(met.server)[0]?.closed;
  });

  it.each([
    [
      "a final update of a task that goes on",
      [oldTask("working"), oldStatus("working", true)],
      undefined,
      // 1.0 has no such thing.
      ["dropped /final"],
    ],
    [
      "an update first, as 0.3 allows",
      [oldStatus("working", false), oldStatus("completed", true)],
      undefined,
    ],
    ["a message", [oldMessage("hi")], undefined],
    ["a finished task", [oldTask("completed")], undefined],
    ["an update that is not final", [oldTask("working"), oldStatus("working", false)], "STREAM_CUT"],
    ["nothing", [], "STREAM_CUT"],
  ])("end after %s", async (_, events, reason, warned: string[] = []) => {
    await using met = await meet({ methods: { "message/stream": streamOf(events) } });
    const read = await drain(met.agent.sendStreamingMessage(hello));
    expect(read.error?.reason).toBe(reason);
    expect(read.events).toHaveLength(events.length);
    expect(met.warnings.map(({ code, pointer }) => `${code} ${pointer ?? ""}`)).toEqual(warned);
  });

  it("pass over events of a kind that nobody knows", async () => {
    const events = [oldTask("working"), { kind: "progress", done: 0.5 }, oldStatus("completed", true)];
    await using met = await meet({ methods: { "message/stream": streamOf(events) } });
    const read = await drain(met.agent.sendStreamingMessage(hello));
    expect(read.error).toBeUndefined();
    expect(read.events).toHaveLength(2);
    expect(met.warnings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "unknown-event: Skipped an event: progress",
    ]);
  });

  it("fail at an event that is wrong", async () => {
    const events = [oldTask("working"), { kind: "status-update", taskId: 7 }];
    await using met = await meet({ methods: { "message/stream": streamOf(events) } });
    const read = await drain(met.agent.sendStreamingMessage(hello));
    expect(read.error?.reason).toBe("DECODE");
    expect(read.events).toHaveLength(1);
  });

  it("break with the reason", async () => {
    await using met = await meet({
      methods: {
        "message/stream": (params, seen, response) => {
          streamOf([oldTask("working")], { end: false })(params, seen, response);
          setImmediate(() => response.destroy());
        },
        "tasks/resubscribe": () => new OldError(-32001, "gone"),
      },
    });
    const read = await drain(met.agent.sendStreamingMessage(hello));
    expect(read.events).toHaveLength(1);
    expect(read.error?.reason).toBe("STREAM_CUT");
    const again = await drain(met.agent.subscribeToTask({ id: "t1" }, { lastEventId: "7" }));
    expect(again.error).toMatchObject({ reason: "TASK_NOT_FOUND", message: "gone" });
    expect(callsOf(met.server).at(-1)).toMatchObject({
      json: { method: "tasks/resubscribe", params: { id: "t1" } },
      headers: { "last-event-id": "7" },
    });
  });

  it("of a page instead of events fail with what came", async () => {
    await using met = await meet({
      methods: {
        "message/stream": (_, __, response) => {
          reply(response, "<html>login</html>", { type: "text/html" });
        },
      },
    });
    const read = await drain(met.agent.sendStreamingMessage(hello));
    expect(read.error?.reason).toBe("DECODE");
    expect(read.error?.message).toContain("text/html");
  });
});

describe("an agent of 0.2", () => {
  const card = (members: object) => (url: string) => oldCard(url, members);

  it("is found at its old path, and gets what its version demands (A2A-A.2.1-c)", async () => {
    await using met = await meet({
      cardPath: "/.well-known/agent.json",
      card: card({ protocolVersion: "0.2.5" }),
      methods: { "message/send": () => oldTask("completed") },
    });
    expect(met.agent.protocolVersion).toBe("0.2");
    await met.agent.sendMessage({ ...hello, configuration: { returnImmediately: true } });
    const [call] = callsOf(met.server);
    expect(call?.headers["a2a-version"]).toBe("0.2");
    expect(call?.json.params).toEqual({
      message: oldHello,
      configuration: { blocking: false, acceptedOutputModes: [] },
    });
  });

  it("of an unknown minor version gets the list of output modes that the oldest demand", async () => {
    await using met = await meet({
      card: card({ protocolVersion: undefined }),
      methods: {
        "message/send": () => oldTask("completed"),
        "message/stream": streamOf([oldTask("completed")]),
      },
    });
    expect(met.agent.interface).toMatchObject({ protocolVersion: "0.3", assumed: true });
    await drain(met.agent.sendStreamingMessage({ ...hello, configuration: {} }));
    await met.agent.sendMessage({ ...hello, configuration: {} });
    await met.agent.sendMessage({ ...hello, configuration: { acceptedOutputModes: ["text/plain"] } });
    await met.agent.sendMessage(hello);
    expect(
      callsOf(met.server).map(({ json }) => (json.params as { configuration?: object }).configuration),
    ).toEqual([
      { blocking: true, acceptedOutputModes: [] },
      { blocking: true, acceptedOutputModes: [] },
      { blocking: true, acceptedOutputModes: ["text/plain"] },
      undefined,
    ]);
  });

  it.each([["0.2.6"], [undefined]])("serves its extended card by GET (%s)", async (protocolVersion) => {
    await using met = await meet(
      {
        card: card({ protocolVersion }),
        methods: {},
        pages: { "/agent/authenticatedExtendedCard": oldCard("/rpc", { name: "More" }) },
      },
      { headers: { authorization: "Bearer x" }, extensions: ["urn:a"] },
    );
    const { name, supportedInterfaces } = await met.agent.getExtendedAgentCard(
      {},
      { headers: { "x-call": "1" } },
    );
    expect(name).toBe("More");
    expect(supportedInterfaces[0]?.url).toBe(`${met.server.url}/rpc`);
    expect(met.server.seen.at(-1)).toMatchObject({
      url: "/agent/authenticatedExtendedCard",
      headers: { authorization: "Bearer x", "x-call": "1" },
    });
  });

  it("serves it next to its URL, with or without a slash at the end, and nothing else by GET", async () => {
    await using met = await meet({
      card: (url) => oldCard(`${url}/`, { protocolVersion: "0.2.6" }),
      methods: { "tasks/get": () => new OldError(-32601, "no") },
      pages: { "/agent/authenticatedExtendedCard": oldCard("/rpc", { name: "More" }) },
    });
    expect((await met.agent.getExtendedAgentCard()).name).toBe("More");
    expect((await failure(met.agent.getTask({ id: "t1" }))).reason).toBe("METHOD_NOT_FOUND");
    expect(met.server.seen.filter(({ method }) => method === "GET")).toHaveLength(2);
  });

  it("without an extended card says so", async () => {
    await using met = await meet({ card: card({ protocolVersion: "0.2.6" }), methods: {} });
    expect(await failure(met.agent.getExtendedAgentCard())).toMatchObject({ reason: "HTTP", status: 404 });
  });
});
