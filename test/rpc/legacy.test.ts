import { describe, expect, it } from "vitest";
import { A2A as A2A02 } from "../../generated/v0.2/index.js";
import { A2A as A2A03 } from "../../generated/v0.3/index.js";
import { A2A as A2A10 } from "../../generated/v1.0/index.js";
import { A2AError } from "../../src/errors.js";
import { createHttpHandler } from "../../src/http/handler.js";
import { createRouter, type RouterOptions } from "../../src/server/router.js";
import { ask, eventsOf, serveHandle, v1 } from "./support.js";

const task = { kind: "task", id: "t1", contextId: "c1", status: { state: "working" } } as const;
const message = { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "text", text: "hi" }] };

const router03 = (options: RouterOptions = {}) =>
  createRouter(
    A2A03,
    {
      sendMessage: ({ message: { messageId } }) => ({ ...task, metadata: { messageId } }),
      async *sendStreamingMessage() {
        yield task;
        yield {
          kind: "status-update",
          taskId: "t1",
          contextId: "c1",
          final: true,
          status: { state: "completed" },
        };
      },
      getTask: ({ id }) => {
        throw new A2AError("TASK_NOT_FOUND", "Task not found", { data: { taskId: id } });
      },
      deleteTaskPushNotificationConfig: () => null,
    },
    options,
  );

const post = (
  server: { port: number },
  method: string,
  params?: unknown,
  headers: Record<string, string> = {},
) => ask(server, "/", { method: "POST", headers, body: { jsonrpc: "2.0", id: "r1", method, params } });

describe("a 0.3 router", () => {
  it("serves calls that name no version, 0.3 or a patch of it", async () => {
    await using server = await serveHandle(router03().handle);
    for (const headers of [
      {},
      { "a2a-version": "0.3" },
      { "a2a-version": "0.3.0" },
      { "a2a-version": "0.2.5" },
    ]) {
      const reply = await post(server, "message/send", { message }, headers);
      expect(reply.headers["content-type"]).toBe("application/json");
      expect(reply.json).toEqual({
        jsonrpc: "2.0",
        id: "r1",
        result: { ...task, metadata: { messageId: "m1" } },
      });
    }
    expect((await post(server, "message/send", { message }, v1)).json.error.code).toBe(-32009);
  });

  it("streams JSON-RPC responses", async () => {
    await using server = await serveHandle(router03().handle);
    const reply = await post(server, "message/stream", { message });
    expect(reply.headers["content-type"]).toBe("text/event-stream");
    expect(eventsOf(reply.text).map(({ data }) => [data.id, data.result.kind])).toEqual([
      ["r1", "task"],
      ["r1", "status-update"],
    ]);
  });

  it("tells errors in the free form of 0.3", async () => {
    await using server = await serveHandle(router03().handle);
    expect((await post(server, "tasks/get", { id: "123" })).json.error).toEqual({
      code: -32001,
      message: "Task not found",
      data: { taskId: "123" },
    });
    expect(
      (await post(server, "message/send", { message: { ...message, parts: "x" } })).json.error.code,
    ).toBe(-32602);
    expect((await post(server, "SendMessage", { message })).json.error.code).toBe(-32601);
    expect((await post(server, "tasks/cancel", { id: "1" })).json.error).toEqual({
      code: -32004,
      message: "This agent does not offer CancelTask",
    });
    const missing = { message: { kind: "message", messageId: "m1", role: "user" } };
    expect((await post(server, "message/send", missing)).json.error).toMatchObject({ code: -32602 });
  });

  it("answers null to a deletion", async () => {
    await using server = await serveHandle(router03().handle);
    const params = { id: "t1", pushNotificationConfigId: "c1" };
    const reply = await post(server, "tasks/pushNotificationConfig/delete", params);
    expect(reply.text).toBe('{"jsonrpc":"2.0","id":"r1","result":null}');
  });

  it("speaks the ProtoJSON form over HTTP+JSON, below /v1", async () => {
    await using server = await serveHandle(router03().handle);
    const headers = { "content-type": "application/json" };
    const body = { message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] } };
    const sent = await ask(server, "/v1/message:send", { method: "POST", headers, body });
    expect(sent.json).toEqual({
      task: {
        id: "t1",
        contextId: "c1",
        status: { state: "TASK_STATE_WORKING" },
        metadata: { messageId: "m1" },
      },
    });
    const streamed = await ask(server, "/v1/message:stream", { method: "POST", headers, body });
    expect(eventsOf(streamed.text).map(({ data }) => data)).toMatchObject([
      { task: { id: "t1" } },
      { statusUpdate: { final: true, status: { state: "TASK_STATE_COMPLETED" } } },
    ]);
    expect((await ask(server, "/v1/tasks/t1")).status).toBe(404);
    expect((await ask(server, "/message:send", { method: "POST", headers, body })).status).toBe(404);
  });

  it("tells a failure inside an HTTP+JSON stream as an event of its own", async () => {
    const failing = createRouter(A2A03, {
      async *sendStreamingMessage() {
        yield task;
        throw new A2AError("UNSUPPORTED_OPERATION", "Not any more");
      },
    });
    await using server = await serveHandle(failing.handle);
    const body = { message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] } };
    const { text } = await ask(server, "/v1/message:stream", { method: "POST", body });
    expect(text).toMatch(/\n\nevent: error\ndata: {"code":-32004,"message":"Not any more"}\n\n$/);
  });

  it("checks its card: capabilities and required extensions, under the header name of 0.3", async () => {
    const uri = "https://ext.example.com/v1";
    const card = { name: "x", capabilities: { extensions: [{ uri, required: true }] } };
    await using server = await serveHandle(router03({ card }).handle);
    expect((await post(server, "message/send", { message })).json.error.code).toBe(-32008);
    const headers = { "x-a2a-extensions": uri };
    const reply = await post(server, "message/send", { message }, headers);
    expect(reply.json.result.id).toBe("t1");
    expect(reply.headers["x-a2a-extensions"]).toBe(uri);
    expect((await post(server, "message/stream", { message }, headers)).json.error.code).toBe(-32004);
    expect((await ask(server, "/.well-known/agent-card.json")).json).toEqual(card);
  });
});

describe("a 0.2 router", () => {
  const router = createRouter(A2A02, { sendMessage: () => task }, { card: { name: "x", capabilities: {} } });

  it("serves calls without a version and its own well-known path", async () => {
    await using server = await serveHandle(router.handle);
    expect((await post(server, "message/send", { message })).json.result).toEqual(task);
    expect((await post(server, "message/send", { message }, { "a2a-version": "0.2.6" })).json.result).toEqual(
      task,
    );
    expect((await post(server, "message/send", { message }, { "a2a-version": "0.3" })).json.error.code).toBe(
      -32009,
    );
    expect((await ask(server, "/.well-known/agent.json")).json.name).toBe("x");
  });
});

describe("three versions behind one handler", () => {
  it("are told apart by header and method", async () => {
    const newest = createRouter(A2A10, {
      getTask: ({ id }) => ({ id, status: { state: "TASK_STATE_WORKING" } }),
    });
    const oldest = createRouter(A2A02, { sendMessage: () => ({ ...task, id: "oldest" }) });
    await using server = await serveHandle(createHttpHandler({ routers: [oldest, newest, router03()] }));
    expect((await post(server, "message/send", { message })).json.result.id).toBe("t1");
    expect((await post(server, "message/send", { message }, { "a2a-version": "0.2" })).json.result.id).toBe(
      "oldest",
    );
    expect((await post(server, "GetTask", { id: "a" }, v1)).json.result.id).toBe("a");
    expect((await post(server, "GetTask", { id: "a" })).json.error).toMatchObject({
      code: -32009,
      message: expect.stringContaining("A2A-Version: 1.0"),
    });
  });
});
