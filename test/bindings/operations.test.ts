import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { defineAgent, serve, type RunningServer } from "../../src/server.js";
import { ask, eventsOf } from "../rpc/support.js";
import { bindings, call, follow, routes, said, start, stream, type BindingName } from "./peer.js";

let server: RunningServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.close());

const hook = "https://hooks.example.com/a2a";

/** Eleven operations on fresh tasks; ids and times are replaced by what they stand for. */
async function everything(binding: BindingName): Promise<Record<string, unknown>> {
  const on = (operation: string, input: object = {}) => call(server, binding, operation, { ...input });
  const sent = await on("SendMessage", said("go"));
  const { id, contextId } = sent.result.task;
  const asked = await on("SendMessage", said("ask"));
  const waiting = (await on("SendMessage", { ...said("ask"), configuration: { returnImmediately: true } }))
    .result.task;
  const created = await on("CreateTaskPushNotificationConfig", { taskId: id, id: "c1", url: hook });
  const seen = {
    message: (await on("SendMessage", said("message"))).result,
    sent: sent.result,
    asked: asked.result,
    streamed: (await stream(server, binding, "SendStreamingMessage", said("go"))).events,
    task: (await on("GetTask", { id, historyLength: 1 })).result,
    listed: (await on("ListTasks", { contextId, includeArtifacts: true })).result,
    none: (await on("ListTasks", { contextId: "nobody" })).result,
    canceled: (await on("CancelTask", { id: waiting.id, metadata: { why: "test" } })).result,
    created: created.result,
    got: (await on("GetTaskPushNotificationConfig", { taskId: id, id: "c1" })).result,
    configs: (await on("ListTaskPushNotificationConfigs", { taskId: id })).result,
    deleted: (await on("DeleteTaskPushNotificationConfig", { taskId: id, id: "c1" })).result,
    card: (await on("GetExtendedAgentCard")).result,
    over: (await on("SubscribeToTask", { id })).error?.details[0]?.reason,
  };
  return JSON.parse(normal(JSON.stringify(seen))) as Record<string, unknown>;
}

/** Ids in the order they come, and all times alike. */
function normal(text: string): string {
  const ids = new Map<string, string>();
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      const known = ids.get(id) ?? `id-${String(ids.size + 1)}`;
      ids.set(id, known);
      return known;
    })
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time");
}

describe("the eleven operations (A2A-5.1-a, A2A-5.3-a)", () => {
  it("give the same over both bindings (A2A-5.1-b, A2A-11.4-a, A2A-9.4-a, A2A-9.4-c, A2A-9.4-d, A2A-9.4-e, A2A-9.4-g)", async () => {
    const [overRpc, overRest] = [await everything("JSON-RPC"), await everything("HTTP+JSON")];
    expect(overRest).toEqual(overRpc);
    expect(overRpc).toMatchObject({
      message: { message: { role: "ROLE_AGENT", parts: [{ text: "just words" }] } },
      sent: { task: { status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ name: "made" }] } },
      asked: { task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } } },
      task: { history: [{ parts: [{ text: "on it" }] }] },
      listed: { pageSize: 50, totalSize: 1, nextPageToken: "" },
      none: { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 },
      canceled: { status: { state: "TASK_STATE_CANCELED" } },
      created: { id: "c1", url: hook },
      got: { id: "c1", url: hook },
      configs: { configs: [{ id: "c1", url: hook }] },
      deleted: {},
      card: { description: "More of it" },
      over: "UNSUPPORTED_OPERATION",
    });
  });

  it("have the names and routes of the specification, which are all that there are (A2A-5.3-a, A2A-9.1-c)", () => {
    const methods = Object.values(A2A.methods);
    expect(methods.map(({ name }) => name).sort()).toEqual(Object.keys(routes).sort());
    for (const { name, rest } of methods) {
      const [verb, path] = routes[name] ?? [];
      const wanted = path?.({ id: "{id}", taskId: "{taskId}" }).replaceAll("%7B", "{").replaceAll("%7D", "}");
      expect(rest, name).toContainEqual(expect.objectContaining({ verb, path: wanted }));
    }
  });

  it.each(["sendMessage", "sendmessage", "message/send", "SendMessages", "Subscribe"])(
    "%s is no method (A2A-9.1-c)",
    async (method) => {
      expect((await call(server, "JSON-RPC", method, said("go"))).error?.code).toBe(-32601);
    },
  );
});

describe("GetExtendedAgentCard (A2A-9.4-h)", () => {
  it.each([
    ["no params", undefined],
    ["empty params", {}],
    ["a tenant", { tenant: "acme" }],
  ])("takes %s", async (_, params) => {
    const body = { jsonrpc: "2.0", id: 1, method: "GetExtendedAgentCard", params };
    const headers = { "a2a-version": "1.0", "content-type": "application/json" };
    const { json } = await ask(server, "/", { method: "POST", headers, body });
    expect(json).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      result: { name: "Bindings", description: "More of it" },
    });
  });
});

describe.each(bindings)("streams over %s", (binding) => {
  it("task first, then updates in the order they happen, and the end with the task (A2A-11.7-b, A2A-11.7-c, A2A-9.4-b)", async () => {
    const { answer, events } = await stream(server, binding, "SendStreamingMessage", said("go"));
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    expect(events.map((event) => Object.keys(event as object)[0])).toEqual([
      "task",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  });

  it("one message is the whole stream (A2A-11.7-b)", async () => {
    const { events } = await stream(server, binding, "SendStreamingMessage", said("message"));
    expect(events).toMatchObject([{ message: { parts: [{ text: "just words" }] } }]);
  });

  it("a subscription shows the task first and ends with it; one of a finished task is refused (A2A-9.4-f, A2A-11.3-d)", async () => {
    const sent = await call(server, binding, "SendMessage", said("ask"));
    const { id } = sent.result.task;
    // The headers come with the first event, so the subscription stands before the task goes on.
    const following = await follow(server, binding, id);
    expect(following.headers.get("content-type")).toBe("text/event-stream");
    const done = await call(server, binding, "SendMessage", said("go", { taskId: id }));
    expect(done.result.task.status.state).toBe("TASK_STATE_COMPLETED");
    const events = eventsOf(await following.text()).map(({ data }) => data.result ?? data);
    expect(events[0]).toMatchObject({ task: { id, status: { state: "TASK_STATE_INPUT_REQUIRED" } } });
    expect(events.slice(1).filter((event) => "task" in event)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
    const late = await call(server, binding, "SubscribeToTask", { id });
    expect(late.error?.details[0]).toMatchObject({
      reason: "UNSUPPORTED_OPERATION",
      domain: "a2a-protocol.org",
    });
  });
});

describe.each(bindings)("service parameters over %s", (binding) => {
  it("are HTTP headers of any case, several values in one field or repeated (A2A-9.2-a, A2A-9.2-b, A2A-11.2-a, A2A-11.2-b)", async () => {
    const card = {
      ...server.card,
      capabilities: {
        ...server.card.capabilities,
        extensions: [{ uri: "urn:one" }, { uri: "urn:two", required: true }],
      },
    };
    await using extended = await serve(
      defineAgent({
        card: { ...card, supportedInterfaces: [] },
        handle: async (ctx) => ctx.extensions.join(" "),
      }),
      { port: 0, push: true, extendedCard: card, allowPublicExtendedCard: true },
    );
    const reply = await call(extended, binding, "SendMessage", said("x"), {
      "A2A-Extensions": "urn:one , urn:two,urn:three",
    });
    expect(reply.result.task.artifacts[0].parts).toEqual([{ text: "urn:one urn:two" }]);
    expect(reply.headers["a2a-extensions"]).toBe("urn:one, urn:two");
    const missing = await call(extended, binding, "SendMessage", said("x"));
    expect(missing.error?.details[0]?.reason).toBe("EXTENSION_SUPPORT_REQUIRED");
  });
});
