import { describe, expect, it } from "vitest";
import { A2AError } from "../../src/errors.js";
import type { RouterOptions } from "../../src/server/router.js";
import { ask, eventsOf, rpc, send, serve, task, v1, type V1Handlers } from "./support.js";

const handlers: V1Handlers = {
  sendMessage: () => ({ task: task("t") }),
  getTask: (_input, ctx) => {
    ctx.replyHeaders["x-seen"] = JSON.stringify(ctx.context);
    return task("t");
  },
  async *sendStreamingMessage() {
    yield { task: task("t") };
  },
  async *subscribeToTask() {
    yield { task: task("t") };
  },
  listTaskPushNotificationConfigs: () => ({ configs: [] }),
};
const cardOf = (capabilities: object) => ({ name: "x", capabilities });

describe("capabilities of the card", () => {
  const push = { taskId: "t", id: "c", url: "https://x.example" };
  it.each([
    ["SendStreamingMessage", send(), -32004, "UNSUPPORTED_OPERATION"],
    ["SubscribeToTask", { id: "t" }, -32004, "UNSUPPORTED_OPERATION"],
    ["CreateTaskPushNotificationConfig", push, -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
    ["GetTaskPushNotificationConfig", push, -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
    ["ListTaskPushNotificationConfigs", push, -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
    ["DeleteTaskPushNotificationConfig", push, -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
    ["GetExtendedAgentCard", {}, -32004, "UNSUPPORTED_OPERATION"],
  ])("%s without its capability is plain JSON with %s", async (method, params, code, reason) => {
    for (const capabilities of [
      {},
      { streaming: false, pushNotifications: false, extendedAgentCard: false },
    ]) {
      await using server = await serve(handlers, { card: cardOf(capabilities) });
      const reply = await rpc(server, method, params);
      expect(reply.status).toBe(200);
      expect(reply.headers["content-type"]).toBe("application/json");
      expect(reply.json.error).toMatchObject({ code, data: [{ reason }] });
    }
  });

  it("open what they declare", async () => {
    await using server = await serve(handlers, {
      card: cardOf({ streaming: true, pushNotifications: true }),
    });
    expect(eventsOf((await rpc(server, "SendStreamingMessage", send())).text)).toHaveLength(1);
    expect((await rpc(server, "ListTaskPushNotificationConfigs", { taskId: "t" })).json.result).toEqual({
      configs: [],
    });
  });

  it("come after decoding: a bad input is told as such", async () => {
    await using server = await serve(handlers, { card: cardOf({}) });
    expect((await rpc(server, "SubscribeToTask", {})).json.error.code).toBe(-32602);
  });
});

describe("extensions", () => {
  const must = { uri: "https://ext.example.com/must/v1", required: true };
  const may = { uri: "https://ext.example.com/may/v1" };
  const card = cardOf({ extensions: [must, may] });
  const ask1 = (server: { port: number }, extensions?: string) =>
    rpc(
      server,
      "GetTask",
      { id: "t" },
      { ...v1, ...(extensions !== undefined && { "a2a-extensions": extensions }) },
    );

  it("a required one that is not named is -32008, an optional one is not asked for", async () => {
    await using server = await serve(handlers, { card });
    for (const given of [undefined, "", may.uri, "https://ext.example.com/must/v2"]) {
      const reply = await ask1(server, given);
      expect(reply.json.error).toMatchObject({
        code: -32008,
        message: expect.stringContaining(must.uri),
        data: [{ reason: "EXTENSION_SUPPORT_REQUIRED" }],
      });
    }
    const rest = await ask(server, "/tasks/t", { headers: { "a2a-version": "1.0" } });
    expect(rest).toMatchObject({
      status: 400,
      json: { error: { details: [{ reason: "EXTENSION_SUPPORT_REQUIRED" }] } },
    });
  });

  it("those that the card declares are active and echoed, unknown ones are passed over", async () => {
    await using server = await serve(handlers, { card });
    const reply = await ask1(server, ` ${must.uri} ,https://other.example/x, ${must.uri},,${may.uri}`);
    expect(reply.json.result).toEqual(task("t"));
    expect(reply.headers["a2a-extensions"]).toBe(`${must.uri}, ${may.uri}`);
    expect(JSON.parse(String(reply.headers["x-seen"]))).toMatchObject({
      requestedExtensions: [must.uri, "https://other.example/x", may.uri],
      activatedExtensions: [must.uri, may.uri],
    });
  });

  it("the header of 0.3 is read too, and a stream echoes before it starts", async () => {
    await using server = await serve(handlers, { card: cardOf({ streaming: true, extensions: [must] }) });
    const reply = await rpc(server, "SendStreamingMessage", send(), { ...v1, "x-a2a-extensions": must.uri });
    expect(reply.headers).toMatchObject({ "content-type": "text/event-stream", "a2a-extensions": must.uri });
  });

  it("nothing is echoed where nothing is active", async () => {
    await using server = await serve(handlers, { card: cardOf({}) });
    expect((await ask1(server, "https://other.example/x")).headers["a2a-extensions"]).toBeUndefined();
  });

  it("a card may be a function, also a slow one", async () => {
    let required = false;
    await using server = await serve(handlers, {
      card: async () => cardOf({ extensions: [{ uri: "urn:x", required }] }),
    });
    expect((await ask1(server)).json.result).toEqual(task("t"));
    required = true;
    expect((await ask1(server)).json.error.code).toBe(-32008);
  });
});

describe("authenticate", () => {
  const options: RouterOptions = {
    authenticate: ({ headers }) => {
      const given = headers["authorization"];
      if (given === "Bearer boom") throw new Error("ldap://10.0.0.1 is down");
      if (given === "Bearer weak") throw new A2AError("PERMISSION_DENIED", "Scope tasks:read is missing");
      if (given === undefined) {
        throw new A2AError("UNAUTHENTICATED", "Send a bearer token", {
          headers: { "www-authenticate": 'Bearer realm="agent"' },
        });
      }
      if (given !== "Bearer good") throw new A2AError("UNAUTHENTICATED", "This token is not valid");
      return { principal: { sub: "ada" }, scope: { tenant: "", owner: "ada" } };
    },
  };
  const get = (server: { port: number }, token?: string) =>
    rpc(
      server,
      "GetTask",
      { id: "t" },
      { ...v1, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    );

  it("finds the principal and scope", async () => {
    await using server = await serve(handlers, options);
    const reply = await get(server, "good");
    expect(JSON.parse(String(reply.headers["x-seen"]))).toMatchObject({
      principal: { sub: "ada" },
      scope: { tenant: "", owner: "ada" },
    });
  });

  it("refuses with 401 and a challenge on both bindings (A2A-5.1-d)", async () => {
    await using server = await serve(handlers, options);
    const none = await get(server);
    expect(none.status).toBe(401);
    expect(none.headers["www-authenticate"]).toBe('Bearer realm="agent"');
    expect(none.json).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32000, message: "Send a bearer token" },
    });
    expect((await get(server, "bad")).headers["www-authenticate"]).toBe("Bearer");
    const rest = await ask(server, "/tasks/t", { headers: { "a2a-version": "1.0" } });
    expect(rest).toMatchObject({
      status: 401,
      headers: { "www-authenticate": 'Bearer realm="agent"' },
      json: { error: { code: 401, status: "UNAUTHENTICATED", message: "Send a bearer token" } },
    });
  });

  it("refuses with 403", async () => {
    await using server = await serve(handlers, options);
    expect(await get(server, "weak")).toMatchObject({ status: 403, json: { error: { code: -32000 } } });
    const headers = { "a2a-version": "1.0", authorization: "Bearer weak" };
    expect(await ask(server, "/tasks/t", { headers })).toMatchObject({
      status: 403,
      json: { error: { status: "PERMISSION_DENIED" } },
    });
  });

  it("that fails is an internal error, logged", async () => {
    await using server = await serve(handlers, options);
    const reply = await get(server, "boom");
    expect(reply).toMatchObject({
      status: 200,
      json: { error: { code: -32603, message: "Internal error" } },
    });
    expect(server.log).toHaveLength(1);
  });

  it("comes after the version and before the body", async () => {
    await using server = await serve(handlers, options);
    expect((await rpc(server, "GetTask", {}, { "a2a-version": "9.9" })).json.error.code).toBe(-32009);
    expect((await ask(server, "/", { method: "POST", headers: v1, body: "{" })).status).toBe(401);
    expect((await ask(server, "/message:send", { method: "POST", headers: v1, body: "{" })).status).toBe(401);
  });
});
