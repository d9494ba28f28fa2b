/** A router behind a bridge: what is shared, and what older versions ask for in another way. */
import { describe, expect, test } from "vitest";
import type * as v03 from "../../../generated/v0.3/index.js";
import { A2A, type StreamResponse } from "../../../generated/v1.0/index.js";
import { decode } from "../../../src/codec/decode.js";
import type { Bridge, MethodBridge } from "../../../src/convert/types.js";
import { A2AError, isA2AError, type CallTarget } from "../../../src/index.js";
import { JsonText } from "../../../src/json-text.js";
import { bridgeTarget } from "../../../src/server/bridge-target.js";
import { createRouter, memoryStore, serve } from "../../../src/server.js";
import { loadBridge } from "../../../src/versions/bridges.js";
import { rpc } from "../../rpc/support.js";
import { agentOf, quiet } from "../agents.js";

const json = { "content-type": "application/json" };

/** One call of a target, as a binding makes it. */
async function call(target: CallTarget, methodName: string, raw: unknown): Promise<unknown> {
  const method = target.service.methods[methodName];
  if (!method) throw new Error(methodName);
  const reply = await target.call({
    service: target.service,
    methodName,
    method,
    input: decode<unknown>(method.input, raw, { direction: "request" }),
    headers: {},
    signal: new AbortController().signal,
    context: {},
  });
  return reply.output;
}

/** The bridge, with a count of what it converts down. */
function counting(bridge: Bridge): { bridge: Bridge; count: () => number } {
  let count = 0;
  const counted = (method: MethodBridge): MethodBridge => ({
    ...method,
    output: {
      up: method.output.up,
      down: (...given) => {
        count += 1;
        return method.output.down(...given);
      },
    },
  });
  const byFarName = new Map([...bridge.byFarName].map(([name, method]) => [name, counted(method)]));
  return { bridge: { ...bridge, byFarName }, count: () => count };
}

const update = (text: string, state: "TASK_STATE_WORKING" | "TASK_STATE_COMPLETED"): StreamResponse => ({
  statusUpdate: {
    taskId: "t",
    contextId: "c",
    status: { state, message: { messageId: text, role: "ROLE_AGENT", parts: [{ text }] } },
  },
});

/** An event whose text nobody should need. */
class Live extends JsonText<StreamResponse> {
  readonly #event: StreamResponse;
  constructor(event: StreamResponse, id: number) {
    super(undefined, id);
    this.#event = event;
  }
  override value(): StreamResponse {
    return this.#event;
  }
  protected override encode(): string {
    throw new Error("encoded in vain");
  }
}

describe("events", () => {
  const events = [
    new Live(update("one", "TASK_STATE_WORKING"), 1),
    new JsonText<StreamResponse>(JSON.stringify(update("two", "TASK_STATE_WORKING")), 2),
    new Live(update("three", "TASK_STATE_COMPLETED"), 3),
    new Live(update("never sent", "TASK_STATE_WORKING"), 4),
  ];
  const near = createRouter(A2A, {
    async *sendStreamingMessage() {
      yield events.slice(0, 2);
      yield events.slice(2);
      throw new Error("read on after the end");
    },
  });
  const message = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "x" }] };
  const listen = async (target: CallTarget): Promise<JsonText[]> => {
    const heard: JsonText[] = [];
    const stream = await call(target, "sendStreamingMessage", { message });
    for await (const chunk of stream as AsyncIterable<readonly JsonText[]>) heard.push(...chunk);
    return heard;
  };

  test("are converted and encoded once for all listeners, and end with the final one", async () => {
    const { bridge, count } = counting(await loadBridge("0.3"));
    const target = bridgeTarget(near, bridge);
    const [one, other] = [await listen(target), await listen(target)];
    expect(one.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(one.map(({ text }) => JSON.parse(text))).toMatchObject([
      { kind: "status-update", final: false, status: { message: { messageId: "one" } } },
      { final: false, status: { message: { messageId: "two" } } },
      { final: true, status: { state: "completed" } },
    ]);
    expect(one.every((event, i) => event === other[i])).toBe(true);
    expect(count()).toBe(3);
  });

  test("have a form of their own in each version", async () => {
    const [older, proto] = [
      await listen(bridgeTarget(near, await loadBridge("0.2"))),
      await call(bridgeTarget(near, await loadBridge("0.3/proto")), "sendStreamingMessage", {
        message: { messageId: "m", role: "ROLE_USER", content: [{ text: "x" }] },
      }).then(async (stream) => {
        const heard: JsonText[] = [];
        for await (const chunk of stream as AsyncIterable<readonly JsonText[]>) heard.push(...chunk);
        return heard;
      }),
    ];
    expect(older.map(({ text }) => text)).not.toEqual(proto.map(({ text }) => text));
    expect(proto.map(({ text }) => JSON.parse(text)).at(-1)).toMatchObject({
      statusUpdate: { final: true, status: { state: "TASK_STATE_COMPLETED" } },
    });
  });

  test("stop the handler where the listener stops, also while it is waited for", async () => {
    let stopped = 0;
    const endless: AsyncIterable<StreamResponse> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => {
          stopped += 1;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    const target = bridgeTarget(
      createRouter(A2A, { sendStreamingMessage: () => endless }),
      await loadBridge("0.3"),
    );
    const stream = (await call(target, "sendStreamingMessage", { message })) as AsyncIterable<unknown>;
    const iterator = stream[Symbol.asyncIterator]();
    void iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(stopped).toBe(1);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });
});

describe("webhooks of 0.3", () => {
  const configs = Array.from({ length: 250 }, (_, i) => ({
    taskId: "t",
    id: `w${String(i)}`,
    url: "https://client.example/hook",
  }));
  const router = (count: number) =>
    createRouter(A2A, {
      listTaskPushNotificationConfigs({ pageSize = 50, pageToken = "0" }) {
        const from = Number(pageToken);
        const page = configs.slice(from, Math.min(count, from + pageSize));
        const next = from + page.length;
        return { configs: page, ...(next < count && { nextPageToken: String(next) }) };
      },
      deleteTaskPushNotificationConfig: () => ({}),
    });
  const target = async (count: number) => bridgeTarget(router(count), await loadBridge("0.3"));

  test("are listed without pages, however many the router gives at once", async () => {
    const listed = (await call(await target(250), "listTaskPushNotificationConfig", {
      id: "t",
    })) as v03.TaskPushNotificationConfig[];
    expect(listed.map(({ pushNotificationConfig }) => pushNotificationConfig.id)).toEqual(
      configs.map(({ id }) => id),
    );
    expect(await call(await target(0), "listTaskPushNotificationConfig", { id: "t" })).toEqual([]);
  });

  test("are read without an id: the first, or none", async () => {
    expect(await call(await target(3), "getTaskPushNotificationConfig", { id: "t" })).toEqual({
      taskId: "t",
      pushNotificationConfig: { id: "w0", url: "https://client.example/hook" },
    });
    const none = call(await target(0), "getTaskPushNotificationConfig", { id: "t" });
    await expect(none).rejects.toMatchObject({ reason: "TASK_NOT_FOUND", code: -32001 });
  });

  test("a router that gives the same page for ever ends the call", async () => {
    const stuck = createRouter(A2A, {
      listTaskPushNotificationConfigs: () => ({ configs: configs.slice(0, 1), nextPageToken: "same" }),
    });
    const bridged = bridgeTarget(stuck, await loadBridge("0.3"));
    expect(await call(bridged, "listTaskPushNotificationConfig", { id: "t" })).toHaveLength(2);
  });

  test("answer nothing to a deletion", async () => {
    const params = { id: "t", pushNotificationConfigId: "w0" };
    expect(await call(await target(1), "deleteTaskPushNotificationConfig", params)).toBeUndefined();
  });

  test("come all at once in the ProtoJSON form too: its way leads over JSON of 0.3, which has no pages", async () => {
    const bridged = bridgeTarget(router(120), await loadBridge("0.3/proto"));
    for (const input of [{ parent: "tasks/t" }, { parent: "tasks/t", pageSize: 2 }]) {
      const page = await call(bridged, "listTaskPushNotificationConfig", input);
      expect(page).toEqual({ configs: expect.objectContaining({ length: 120 }) });
    }
  });
});

describe("refusals", () => {
  const refusing = (error: unknown) =>
    createRouter(A2A, {
      getTask: () => {
        throw error;
      },
      sendMessage: () => {
        throw error;
      },
    });
  const failure = async (error: unknown, name: string, input: unknown, form = "0.3"): Promise<unknown> =>
    call(bridgeTarget(refusing(error), await loadBridge(form)), name, input).catch(
      (reason: unknown) => reason,
    );
  const message = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "x" }] };

  test("name fields as the caller did, in message and details", async () => {
    const field = "configuration.taskPushNotificationConfig.url";
    const error = new A2AError("INVALID_PARAMS", `${field}: no`, {
      code: -32602,
      violations: [{ field, pointer: `/${field.replaceAll(".", "/")}`, description: "no" }],
    });
    const params = { message, configuration: { pushNotificationConfig: { url: "x" } } };
    expect(await failure(error, "sendMessage", params)).toMatchObject({
      message: "configuration.pushNotificationConfig.url: no",
      violations: [
        {
          field: "configuration.pushNotificationConfig.url",
          pointer: "/configuration/pushNotificationConfig/url",
        },
      ],
    });
    const proto = {
      message: { messageId: "m", role: "ROLE_USER", content: [{ text: "x" }] },
      configuration: { pushNotification: { url: "x" } },
    };
    expect(await failure(error, "sendMessage", proto, "0.3/proto")).toMatchObject({
      message: "configuration.pushNotification.url: no",
    });
  });

  test("name the operation and the header as the caller knows them", async () => {
    const card = {
      capabilities: { extendedAgentCard: false, extensions: [{ uri: "urn:x", required: true }] },
    };
    const open = { capabilities: {} };
    const get = { getExtendedAgentCard: () => Promise.reject(new Error("called")) };
    const refusalOf = async (of: object, form: string) => {
      const bridged = bridgeTarget(createRouter(A2A, get, { card: of }), await loadBridge(form));
      return call(bridged, "getAuthenticatedExtendedCard", {}).catch((reason: unknown) => reason);
    };
    expect(await refusalOf(open, "0.3")).toMatchObject({
      reason: "UNSUPPORTED_OPERATION",
      message: "This agent does not offer GetAuthenticatedExtendedCard",
    });
    expect(await refusalOf(open, "0.3/proto")).toMatchObject({
      message: "This agent does not offer GetAgentCard",
    });
    expect(await refusalOf(card, "0.3")).toMatchObject({
      reason: "EXTENSION_SUPPORT_REQUIRED",
      // 0.3 has no such error, and so no status for it.
      status: 400,
      message: expect.stringContaining("in the x-a2a-extensions header") as string,
    });
  });

  test("keep what is no error of A2A as it is, so that nothing of it gets out", async () => {
    const bug = new TypeError("secret");
    expect(await failure(bug, "getTask", { id: "t" })).toBe(bug);
  });

  test("of what 1.0 demands and 0.3 does not come before the handler", async () => {
    const error = await failure(new Error("called"), "sendMessage", { message: { ...message, parts: [] } });
    expect(isA2AError(error, "INVALID_PARAMS") && error.message).toContain("message.parts");
  });
});

test("webhooks remember the version of who registered them, also with a message", async () => {
  const store = memoryStore();
  const push = { start: () => ({ [Symbol.asyncDispose]: () => Promise.resolve() }) };
  const agent = agentOf(async () => "ok");
  await using server = await serve(agent, { port: 0, logger: quiet, store, push });
  const scope = { tenant: "", owner: "" };
  const hook = { id: "with message", url: "https://client.example/hook" };
  const legacy = {
    message: { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "x" }] },
    configuration: { pushNotificationConfig: hook },
  };
  const newest = {
    message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] },
    configuration: { taskPushNotificationConfig: hook },
  };
  for (const [version, send, set, params] of [
    ["1.0", "SendMessage", "CreateTaskPushNotificationConfig", newest],
    ["0.3", "message/send", "tasks/pushNotificationConfig/set", legacy],
    ["0.2", "message/send", "tasks/pushNotificationConfig/set", legacy],
  ] as const) {
    const headers = { ...json, "a2a-version": version };
    const { result } = (await rpc(server, send, params, headers)).json;
    const taskId: string = result.task?.id ?? result.id;
    const config = { id: "later", url: "https://client.example/hook" };
    const registration =
      version === "1.0" ? { taskId, ...config } : { taskId, pushNotificationConfig: config };
    expect((await rpc(server, set, registration, headers)).json.error).toBeUndefined();
    for (const id of ["with message", "later"]) {
      expect(await store.configs.get(scope, taskId, id)).toMatchObject({ version });
    }
  }
});
