import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2AError } from "../../src/errors.js";
import { JsonText } from "../../src/json-text.js";
import { ask, rpc, send, serve, task, v1, type Answer } from "./support.js";

let server: Awaited<ReturnType<typeof serve>>;
const calls: string[] = [];

beforeAll(async () => {
  server = await serve({
    sendMessage: (input) => {
      calls.push(input.message.messageId);
      return { task: task("t1") };
    },
    getTask: ({ id, historyLength }) => {
      if (id === "none") throw new A2AError("TASK_NOT_FOUND", "Task not found", { metadata: { taskId: id } });
      if (id === "boom") throw new Error("password=hunter2 at /srv/db.ts");
      if (id === "network") throw new A2AError("NETWORK", "connect ECONNREFUSED 10.0.0.7:5432");
      if (id === "limited") {
        throw new A2AError("RESOURCE_EXHAUSTED", "Too many requests", { headers: { "retry-after": "2" } });
      }
      if (id === "text")
        return new JsonText('{"id":"text","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}');
      if (id === "bigint") return { ...task("1"), metadata: { n: 1n } } as never;
      return { ...task(id), ...(historyLength !== undefined && { metadata: { historyLength } }) };
    },
    deleteTaskPushNotificationConfig: () => undefined as never,
  });
});
afterAll(() => server.close());

const post = (body: unknown, headers: Record<string, string> = v1, path = "/"): Promise<Answer> =>
  ask(server, path, { method: "POST", headers, body });

describe("a call", () => {
  it("is answered with its id, as application/json with a length (A2A-9.1-b, A2A-JR-a, A2A-JR-b)", async () => {
    const reply = await rpc(server, "GetTask", { id: "a" });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(reply.text)),
      "x-content-type-options": "nosniff",
    });
    expect(reply.json).toEqual({ jsonrpc: "2.0", id: 1, result: task("a") });
  });

  it.each([["/"], ["/?x=1"], ["//".slice(1)]])("is taken at %s (A2A-9.1-a)", async (path) => {
    const reply = await post({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "a" } }, v1, path);
    expect(reply.json.result).toEqual(task("a"));
  });

  it.each(["s", "", 0, -1, 1.5, 2 ** 53, null])("echoes the id %j as it came (A2A-JR-a)", async (id) => {
    const reply = await post({ jsonrpc: "2.0", id, method: "GetTask", params: { id: "a" } });
    expect(reply.json).toEqual({ jsonrpc: "2.0", id, result: task("a") });
  });

  it("may have snake_case params, numbers as strings and unknown members (A2A-PJ-b, A2A-PJ-g, A2A-5.7-f)", async () => {
    const reply = await rpc(server, "GetTask", { id: "a", history_length: "2", novel: true });
    expect(reply.json.result.metadata).toEqual({ historyLength: 2 });
  });

  it("may leave params out where none is required; missing members are listed otherwise", async () => {
    const reply = await rpc(server, "SendMessage");
    expect(reply.json.error).toMatchObject({
      code: -32602,
      data: [
        { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field: "message" }] },
      ],
    });
    expect((await rpc(server, "ListTasks")).json.error.code).toBe(-32004);
    expect((await rpc(server, "ListTasks", null)).json.error.code).toBe(-32004);
  });

  it("gives a text that is already encoded as it is", async () => {
    expect((await rpc(server, "GetTask", { id: "text" })).json.result).toEqual(task("text"));
  });

  it("answers {} where the handler gives nothing (deletion)", async () => {
    const reply = await rpc(server, "DeleteTaskPushNotificationConfig", { taskId: "t", id: "c" });
    expect(reply.text).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
  });

  it("with the last of two equal keys", async () => {
    const reply = await post(
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"GetTask","params":{"id":"a","id":"b"}}',
    );
    expect(reply.json).toEqual({ jsonrpc: "2.0", id: 2, result: task("b") });
  });
});

describe("what is refused (A2A-JR-d, A2A-JR-e, A2A-9.1-c, A2A-JR-b)", () => {
  it.each([
    ["no JSON", "{", -32700, null],
    ["nothing", "", -32700, null],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"GetTask"}]', -32600, null],
    ["an empty batch", "[]", -32600, null],
    ["null", "null", -32600, null],
    ["a number", "7", -32600, null],
    ["no jsonrpc", '{"id":1,"method":"GetTask","params":{"id":"a"}}', -32600, 1],
    ["jsonrpc 1.0", '{"jsonrpc":"1.0","id":"x","method":"GetTask"}', -32600, "x"],
    ["jsonrpc as a number", '{"jsonrpc":2.0,"id":1,"method":"GetTask"}', -32600, 1],
    ["no method", '{"jsonrpc":"2.0","id":3}', -32600, 3],
    ["a method that is no string", '{"jsonrpc":"2.0","id":3,"method":4}', -32600, 3],
    [
      "an id that is an object",
      '{"jsonrpc":"2.0","id":{"a":1},"method":"GetTask","params":{"id":"t1"}}',
      -32600,
      null,
    ],
    ["an id that is a boolean", '{"jsonrpc":"2.0","id":true,"method":"GetTask"}', -32600, null],
    ["params as a list", '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":["a"]}', -32602, 1],
    ["params as text", '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":"a"}', -32602, 1],
    ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"Nope"}', -32601, 1],
    ["a 0.3 method", '{"jsonrpc":"2.0","id":1,"method":"message/send"}', -32601, 1],
    ["a method in lower case", '{"jsonrpc":"2.0","id":1,"method":"getTask"}', -32601, 1],
    ["a member of Object.prototype", '{"jsonrpc":"2.0","id":1,"method":"constructor"}', -32601, 1],
    ["an empty message", '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{}}', -32602, 1],
  ])("%s", async (_name, body, code, id) => {
    const reply = await post(body);
    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(reply.json).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
    expect(Object.keys(reply.json)).toEqual(["jsonrpc", "id", "error"]);
    expect(reply.json.error.message).not.toBe("");
  });

  it("a notification is answered with nothing and not run (A2A-JR-e)", async () => {
    calls.length = 0;
    const reply = await post({ jsonrpc: "2.0", method: "SendMessage", params: send() });
    expect(reply).toMatchObject({ status: 204, text: "" });
    expect(calls).toEqual([]);
  });

  it.each([
    ["parts as text", { message: { messageId: "m", role: "ROLE_USER", parts: "x" } }],
    ["empty parts", { message: { messageId: "m", role: "ROLE_USER", parts: [] } }],
    ["an empty part", { message: { messageId: "m", role: "ROLE_USER", parts: [{}] } }],
    ["two contents in a part", send("x", { parts: [{ text: "a", url: "https://x.example" }] })],
    ["an unknown role", send("x", { role: "ROLE_FOO" })],
    ["a messageId that is an object", send("x", { messageId: { a: 1 } })],
  ])("%s does not reach the handler and is named", async (_name, params) => {
    calls.length = 0;
    const reply = await rpc(server, "SendMessage", params);
    expect(reply.json.error).toMatchObject({
      code: -32602,
      data: [{ fieldViolations: [{ field: expect.stringMatching(/^message/) }] }],
    });
    expect(calls).toEqual([]);
  });
});

describe("media types", () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "a" } });

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/a2a+json",
    "application/vnd.x+json",
  ])("%s is taken", async (type) => {
    expect((await post(body, { ...v1, "content-type": type })).json.result).toEqual(task("a"));
  });

  it("none at all is taken", async () => {
    expect((await post(body, { "a2a-version": "1.0" })).json.result).toEqual(task("a"));
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])(
    "%j is refused with -32005 before the body is parsed",
    async (type) => {
      const reply = await post("{'not': json}", { ...v1, "content-type": type });
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({
        id: null,
        error: { code: -32005, data: [{ reason: "CONTENT_TYPE_NOT_SUPPORTED", domain: "a2a-protocol.org" }] },
      });
    },
  );
});

describe("errors of handlers", () => {
  it("an A2AError is told with its ErrorInfo", async () => {
    const reply = await rpc(server, "GetTask", { id: "none" });
    expect(reply.status).toBe(200);
    expect(reply.json.error).toEqual({
      code: -32001,
      message: "Task not found",
      data: [
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "TASK_NOT_FOUND",
          domain: "a2a-protocol.org",
          metadata: { taskId: "none" },
        },
      ],
    });
  });

  it.each(["boom", "network", "bigint"])(
    "%s: nothing of an unknown throw leaks, all of it is logged",
    async (id) => {
      server.log.length = 0;
      const reply = await rpc(server, "GetTask", { id });
      expect(reply.text).toBe('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}');
      expect(server.log).toHaveLength(1);
      expect(server.log[0]).toMatchObject({ message: "a2a: GetTask failed", details: expect.any(Error) });
    },
  );

  it("a rate limit is HTTP 429 with its headers", async () => {
    const reply = await rpc(server, "GetTask", { id: "limited" });
    expect(reply).toMatchObject({
      status: 429,
      headers: { "retry-after": "2" },
      json: { error: { code: -32000 } },
    });
  });

  it("a method without a handler is UNSUPPORTED_OPERATION, never an unknown method", async () => {
    const reply = await rpc(server, "CancelTask", { id: "a" });
    expect(reply.json.error).toMatchObject({ code: -32004, data: [{ reason: "UNSUPPORTED_OPERATION" }] });
  });
});

describe("other verbs", () => {
  it.each(["GET", "PUT", "DELETE", "OPTIONS"])("%s on the endpoint is 405 with Allow", async (method) => {
    const reply = await ask(server, "/", { method, headers: v1 });
    expect(reply).toMatchObject({
      status: 405,
      headers: { allow: "POST", "content-type": "application/json" },
      json: { error: { code: 405, status: "NOT_FOUND" } },
    });
  });
});

describe("below a base path", () => {
  it.each([
    ["/a2a/rpc", "/a2a/rpc"],
    ["/a2a/rpc", "/a2a/rpc/"],
    ["a2a/rpc/", "/a2a/rpc?tenant=x"],
  ])("%s serves %s", async (basePath, path) => {
    await using other = await serve({ getTask: ({ id }) => task(id) }, { basePath });
    const body = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "a" } };
    expect((await ask(other, path, { method: "POST", headers: v1, body })).json.result).toEqual(task("a"));
    expect((await ask(other, "/", { method: "POST", headers: v1, body })).status).toBe(404);
    expect((await ask(other, "/a2a/rpcx", { method: "POST", headers: v1, body })).status).toBe(404);
  });
});
