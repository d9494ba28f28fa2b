/** The four operations of registrations, over the wire of both bindings. */
import { describe, expect, it } from "vitest";
import { serveAgent, bindings, callerOf, type BindingName, type Caller } from "./over-bindings.js";
import { agentOf, gate } from "../server/agents.js";
import { eventsOf } from "../rpc/support.js";
import { userMessage, type StreamResponse } from "../../src/versions/pivot.js";
import { receiver } from "./receiver.js";

const url = "https://hooks.example.com/x";
const allow = ["127.0.0.1"];
const CREATE = "CreateTaskPushNotificationConfig";
const GET = "GetTaskPushNotificationConfig";
const LIST = "ListTaskPushNotificationConfigs";
const DELETE = "DeleteTaskPushNotificationConfig";
/** Code of JSON-RPC, status of HTTP+JSON. */
const codes = {
  TASK_NOT_FOUND: { JSONRPC: -32001, "HTTP+JSON": 404 },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { JSONRPC: -32003, "HTTP+JSON": 400 },
  INVALID_PARAMS: { JSONRPC: -32602, "HTTP+JSON": 400 },
} as const;
const error = (reason: keyof typeof codes, binding: BindingName) => ({
  error: {
    code: codes[reason][binding],
    text: reason === "INVALID_PARAMS" ? expect.any(String) : expect.stringContaining(reason),
  },
});

const echo = agentOf(async () => "done");

/** A server with one finished task. */
async function withTask(binding: BindingName) {
  const server = await serveAgent(echo, { push: { allow } });
  const call = callerOf(server, binding);
  const { result } = await call("SendMessage", { message: userMessage("go") });
  const taskId: string = result.task.id;
  return { call, taskId, [Symbol.asyncDispose]: () => server.close() };
}

describe.each(bindings)("registrations over %s", (binding) => {
  it("take and give one flat object with the id filled in (A2A-3.1.7-a, A2A-3.1.7-b, A2A-4.3.1-a, A2A-4.3.1-b)", async () => {
    await using task = await withTask(binding);
    const { call, taskId } = task;
    const authentication = { scheme: "Bearer", credentials: "c" };
    const given = { taskId, id: "mine", url, token: "t", authentication };
    expect(await call(CREATE, given)).toEqual({ result: given });
    expect(await call(GET, { taskId, id: "mine" })).toEqual({ result: given });
    const minted = (await call(CREATE, { taskId, url })).result;
    // No configId, no createdAt, nothing nested.
    expect(minted).toEqual({ taskId, url, id: expect.stringMatching(/./) });
    expect((await call(GET, { taskId, id: minted.id })).result).toEqual(minted);
  });

  it("show what was registered, credentials included (A2A-3.1.8-b)", async () => {
    await using task = await withTask(binding);
    const { call, taskId } = task;
    const config = {
      taskId,
      id: "a",
      url,
      token: "t",
      authentication: { scheme: "Basic", credentials: "eA==" },
    };
    const created = await call(CREATE, config);
    expect(await call(GET, { taskId, id: "a" })).toEqual(created);
    expect((await call(LIST, { taskId })).result.configs).toEqual([created.result]);
  });

  it("need a URL, and one that leads somewhere (A2A-3.1.7-h)", async () => {
    await using task = await withTask(binding);
    const { call, taskId } = task;
    for (const bad of [undefined, "", "hook", "ftp://example.com/"]) {
      const config = bad === undefined ? { taskId } : { taskId, url: bad };
      expect(await call(CREATE, config), String(bad)).toEqual(error("INVALID_PARAMS", binding));
    }
    expect((await call(LIST, { taskId })).result.configs ?? []).toEqual([]);
  });

  it("are several per task, in order of creation; a known id replaces in its place (A2A-3.1.7-g, A2A-3.1.9-b)", async () => {
    await using task = await withTask(binding);
    const { call, taskId } = task;
    for (const id of ["a", "b", "c"]) await call(CREATE, { taskId, id, url: `${url}/${id}` });
    await call(CREATE, { taskId, id: "b", url: `${url}/new`, token: "new" });
    expect((await call(LIST, { taskId })).result.configs).toEqual([
      { taskId, id: "a", url: `${url}/a` },
      { taskId, id: "b", url: `${url}/new`, token: "new" },
      { taskId, id: "c", url: `${url}/c` },
    ]);
  });

  it("are listed in pages (A2A-3.1.9-a, A2A-3.1.9-c)", async () => {
    await using task = await withTask(binding);
    const { call, taskId } = task;
    const ids = ["a", "b", "c", "d", "e"];
    for (const id of ids) await call(CREATE, { taskId, id, url });
    const seen: string[] = [];
    let pageToken: string | undefined;
    let pages = 0;
    do {
      const query = { taskId, pageSize: 2, ...(pageToken !== undefined && { pageToken }) };
      const { result } = await call(LIST, query);
      seen.push(...result.configs.map(({ id }: { id: string }) => id));
      pageToken = result.nextPageToken;
      pages += 1;
      // What is added behind the page does not move it.
      if (pages === 1) await call(DELETE, { taskId, id: "a" });
    } while (pageToken !== undefined && pageToken !== "");
    expect([pages, seen]).toEqual([3, ids]);
    expect(await call(LIST, { taskId, pageToken: "made up" })).toEqual(error("INVALID_PARAMS", binding));
    expect(await call(LIST, { taskId, pageSize: -1 })).toEqual(error("INVALID_PARAMS", binding));
  });

  it("come 50 a page unless asked otherwise, and never more than 100 (A2A-3.1.9-c)", async () => {
    await using task = await withTask(binding);
    const { call, taskId } = task;
    for (let i = 0; i < 101; i += 1) await call(CREATE, { taskId, id: `c${String(i)}`, url });
    const sizeOf = async (query: object): Promise<number> =>
      (await call(LIST, { taskId, ...query })).result.configs.length;
    expect(await sizeOf({})).toBe(50);
    expect(await sizeOf({ pageSize: 0 })).toBe(50);
    expect(await sizeOf({ pageSize: 99 })).toBe(99);
    expect(await sizeOf({ pageSize: 1_000 })).toBe(100);
  });

  it("get a name where the client gives an empty one (A2A-3.1.7-b)", async () => {
    await using task = await withTask(binding);
    const { call, taskId } = task;
    const { result } = await call(CREATE, { taskId, id: "", url });
    expect(result.id).toMatch(/^[\w-]{8,}$/);
    expect((await call(GET, { taskId, id: result.id })).result).toEqual(result);
  });

  it("are deleted for good, as often as one likes, with an empty reply (A2A-3.1.10-b, A2A-3.1.10-d, A2A-3.1.10-e)", async () => {
    await using task = await withTask(binding);
    const { call, taskId } = task;
    for (const id of ["a", "b"]) await call(CREATE, { taskId, id, url });
    for (const id of ["a", "a", "never"]) expect(await call(DELETE, { taskId, id })).toEqual({ result: {} });
    expect(await call(GET, { taskId, id: "a" })).toEqual(error("TASK_NOT_FOUND", binding));
    expect((await call(LIST, { taskId })).result.configs).toMatchObject([{ id: "b" }]);
  });

  it("of an unknown task, or with an unknown id, are not found (A2A-3.1.7-c, A2A-3.1.8-c, A2A-3.1.9-d, A2A-3.1.10-f)", async () => {
    await using task = await withTask(binding);
    const { call, taskId } = task;
    const unknown = "00000000-0000-7000-8000-000000000000";
    expect(await call(CREATE, { taskId: unknown, url })).toEqual(error("TASK_NOT_FOUND", binding));
    for (const method of [GET, DELETE]) {
      expect(await call(method, { taskId: unknown, id: "a" })).toEqual(error("TASK_NOT_FOUND", binding));
    }
    expect(await call(LIST, { taskId: unknown })).toEqual(error("TASK_NOT_FOUND", binding));
    expect(await call(GET, { taskId, id: "never" })).toEqual(error("TASK_NOT_FOUND", binding));
  });

  it("need the capability (A2A-3.1.7-c, A2A-3.1.8-d, A2A-3.1.9-d, A2A-3.1.10-f)", async () => {
    await using server = await serveAgent(echo);
    const call = callerOf(server, binding);
    const off = error("PUSH_NOTIFICATION_NOT_SUPPORTED", binding);
    const { result } = await call("SendMessage", { message: userMessage("go") });
    const taskId: string = result.task.id;
    expect(await call(CREATE, { taskId, url })).toEqual(off);
    for (const method of [GET, DELETE]) expect(await call(method, { taskId, id: "a" })).toEqual(off);
    expect(await call(LIST, { taskId })).toEqual(off);
    // Also with a message: nobody waits for what never comes (Q22).
    const configuration = { taskPushNotificationConfig: { url } };
    expect(await call("SendMessage", { message: userMessage("go"), configuration })).toEqual(off);
  });

  it("of another caller's task are not found, and another's are not seen (A2A-3.1.8-c, A2A-13.2c-i)", async () => {
    await using server = await serveAgent(echo, {
      push: { allow },
      auth: ({ headers }) => ({ principal: headers["x-user"] }),
    });
    const as = (user: string): Caller => {
      const call = callerOf(server, binding);
      return (method, params) => call(method, params, { "x-user": user });
    };
    const [alice, bob] = [as("alice"), as("bob")];
    const { result } = await alice("SendMessage", { message: userMessage("go") });
    const taskId: string = result.task.id;
    const config = {
      taskId,
      id: "a",
      url,
      token: "secret",
      authentication: { scheme: "Bearer", credentials: "secret" },
    };
    expect((await alice(CREATE, config)).result).toEqual(config);
    const none = error("TASK_NOT_FOUND", binding);
    for (const [method, params] of [
      [CREATE, { taskId, url }],
      [GET, { taskId, id: "a" }],
      [LIST, { taskId }],
      [DELETE, { taskId, id: "a" }],
    ] as const) {
      const outcome = await bob(method, params);
      expect(outcome, method).toEqual(none);
      expect(JSON.stringify(outcome)).not.toContain("secret");
    }
    expect((await alice(GET, { taskId, id: "a" })).result).toEqual(config);
  });
});

describe.each(bindings)("required members over %s", (binding) => {
  it("taskId and id (A2A-3.1.8-a, A2A-3.1.9-a, A2A-3.1.10-a)", async () => {
    await using task = await withTask(binding);
    const { call, taskId } = task;
    // In HTTP+JSON both are in the path: without them there is another route or none.
    const missing = { error: { code: binding === "JSONRPC" ? -32602 : 404, text: expect.any(String) } };
    if (binding === "JSONRPC") {
      for (const method of [GET, DELETE]) {
        expect(await call(method, { taskId })).toEqual(missing);
        expect(await call(method, { id: "a" })).toEqual(missing);
      }
      expect(await call(LIST, {})).toEqual(missing);
      expect(await call(CREATE, { url })).toEqual(error("INVALID_PARAMS", binding));
    } else {
      await call(CREATE, { taskId, id: "a", url });
      expect(await call(GET, { taskId: "%20", id: "a" })).toEqual(missing);
      expect((await call(DELETE, { taskId, id: "" })).error?.code).toBeGreaterThanOrEqual(400);
      expect((await call(LIST, { taskId })).result.configs).toMatchObject([{ id: "a" }]);
    }
  });
});

describe.each(bindings)("a webhook that comes with a message over %s", (binding) => {
  const states = (bodies: readonly unknown[]): (string | undefined)[] =>
    (bodies as StreamResponse[]).map(({ task, statusUpdate }) => (task ?? statusUpdate)?.status.state);

  it("is bound to the task and gets its events, blocking, immediate, streaming (A2A-3.2.2-g, A2A-3.2.2-h, A2A-3.1.7-d, A2A-3.1.7-e)", async () => {
    for (const mode of ["blocking", "immediate", "streaming"] as const) {
      await using hooked = await receiver();
      const next = gate();
      if (mode === "blocking") next.open();
      const agent = agentOf(async (ctx) => {
        await next.passed;
        ctx.working();
      });
      await using server = await serveAgent(agent, { push: { allow } });
      const call = callerOf(server, binding);
      const configuration = {
        taskPushNotificationConfig: { id: "inline", url: hooked.url, taskId: "" },
        ...(mode === "immediate" && { returnImmediately: true }),
      };
      const request = { message: userMessage("go"), configuration };
      const sending = call(mode === "streaming" ? "SendStreamingMessage" : "SendMessage", request);
      if (mode === "streaming") await hooked.arrived(1);
      else await sending;
      next.open();
      await hooked.arrived(3);
      expect(states(hooked.bodies), mode).toEqual([
        "TASK_STATE_SUBMITTED",
        "TASK_STATE_WORKING",
        "TASK_STATE_COMPLETED",
      ]);
      const { result } = await sending;
      const first = typeof result === "string" ? eventsOf(result)[0]?.data : result;
      const taskId: string = ((first.result ?? first) as StreamResponse).task?.id ?? "";
      const config = { taskId, id: "inline", url: hooked.url };
      expect((await call(LIST, { taskId })).result.configs, mode).toEqual([config]);
      expect(new Set(hooked.bodies.map(taskOf))).toEqual(new Set([taskId]));
    }
  });

  it("may come with a follow-up, and with several messages (A2A-3.2.2-g, A2A-3.1.7-g)", async () => {
    await using one = await receiver();
    await using two = await receiver();
    const agent = agentOf(async (ctx) => (ctx.turn === 1 ? ctx.inputRequired("Which?") : ctx.completed()));
    await using server = await serveAgent(agent, { push: { allow } });
    const call = callerOf(server, binding);
    const send = async (hook: string, taskId?: string) => {
      const message = userMessage("go", taskId === undefined ? {} : { taskId });
      const configuration = { taskPushNotificationConfig: { url: hook } };
      return (await call("SendMessage", { message, configuration })).result.task.id as string;
    };
    const taskId = await send(one.url);
    expect(await send(two.url, taskId)).toBe(taskId);
    await one.arrived(4);
    await two.arrived(2);
    expect(states(one.bodies).slice(1)).toEqual([
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
    ]);
    expect(states(two.bodies)).toEqual(["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
    const { configs } = (await call(LIST, { taskId })).result;
    expect(configs.map((config: { url: string }) => config.url)).toEqual([one.url, two.url]);
  });
});

describe.each(bindings)("a registration over %s", (binding) => {
  it("stays while its task runs, and gets nothing after its deletion (A2A-3.1.7-f, A2A-3.1.10-c)", async () => {
    await using hooked = await receiver();
    await using other = await receiver();
    const next = gate();
    const agent = agentOf(async () => {
      await next.passed;
      return "done";
    });
    await using server = await serveAgent(agent, { push: { allow } });
    const call = callerOf(server, binding);
    const configuration = { returnImmediately: true };
    const { result } = await call("SendMessage", { message: userMessage("go"), configuration });
    const taskId: string = result.task.id;
    await call(CREATE, { taskId, id: "gone", url: hooked.url });
    await call(CREATE, { taskId, id: "kept", url: other.url });
    await call(DELETE, { taskId, id: "gone" });
    next.open();
    await other.arrived(2);
    expect(hooked.requests).toEqual([]);
    expect((await call(LIST, { taskId })).result.configs).toMatchObject([{ id: "kept" }]);
  });
});

const taskOf = (body: unknown): string | undefined => {
  const { task, statusUpdate, artifactUpdate } = body as StreamResponse;
  return task?.id ?? (statusUpdate ?? artifactUpdate)?.taskId;
};
