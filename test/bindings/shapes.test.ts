import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningServer } from "../../src/server.js";
import { ask, eventsOf } from "../rpc/support.js";
import { bindings, call, said, send, start } from "./peer.js";

let server: RunningServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.close());

/** Members whose values belong to users: no rule looks into them. */
const FREE = new Set(["metadata", "data", "params"]);

/** Every member of a body that the protocol names, with its path. */
function* membersOf(
  value: unknown,
  path = "",
): Generator<readonly [path: string, name: string, value: unknown]> {
  if (Array.isArray(value)) {
    for (const item of value) yield* membersOf(item, `${path}[]`);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      yield [`${path}.${name}`, name, item];
      // The `data` of a JSON-RPC error is the protocol's own, that of a part is not.
      if (!FREE.has(name) || path.endsWith(".error")) yield* membersOf(item, `${path}.${name}`);
    }
  }
}

describe.each(bindings)("everything that is sent over %s", (binding) => {
  const bodies: unknown[] = [];
  beforeAll(async () => {
    const first = await call(server, binding, "SendMessage", said("go"));
    const { id } = first.result.task;
    const config = { taskId: id, id: "c", url: "https://hooks.example.com", token: "t" };
    const asked: readonly (readonly [string, object])[] = [
      ["SendMessage", said("ask")],
      ["SendMessage", said("message")],
      ["SendStreamingMessage", said("go")],
      ["GetTask", { id }],
      ["GetTask", { id: "none" }],
      ["ListTasks", { includeArtifacts: true }],
      ["ListTasks", { pageSize: 1000 }],
      ["CancelTask", { id }],
      ["SubscribeToTask", { id }],
      ["CreateTaskPushNotificationConfig", config],
      ["GetTaskPushNotificationConfig", { taskId: id, id: "c" }],
      ["ListTaskPushNotificationConfigs", { taskId: id }],
      ["GetExtendedAgentCard", {}],
    ];
    for (const [operation, input] of asked) {
      const { text, json } = await send(server, binding, operation, { ...input });
      if (json === undefined) bodies.push(...eventsOf(text).map(({ data }) => data));
      else bodies.push(json);
    }
    expect(bodies.length).toBeGreaterThan(asked.length);
  });

  it("has names in camelCase, and keeps those of users as they are (A2A-5.5-a, A2A-PJ-b, A2A-CPB-a)", () => {
    const named = bodies.flatMap((body) => [...membersOf(body)]).filter(([, name]) => name !== "@type");
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(([, name]) => !/^[a-z][a-zA-Z0-9]*$/.test(name)).map(([path]) => path)).toEqual([]);
    expect(JSON.stringify(bodies)).toContain('"metadata":{"some_key":1}');
    expect(JSON.stringify(bodies)).toContain('"data":{"some_key":null}');
  });

  it("has enums as their full names (A2A-5.5-b, A2A-PJ-f)", () => {
    const of = (wanted: string): unknown[] =>
      bodies
        .flatMap((body) => [...membersOf(body)])
        .flatMap(([, name, value]) => (name === wanted ? [value] : []));
    const states = of("state");
    expect(states).toContain("TASK_STATE_COMPLETED");
    expect(states.filter((state) => !/^TASK_STATE_[A-Z_]+$/.test(String(state)))).toEqual([]);
    expect(of("role").filter((role) => role !== "ROLE_USER" && role !== "ROLE_AGENT")).toEqual([]);
  });

  it("has times in UTC with milliseconds (A2A-5.6.1-a, A2A-5.6.1-b, A2A-5.6.1-e, A2A-PJ-i)", () => {
    const times = bodies
      .flatMap((body) => [...membersOf(body)])
      .flatMap(([, name, value]) => (name === "timestamp" ? [String(value)] : []));
    expect(times.length).toBeGreaterThan(5);
    expect(times.filter((time) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time))).toEqual([]);
  });

  it("leaves out what is not set, writes what is set to a default, and what is REQUIRED (A2A-5.7-a, A2A-PJ-c, A2A-PJ-d)", () => {
    const text = JSON.stringify(bodies);
    // An empty text is set; a null of data is a value; nothing else is null, and no list is empty but REQUIRED ones.
    expect(text).toContain('{"text":""}');
    const named = bodies.flatMap((body) => [...membersOf(body)]);
    expect(named.filter(([, , value]) => value === null).map(([path]) => path)).toEqual([]);
    const empty = named.filter(([, , value]) => Array.isArray(value) && value.length === 0);
    expect(empty.map(([, name]) => name).filter((name) => name !== "tasks")).toEqual([]);
    expect(text).toContain('"nextPageToken":""');
  });
});

describe.each(bindings)("what is read over %s", (binding) => {
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "message" }] };

  it("refuses an empty REQUIRED list, lists the missing members, and answers with an empty list (A2A-5.7-a, A2A-5.7-b, A2A-5.7-c)", async () => {
    const empty = await call(server, binding, "SendMessage", { message: { ...message, parts: [] } });
    expect(empty.error?.details[0]?.fieldViolations).toMatchObject([{ field: "message.parts" }]);
    const missing = await call(server, binding, "SendMessage", { message: { role: "ROLE_USER" } });
    expect(missing.error?.details[0]?.fieldViolations?.map(({ field }) => field)).toEqual([
      "message.messageId",
      "message.parts",
    ]);
    const none = await call(server, binding, "ListTasks", { contextId: "nobody" });
    expect(none.result.tasks).toEqual([]);
  });

  it("takes defaults for what is not set only (A2A-5.7-d)", async () => {
    expect((await call(server, binding, "ListTasks")).result.pageSize).toBe(50);
    expect((await call(server, binding, "ListTasks", { pageSize: 7 })).result.pageSize).toBe(7);
    expect((await call(server, binding, "ListTasks", { pageSize: 0 })).error?.details[0]).toMatchObject({
      fieldViolations: [{ field: "pageSize" }],
    });
  });

  it("passes over unknown members at every level (A2A-5.7-f, A2A-PJ-l)", async () => {
    const novel = { novel: { deep: [1] } };
    const { result } = await call(server, binding, "SendMessage", {
      message: { ...message, parts: [{ text: "go", ...novel }], ...novel },
      configuration: { acceptedOutputModes: ["text/plain"], ...novel },
      ...novel,
    });
    expect(result.task.status.state).toBe("TASK_STATE_COMPLETED");
    expect(JSON.stringify(result)).not.toContain("novel");
  });

  it("takes both spellings, numbers and names of enums, null for nothing (A2A-PJ-a, A2A-PJ-b, A2A-PJ-e, A2A-PJ-f, A2A-PJ-g)", async () => {
    const { result } = await call(server, binding, "SendMessage", {
      message: {
        message_id: "m",
        role: 1,
        parts: [{ raw: "_-8", media_type: "text/plain", metadata: null }],
        reference_task_ids: null,
        context_id: "ctx-1",
      },
      configuration: { history_length: "5", return_immediately: null },
    });
    expect(result.task.contextId).toBe("ctx-1");
    expect(result.task.history[0]).toMatchObject({
      messageId: "m",
      role: "ROLE_USER",
      parts: [{ raw: "/+8=", mediaType: "text/plain" }],
    });
    const twice = await call(server, binding, "SendMessage", { message: { ...message, message_id: "n" } });
    expect(twice.error?.code).toBe(binding === "JSON-RPC" ? -32602 : 400);
  });

  it("two members of one oneof, and a null in a list, are refused (A2A-PJ-e, A2A-PJ-k)", async () => {
    for (const parts of [[{ text: "a", url: "https://x.example" }], [null], [{}]]) {
      const { error } = await call(server, binding, "SendMessage", { message: { ...message, parts } });
      expect(error?.details[0]?.fieldViolations?.[0]?.field, JSON.stringify(parts)).toMatch(
        /^message\.parts/,
      );
    }
  });

  it("times with offsets and any number of digits are read (A2A-5.6.1-c, A2A-5.6.1-d)", async () => {
    await call(server, binding, "SendMessage", said("go"));
    const past = ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.123456789Z", "2020-01-01T02:00:00+02:00"];
    const future = ["2999-01-01T00:00:00Z", "2999-01-01T00:00:00.5-01:00"];
    for (const statusTimestampAfter of past)
      expect(
        (await call(server, binding, "ListTasks", { statusTimestampAfter })).result.totalSize,
      ).toBeGreaterThan(0);
    for (const statusTimestampAfter of future)
      expect((await call(server, binding, "ListTasks", { statusTimestampAfter })).result.totalSize).toBe(0);
    const wrong = await call(server, binding, "ListTasks", { statusTimestampAfter: "yesterday" });
    expect(wrong.error?.details[0]?.fieldViolations).toMatchObject([{ field: "statusTimestampAfter" }]);
  });

  it("equal names twice: the last one; names of the prototype are data (A2A-PJ-m)", async () => {
    const inner =
      '{"messageId":"m","messageId":"last","role":"ROLE_USER","parts":[{"text":"go"}],"metadata":{"__proto__":{"x":1},"constructor":2}}';
    const params = `{"message":${inner}}`;
    const headers = { "a2a-version": "1.0", "content-type": "application/json" };
    const { json } =
      binding === "JSON-RPC"
        ? await ask(server, "/", {
            method: "POST",
            headers,
            body: `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${params}}`,
          })
        : await ask(server, "/message:send", { method: "POST", headers, body: params });
    const [first] = (json.result ?? json).task.history;
    expect(first.messageId).toBe("last");
    expect(JSON.stringify(first.metadata)).toBe('{"__proto__":{"x":1},"constructor":2}');
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  it("any text comes back as it was sent, in UTF-8 (A2A-PJ-n, A2A-PJ-j)", async () => {
    const metadata = { ключ: ["ü€😀", { "": -0.5 }], big: 1e21, flag: false, none: null };
    const { result } = await call(server, binding, "SendMessage", {
      message: { ...message, parts: [{ text: 'ü€😀\u2028\u0000"\\' }, { data: [metadata] }], metadata },
    });
    expect(result.task.history[0]).toMatchObject({
      metadata,
      parts: [{ text: 'ü€😀\u2028\u0000"\\' }, { data: [metadata] }],
    });
  });
});
