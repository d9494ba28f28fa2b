import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { A2AError } from "../../src/errors.js";
import { ask, send, serve, task, type Ask } from "./support.js";

let server: Awaited<ReturnType<typeof serve>>;
let seen: { method: string; input: unknown; tenant: string | undefined }[] = [];

beforeAll(async () => {
  const handlers = Object.fromEntries(
    Object.entries(A2A.methods).map(([name, { kind }]) => [
      name,
      (input: { id?: string }, ctx: { context: { tenant?: string } }) => {
        seen.push({ method: name, input, tenant: ctx.context.tenant });
        if (input.id === "none") throw new A2AError("TASK_NOT_FOUND", "Task not found");
        if (input.id === "boom") throw new TypeError("secret");
        if (kind === "unary") return name.startsWith("delete") ? undefined : { ok: name };
        return (async function* () {
          yield { task: task("s") };
        })();
      },
    ]),
  );
  server = await serve(handlers);
});
afterAll(() => server.close());

const call = async (path: string, options: Ask = {}) => {
  seen = [];
  const reply = await ask(server, path, {
    ...options,
    headers: { "a2a-version": "1.0", ...options.headers },
  });
  return { ...reply, seen: seen[0] };
};
const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });

describe("routes", () => {
  it.each([
    ["POST", "/message:send", "sendMessage", send()],
    ["POST", "/message:stream", "sendStreamingMessage", send()],
    ["GET", "/tasks/t1", "getTask", undefined],
    ["GET", "/tasks", "listTasks", undefined],
    ["POST", "/tasks/t1:cancel", "cancelTask", undefined],
    ["POST", "/tasks/t1:subscribe", "subscribeToTask", undefined],
    ["GET", "/tasks/t1:subscribe", "subscribeToTask", undefined],
    [
      "POST",
      "/tasks/t1/pushNotificationConfigs",
      "createTaskPushNotificationConfig",
      { url: "https://x.example" },
    ],
    ["GET", "/tasks/t1/pushNotificationConfigs/c1", "getTaskPushNotificationConfig", undefined],
    ["GET", "/tasks/t1/pushNotificationConfigs", "listTaskPushNotificationConfigs", undefined],
    ["DELETE", "/tasks/t1/pushNotificationConfigs/c1", "deleteTaskPushNotificationConfig", undefined],
    ["GET", "/extendedAgentCard", "getExtendedAgentCard", undefined],
  ])(
    "%s %s is %s, also behind a tenant (A2A-11.1-b, A2A-11.3-a, A2A-11.3-b, A2A-11.3-d, A2A-11.5-e)",
    async (method, path, name, body) => {
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const plain = await call(path, { method, headers, body });
      expect(plain.status).toBe(200);
      expect(plain.seen?.method).toBe(name);
      expect(plain.seen?.tenant).toBeUndefined();
      const behind = await call(`/acme${path}`, { method, headers, body });
      expect(behind.status).toBe(200);
      expect(behind.seen).toMatchObject({ method: name, tenant: "acme", input: { tenant: "acme" } });
    },
  );

  it("a deletion is 200 with {}, never 204", async () => {
    const reply = await call("/tasks/t1/pushNotificationConfigs/c1", { method: "DELETE" });
    expect(reply).toMatchObject({ status: 200, text: "{}" });
    expect(reply.seen?.input).toEqual({ taskId: "t1", id: "c1" });
  });

  it("POST …:cancel and :subscribe take no body, {} and null spellings (A2A-11.3-e)", async () => {
    expect((await post("/tasks/t1:cancel")).seen?.input).toEqual({ id: "t1" });
    expect((await post("/tasks/t1:cancel", {})).seen?.input).toEqual({ id: "t1" });
    expect((await post("/tasks/t1:cancel", { metadata: { reason: "user" } })).seen?.input).toEqual({
      id: "t1",
      metadata: { reason: "user" },
    });
    expect((await call("/tasks/t1:cancel", { method: "POST" })).seen?.input).toEqual({ id: "t1" });
  });

  it("prefer the un-prefixed form (A2A-HT-c)", async () => {
    expect((await call("/tasks/tasks")).seen).toMatchObject({ method: "getTask", input: { id: "tasks" } });
    expect((await call("/tasks/tasks/x")).seen).toMatchObject({
      method: "getTask",
      input: { id: "x", tenant: "tasks" },
    });
  });

  it.each(["a/b", "a:b", "100%", "a b", "ü€😀", "x:cancel", "..", "a?b#c", "%2F", "__proto__"])(
    "an id %j arrives as it is (A2A-11.3-c, A2A-11.5-f)",
    async (id) => {
      const segment = encodeURIComponent(id);
      expect((await call(`/tasks/${segment}`)).seen).toMatchObject({ method: "getTask", input: { id } });
      expect((await post(`/tasks/${segment}:cancel`)).seen).toMatchObject({
        method: "cancelTask",
        input: { id },
      });
      expect((await call(`/${segment}/tasks/1`)).seen).toMatchObject({
        tenant: id,
        input: { id: "1", tenant: id },
      });
    },
  );

  it("a colon in a path need not be escaped", async () => {
    expect((await call("/tasks/a:b")).seen).toMatchObject({ method: "getTask", input: { id: "a:b" } });
    expect((await post("/tasks/a:b:cancel")).seen).toMatchObject({
      method: "cancelTask",
      input: { id: "a:b" },
    });
  });

  it.each([
    "/nope",
    "/tasks/",
    "/tasks/a/b/c/d",
    "/message:send/",
    "/tasks/t1/pushNotificationConfigs/",
    "//tasks",
  ])("GET %s is 404 in JSON", async (path) => {
    const reply = await call(path);
    expect(reply).toMatchObject({
      status: 404,
      headers: { "content-type": expect.stringMatching(/json/) },
      json: { error: { code: 404, status: "NOT_FOUND", message: "No such route" } },
    });
    expect(reply.headers["allow"]).toBeUndefined();
  });

  it.each([
    ["DELETE", "/tasks/t1", "GET"],
    ["POST", "/tasks/t1", "GET"],
    ["GET", "/message:send", "POST"],
    ["PATCH", "/tasks/t1/pushNotificationConfigs", "GET, POST"],
    ["PUT", "/tasks/t1:subscribe", "GET, POST"],
    ["HEAD", "/acme/tasks", "GET"],
  ])("%s %s is 405 with Allow: %s", async (method, path, allow) => {
    const reply = await call(path, { method });
    expect(reply.status).toBe(405);
    expect(reply.headers["allow"]).toBe(allow);
    if (method !== "HEAD") expect(reply.json.error).toMatchObject({ code: 405, status: "NOT_FOUND" });
  });

  it("lie below the base path only (A2A-11.3-a)", async () => {
    await using other = await serve({ getTask: ({ id }) => task(id) }, { basePath: "/a2a/json/" });
    const headers = { "a2a-version": "1.0" };
    expect((await ask(other, "/a2a/json/tasks/1", { headers })).json).toEqual(task("1"));
    expect((await ask(other, "/tasks/1", { headers })).status).toBe(404);
    expect((await ask(other, "/a2a/jsontasks/1", { headers })).status).toBe(404);
  });
});

describe("inputs", () => {
  it("query: both spellings, numbers, booleans, enums and escapes (A2A-11.5-a, A2A-11.5-b, A2A-11.5-c, A2A-11.5-f, A2A-HT-a)", async () => {
    const query =
      "contextId=a%2Bb%26c&page_size=5&status=TASK_STATE_WORKING&includeArtifacts=true" +
      "&statusTimestampAfter=2026-01-01T00%3A00%3A00%2B01%3A00&historyLength=0&pageToken=%2B%3D&novel=1&A2A-Version=9";
    expect((await call(`/tasks?${query}`)).seen?.input).toEqual({
      contextId: "a+b&c",
      pageSize: 5,
      status: "TASK_STATE_WORKING",
      includeArtifacts: true,
      statusTimestampAfter: "2025-12-31T23:00:00Z",
      historyLength: 0,
      pageToken: "+=",
    });
  });

  it.each([
    ["includeArtifacts=TRUE", "includeArtifacts"],
    ["includeArtifacts=1", "includeArtifacts"],
    ["pageSize=abc", "pageSize"],
    ["pageSize=1.5", "pageSize"],
    ["status=working", "status"],
    ["contextId=a&contextId=b", "contextId"],
    ["statusTimestampAfter=yesterday", "statusTimestampAfter"],
  ])("query %s is 400 with the field (A2A-11.5-c, A2A-11.6-c)", async (query, field) => {
    const reply = await call(`/tasks?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatchObject({
      code: 400,
      status: "INVALID_ARGUMENT",
      details: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field }] }],
    });
    expect(reply.seen).toBeUndefined();
  });

  it("path and body: the path fills in, equal values pass, others are 400 (A2A-11.3-f, A2A-HT-a)", async () => {
    const path = "/tasks/t1/pushNotificationConfigs";
    const url = "https://x.example";
    for (const extra of [{}, { taskId: "t1" }, { task_id: "t1" }, { taskId: "" }, { taskId: null }]) {
      const reply = await post(path, { url, ...extra });
      expect(reply.seen?.input, JSON.stringify(extra)).toEqual({ url, taskId: "t1" });
    }
    for (const extra of [{ taskId: "t2" }, { task_id: "t2" }, { taskId: 1 }]) {
      const reply = await post(path, { url, ...extra });
      expect(reply.status).toBe(400);
      expect(reply.json.error).toMatchObject({
        status: "INVALID_ARGUMENT",
        details: [{ fieldViolations: [{ field: "taskId" }] }],
      });
      expect(reply.seen).toBeUndefined();
    }
    expect((await call("/tasks/t1?id=t2")).status).toBe(400);
    expect((await call("/tasks/t1?id=t1")).seen?.input).toEqual({ id: "t1" });
  });

  it("one tenant in path, query and body; two are 400 (A2A-11.3-b)", async () => {
    expect((await call("/tasks/1?tenant=a")).seen).toMatchObject({
      tenant: "a",
      input: { id: "1", tenant: "a" },
    });
    expect((await call("/a/tasks/1?tenant=a")).seen?.tenant).toBe("a");
    expect((await post("/message:send", { ...send(), tenant: "a" })).seen?.tenant).toBe("a");
    expect((await post("/message:send?tenant=a", send())).seen?.tenant).toBe("a");
    expect((await post("/a/message:send?tenant=", { ...send(), tenant: "" })).seen?.tenant).toBe("a");
    for (const reply of [
      await call("/a/tasks/1?tenant=b"),
      await post("/a/message:send", { ...send(), tenant: "b" }),
      await post("/message:send?tenant=a", { ...send(), tenant: "b" }),
    ]) {
      expect(reply.status).toBe(400);
      expect(reply.json.error.details[0].fieldViolations[0].field).toBe("tenant");
      expect(reply.seen).toBeUndefined();
    }
  });

  it.each([
    ["{", "Invalid JSON payload"],
    ["[]", "The request body must be a JSON object"],
    ['"x"', "The request body must be a JSON object"],
  ])("a body %s is 400", async (body, message) => {
    const reply = await post("/message:send", body);
    expect(reply.status).toBe(400);
    expect(reply.json).toEqual({ error: { code: 400, status: "INVALID_ARGUMENT", message } });
  });

  it.each([
    ["an empty body", undefined],
    ["a body of null", "null"],
  ])("%s where fields are required lists them", async (_, body) => {
    const reply = await post("/message:send", body);
    expect(reply.json.error).toMatchObject({
      code: 400,
      details: [{ fieldViolations: [{ field: "message" }] }],
    });
  });
});

describe("media types", () => {
  it.each([
    [undefined, "application/a2a+json"],
    ["*/*", "application/a2a+json"],
    ["application/*", "application/a2a+json"],
    ["application/json", "application/json"],
    ["application/a2a+json", "application/a2a+json"],
    ["application/a2a+json, application/json", "application/a2a+json"],
    ["application/json;q=0.9, application/a2a+json;q=0.1", "application/json"],
    ["application/json;q=0, application/a2a+json", "application/a2a+json"],
    ["text/html", "application/a2a+json"],
    ["Application/JSON; charset=utf-8", "application/json"],
  ])("GET with Accept %s is answered as %s, errors too (A2A-11.1-a)", async (accept, type) => {
    const headers = accept === undefined ? {} : { accept };
    expect((await call("/tasks/1", { headers })).headers["content-type"]).toBe(type);
    expect((await call("/tasks/none", { headers })).headers["content-type"]).toBe(type);
  });

  it("without Accept the reply has the type of the request (A2A-11.1-a)", async () => {
    for (const type of ["application/json", "application/a2a+json"]) {
      expect((await post("/message:send", send(), { "content-type": type })).headers["content-type"]).toBe(
        type,
      );
    }
    expect(
      (await post("/message:send", send(), { "content-type": "application/json", accept: "*/*" })).headers[
        "content-type"
      ],
    ).toBe("application/json");
  });

  it.each(["text/plain", "multipart/form-data; boundary=x"])(
    "%s is 400 before the body is parsed (A2A-11.1-a)",
    async (type) => {
      const reply = await post("/message:send", "not json", { "content-type": type });
      expect(reply.status).toBe(400);
      expect(reply.json.error).toMatchObject({
        code: 400,
        status: "INVALID_ARGUMENT",
        details: [{ reason: "CONTENT_TYPE_NOT_SUPPORTED", domain: "a2a-protocol.org" }],
      });
    },
  );

  it("errorTable 1.0.0 restores 415 and 409", async () => {
    await using other = await serve(
      {
        cancelTask: () => {
          throw new A2AError("TASK_NOT_CANCELABLE", "Too late");
        },
      },
      { errorTable: "1.0.0" },
    );
    const headers = { "a2a-version": "1.0", "content-type": "text/plain" };
    const refused = await ask(other, "/message:send", { method: "POST", headers, body: "x" });
    expect(refused).toMatchObject({
      status: 415,
      json: { error: { code: 415, status: "INVALID_ARGUMENT" } },
    });
    const late = await ask(other, "/tasks/1:cancel", { method: "POST", headers: { "a2a-version": "1.0" } });
    expect(late).toMatchObject({
      status: 409,
      json: { error: { code: 409, status: "FAILED_PRECONDITION" } },
    });
    const unsupported = await ask(other, "/tasks/1", { headers: { "a2a-version": "1.0" } });
    expect(unsupported).toMatchObject({ status: 400, json: { error: { status: "UNIMPLEMENTED" } } });
  });
});

describe("replies", () => {
  it("are bare, not to be stored, and say what they depend on", async () => {
    const reply = await call("/tasks/1");
    expect(reply.json).toEqual({ ok: "getTask" });
    expect(reply.headers).toMatchObject({
      "cache-control": "no-store",
      vary: "Accept, A2A-Version, A2A-Extensions",
      "x-content-type-options": "nosniff",
      "content-length": String(Buffer.byteLength(reply.text)),
    });
  });

  it("errors carry HTTP status, status name and ErrorInfo (A2A-11.6-a, A2A-11.6-d)", async () => {
    const reply = await call("/tasks/none");
    expect(reply.status).toBe(404);
    expect(reply.json).toEqual({
      error: {
        code: 404,
        status: "NOT_FOUND",
        message: "Task not found",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "TASK_NOT_FOUND",
            domain: "a2a-protocol.org",
          },
        ],
      },
    });
  });

  it("nothing of an unknown throw leaks", async () => {
    server.log.length = 0;
    const reply = await call("/tasks/boom");
    expect(reply).toMatchObject({
      status: 500,
      text: '{"error":{"code":500,"status":"INTERNAL","message":"Internal error"}}',
    });
    expect(server.log).toMatchObject([{ message: "a2a: GetTask failed", details: { message: "secret" } }]);
  });
});
