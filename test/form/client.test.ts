import { describe, expect, it } from "vitest";
import * as v02 from "../../generated/v0.2/index.js";
import { A2A } from "../../generated/v0.3/index.js";
import type { AgentCard, Message, Task } from "../../generated/v0.3/types.js";
import { A2AError, createClient, httpJson, tolerant, type ClientWarning } from "a2a-typed";
import { connect } from "a2a-typed/client";
import { startPeer, type Peer, type PeerReply } from "../field-reports/peer.js";

const message: Message = {
  kind: "message",
  messageId: "m1",
  role: "user",
  parts: [{ kind: "text", text: "hi" }],
};
const task: Task = {
  kind: "task",
  id: "t1",
  contextId: "c1",
  status: { state: "canceled", message: { ...message, role: "agent", taskId: "t1" } },
  artifacts: [{ artifactId: "a1", parts: [{ kind: "data", data: { a: 1 } }] }],
};
const taskForm = {
  id: "t1",
  contextId: "c1",
  status: {
    state: "TASK_STATE_CANCELLED",
    message: { messageId: "m1", taskId: "t1", role: "ROLE_AGENT", content: [{ text: "hi" }] },
  },
  artifacts: [{ artifactId: "a1", parts: [{ data: { data: { a: 1 } } }] }],
};
/** The same as peers write that keep the names of the proto. */
const taskSnake = {
  id: "t1",
  context_id: "c1",
  status: {
    state: 5,
    update: { message_id: "m1", task_id: "t1", role: 2, content: [{ text: "hi" }] },
  },
  artifacts: [{ artifact_id: "a1", parts: [{ data: { data: { a: 1 } } }] }],
};
const config = { id: "p1", url: "https://hook.example.com", authentication: { schemes: ["Bearer"] } };
const taskConfig = { taskId: "t1", pushNotificationConfig: config };
const configForm = { name: "tasks/t1/pushNotificationConfigs/p1", pushNotificationConfig: config };
const card: AgentCard = {
  name: "Agent",
  description: "d",
  url: "https://agent.example.com",
  version: "1",
  protocolVersion: "0.3.0",
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
  security: [{ key: ["a"] }],
  securitySchemes: { key: { type: "apiKey", in: "query", name: "k" } },
};
const cardForm = {
  ...card,
  security: [{ schemes: { key: { list: ["a"] } } }],
  securitySchemes: { key: { apiKeySecurityScheme: { location: "query", name: "k" } } },
};

const answering = (json: unknown, status = 200): PeerReply => ({
  status,
  headers: { "content-type": "application/json" },
  body: json === undefined ? "" : JSON.stringify(json),
});
const streaming = (...events: unknown[]): PeerReply => ({
  headers: { "content-type": "text/event-stream" },
  body: events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`),
});

type Options = Omit<Parameters<typeof httpJson>[0], "url">;

function clientOf(peer: Peer, warnings: ClientWarning[] = [], options: Options = {}) {
  return createClient(A2A, httpJson({ url: peer.url, ...options }), {
    onWarning: (warning) => warnings.push(warning),
  });
}
type V03 = ReturnType<typeof clientOf>;

/** Call → request line and body, and replies in several spellings that all mean one result. */
const table: readonly {
  readonly name: string;
  readonly call: (client: V03) => Promise<unknown>;
  readonly line: string;
  readonly body?: unknown;
  readonly replies: readonly unknown[];
  readonly result: unknown;
}[] = [
  {
    name: "sendMessage",
    call: (client) => client.sendMessage({ message }),
    line: "POST /v1/message:send",
    body: {
      message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] },
      // Where the proto has a flag that is false unless it is said, the JSON means to wait.
      configuration: { blocking: true },
    },
    replies: [{ task: taskForm }, { task: taskSnake }, task, { task }],
    result: task,
  },
  {
    name: "sendMessage with everything",
    call: (client) =>
      client.sendMessage({
        message: {
          ...message,
          taskId: "t1",
          parts: [
            { kind: "file", file: { bytes: "aGk=", mimeType: "x/y" } },
            { kind: "file", file: { uri: "https://u" } },
            { kind: "data", data: { k: [null] } },
          ],
          metadata: { m: 1 },
          extensions: ["https://e"],
        },
        configuration: {
          acceptedOutputModes: ["a/b"],
          blocking: false,
          historyLength: 2,
          pushNotificationConfig: config,
        },
        metadata: { r: 1 },
      }),
    line: "POST /v1/message:send",
    body: {
      message: {
        messageId: "m1",
        role: "ROLE_USER",
        taskId: "t1",
        content: [
          { file: { fileWithBytes: "aGk=", mimeType: "x/y" } },
          { file: { fileWithUri: "https://u" } },
          { data: { data: { k: [null] } } },
        ],
        metadata: { m: 1 },
        extensions: ["https://e"],
      },
      configuration: {
        acceptedOutputModes: ["a/b"],
        blocking: false,
        historyLength: 2,
        pushNotification: config,
      },
      metadata: { r: 1 },
    },
    replies: [
      { message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] } },
      { msg: { message_id: "m1", role: "ROLE_USER", content: [{ text: "hi" }] } },
      message,
    ],
    result: message,
  },
  {
    name: "getTask",
    call: (client) => client.getTask({ id: "t1", historyLength: 3 }),
    line: "GET /v1/tasks/t1?historyLength=3",
    replies: [taskForm, taskSnake, task],
    result: task,
  },
  {
    name: "getTask of an odd id",
    call: (client) => client.getTask({ id: "a/b c" }),
    line: "GET /v1/tasks/a%2Fb%20c",
    replies: [taskForm],
    result: task,
  },
  {
    name: "cancelTask",
    call: (client) => client.cancelTask({ id: "t1" }),
    line: "POST /v1/tasks/t1:cancel",
    body: {},
    replies: [taskForm, task],
    result: task,
  },
  {
    name: "setTaskPushNotificationConfig",
    call: (client) => client.setTaskPushNotificationConfig(taskConfig),
    line: "POST /v1/tasks/t1/pushNotificationConfigs?configId=p1",
    body: configForm,
    replies: [configForm, taskConfig, { name: configForm.name, push_notification_config: config }],
    result: taskConfig,
  },
  {
    name: "getTaskPushNotificationConfig",
    call: (client) => client.getTaskPushNotificationConfig({ id: "t1", pushNotificationConfigId: "p1" }),
    line: "GET /v1/tasks/t1/pushNotificationConfigs/p1",
    replies: [configForm, taskConfig],
    result: taskConfig,
  },
  {
    name: "listTaskPushNotificationConfig",
    call: (client) => client.listTaskPushNotificationConfig({ id: "t1" }),
    line: "GET /v1/tasks/t1/pushNotificationConfigs",
    replies: [{ configs: [configForm], nextPageToken: "" }, { configs: [configForm] }, [taskConfig]],
    result: [taskConfig],
  },
  {
    name: "listTaskPushNotificationConfig of none",
    call: (client) => client.listTaskPushNotificationConfig({ id: "t1" }),
    line: "GET /v1/tasks/t1/pushNotificationConfigs",
    replies: [{}, { configs: [] }, []],
    result: [],
  },
  {
    name: "deleteTaskPushNotificationConfig",
    call: (client) => client.deleteTaskPushNotificationConfig({ id: "t1", pushNotificationConfigId: "p1" }),
    line: "DELETE /v1/tasks/t1/pushNotificationConfigs/p1",
    replies: [undefined, {}, null],
    result: null,
  },
  {
    name: "getAuthenticatedExtendedCard",
    call: (client) => client.getAuthenticatedExtendedCard(),
    line: "GET /v1/card",
    replies: [cardForm, card],
    result: card,
  },
];

describe("a client of 0.3 over HTTP+JSON", () => {
  it.each(table)("$name", async ({ call, line, body, replies, result }) => {
    for (const reply of replies) {
      await using peer = await startPeer(answering(reply));
      await using client = clientOf(peer);
      expect(await call(client)).toEqual(result);
      const [request] = peer.requests;
      expect(`${request?.method} ${request?.url}`).toBe(line);
      expect(request?.body === "" ? undefined : (JSON.parse(request?.body ?? "") as unknown)).toEqual(body);
      expect(request?.headers["a2a-version"]).toBe("0.3");
      expect(request?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
      expect(request?.headers["accept"]).toBe("application/json");
    }
  });

  it.each([201, 202, 204])("takes %i for success", async (status) => {
    await using peer = await startPeer(answering(status === 204 ? undefined : { task: taskForm }, status));
    await using client = clientOf(peer);
    if (status !== 204) expect(await client.sendMessage({ message })).toEqual(task);
    const named = { id: "t1", pushNotificationConfigId: "p1" };
    expect(await client.deleteTaskPushNotificationConfig(named)).toBeNull();
  });

  it("lies below the path of the URL, whose query is kept", async () => {
    await using peer = await startPeer(answering(taskForm));
    await using client = createClient(A2A, httpJson({ url: `${peer.url}/a2a/?key=1` }));
    await client.getTask({ id: "t1" });
    expect(peer.requests[0]?.url).toBe("/a2a/v1/tasks/t1?key=1");
  });

  it("leaves the history out where none was asked for, since the form cannot ask for none", async () => {
    await using peer = await startPeer(answering({ ...taskForm, history: [{ messageId: "m", role: 1 }] }));
    const warnings: ClientWarning[] = [];
    await using client = clientOf(peer, warnings);
    expect(await client.getTask({ id: "t1", historyLength: 0 })).toEqual(task);
    expect(await client.getTask({ id: "t1" })).toHaveProperty("history");
    expect(peer.requests.map(({ url }) => url)).toEqual(["/v1/tasks/t1", "/v1/tasks/t1"]);
    expect(warnings).toMatchObject([{ method: "getTask", code: "dropped", pointer: "/historyLength" }]);
  });

  it("reports what the form has no place for, and reads what later ones have", async () => {
    const later = { text: "hi", metadata: { k: 1 } };
    const file = { file: { fileWithUri: "https://u", name: "n" } };
    await using peer = await startPeer(
      answering({ message: { messageId: "m2", role: "ROLE_AGENT", content: [later, file] } }),
    );
    const warnings: ClientWarning[] = [];
    await using client = clientOf(peer, warnings);
    const parts: Message["parts"] = [
      { kind: "text", text: "hi", metadata: { k: 1 } },
      { kind: "file", file: { uri: "https://u", name: "n" } },
    ];
    const sent = { ...message, parts, referenceTaskIds: ["t0"] };
    expect(await client.sendMessage({ message: sent })).toMatchObject({ parts });
    expect(peer.requests[0]?.body).toContain(
      '"content":[{"text":"hi"},{"file":{"fileWithUri":"https://u"}}]',
    );
    expect(warnings.map(({ pointer }) => pointer).toSorted()).toEqual([
      ...["/message/parts/0/metadata", "/message/parts/1/file/name", "/message/referenceTaskIds"],
    ]);
  });

  it("refuses what no URL can carry before it sends anything", async () => {
    await using peer = await startPeer(answering(taskForm));
    await using client = clientOf(peer);
    await expect(client.getTask({ id: ".." })).rejects.toMatchObject({ reason: "INVALID_PARAMS" });
    await expect(client.getTaskPushNotificationConfig({ id: "t1" })).rejects.toMatchObject({
      reason: "INVALID_PARAMS",
    });
    expect(peer.requests).toEqual([]);
  });

  it("reads other generations' names only where it is told to", async () => {
    await using peer = await startPeer(answering({ ...taskForm, status: { state: "TASK_STATE_CANCELED" } }));
    await using strict = clientOf(peer);
    await expect(strict.getTask({ id: "t1" })).resolves.toMatchObject({ status: { state: "unknown" } });
    const warnings: ClientWarning[] = [];
    await using lenient = createClient(A2A, httpJson({ url: peer.url }), {
      mode: tolerant,
      onWarning: (warning) => warnings.push(warning),
    });
    await expect(lenient.getTask({ id: "t1" })).resolves.toMatchObject({ status: { state: "canceled" } });
    expect(warnings).toMatchObject([{ code: "legacy_value", pointer: "/status/state" }]);
  });

  it.each<[string, unknown, RegExp]>([
    [
      "two payloads",
      { task: taskForm, message: { messageId: "m", role: 1 } },
      /expected exactly one of task or message/,
    ],
    ["a task without a status", { task: { id: "t1" } }, /task\.status: required/],
    ["a task in the JSON that is wrong", { ...task, status: {} }, /status\.state: required/],
    ["a list", [], /expected an object/],
  ])("refuses %s in a reply", async (_, reply, text) => {
    await using peer = await startPeer(answering(reply));
    await using client = clientOf(peer);
    const error = await client.sendMessage({ message }).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(A2AError);
    expect((error as A2AError).message).toMatch(text);
  });
});

describe("streams of 0.3 over HTTP+JSON", () => {
  const last = {
    kind: "status-update",
    taskId: "t1",
    contextId: "c1",
    final: true,
    status: { state: "completed" },
  };
  const lastForm = { taskId: "t1", contextId: "c1", final: true, status: { state: "TASK_STATE_COMPLETED" } };
  const chunk = {
    kind: "artifact-update",
    taskId: "t1",
    contextId: "c1",
    append: true,
    artifact: { artifactId: "a", parts: [{ kind: "text", text: "x" }] },
  };
  const chunkForm = {
    taskId: "t1",
    contextId: "c1",
    append: true,
    artifact: { artifactId: "a", parts: [{ text: "x" }] },
  };
  const all = async (client: V03): Promise<unknown[]> => {
    const events: unknown[] = [];
    for await (const event of client.sendStreamingMessage({ message })) events.push(event);
    return events;
  };

  it.each([
    ["ProtoJSON", [{ task: taskForm }, { artifactUpdate: chunkForm }, { statusUpdate: lastForm }]],
    [
      "the names of the proto",
      [{ task: taskSnake }, { artifact_update: chunkForm }, { status_update: lastForm }],
    ],
    ["the JSON", [task, chunk, last]],
    ["the JSON in wrappers", [{ task }, { artifactUpdate: chunk }, { statusUpdate: last }]],
  ])("come in %s", async (_, events) => {
    const started = events.map((event, i) => (i === 0 ? withState(event) : event));
    await using peer = await startPeer(streaming(...started));
    await using client = clientOf(peer);
    expect(await all(client)).toEqual([{ ...task, status: { state: "working" } }, chunk, last]);
    expect(peer.requests[0]).toMatchObject({ method: "POST", url: "/v1/message:stream" });
  });

  it("pass over events of an unknown kind, with a warning", async () => {
    await using peer = await startPeer(streaming({ taskProgress: {} }, { statusUpdate: lastForm }));
    const warnings: ClientWarning[] = [];
    await using client = clientOf(peer, warnings);
    expect(await all(client)).toEqual([last]);
    expect(warnings).toMatchObject([{ code: "unknown-event", message: /taskProgress/ }]);
  });

  it.each([
    ["the error of JSON-RPC", 'event: error\ndata: {"code":-32001,"message":"gone"}\n\n'],
    ["that error within", 'event: error\ndata: {"error":{"code":-32001,"message":"gone"}}\n\n'],
    ["the body of 1.0", 'data: {"error":{"code":404,"status":"NOT_FOUND","message":"Task not found"}}\n\n'],
  ])("end with %s", async (_, frame) => {
    const headers = { "content-type": "text/event-stream" };
    await using peer = await startPeer({
      headers,
      body: [`data: ${JSON.stringify({ task: withState({ task: taskForm }).task })}\n\n`, frame],
    });
    await using client = clientOf(peer);
    await expect(all(client)).rejects.toMatchObject({ reason: "TASK_NOT_FOUND" });
  });

  it("are taken up again with GET, and with POST where that is not allowed", async () => {
    const seen: string[] = [];
    await using peer = await startPeer((url) => {
      seen.push(url);
      return seen.length === 1
        ? answering({ detail: "Method Not Allowed" }, 405)
        : streaming({ statusUpdate: lastForm });
    });
    await using client = clientOf(peer);
    const events: unknown[] = [];
    for await (const event of client.resubscribeToTask({ id: "t1" })) events.push(event);
    expect(events).toEqual([last]);
    expect(peer.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /v1/tasks/t1:subscribe",
      "POST /v1/tasks/t1:subscribe",
    ]);
  });
});

/** An event whose task still works, so that more may follow. */
function withState(event: unknown): { task?: unknown } {
  return JSON.parse(
    JSON.stringify(event, (key, value: unknown) => (key === "status" ? { state: stateLike(value) } : value)),
  ) as object;
}
const stateLike = (status: unknown): unknown => {
  const { state } = status as { state: unknown };
  return state === "canceled" ? "working" : typeof state === "number" ? 2 : "TASK_STATE_WORKING";
};

describe("errors of 0.3 over HTTP+JSON", () => {
  const get = (client: V03): Promise<unknown> => client.getTask({ id: "t1" });
  const info = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    domain: "a2a-protocol.org",
    reason: "TASK_NOT_CANCELABLE",
  };

  it.each<
    [what: string, status: number, body: unknown, call: (client: V03) => Promise<unknown>, error: object]
  >([
    [
      "a code",
      404,
      { code: -32001, message: "gone", data: { a: 1 } },
      get,
      { reason: "TASK_NOT_FOUND", data: { a: 1 } },
    ],
    [
      "a code of JSON-RPC",
      400,
      { code: -32602, message: "no" },
      get,
      { reason: "INVALID_PARAMS", code: -32602 },
    ],
    [
      "a code within",
      500,
      { error: { code: -32006, message: "x" } },
      get,
      { reason: "INVALID_AGENT_RESPONSE" },
    ],
    [
      "1.0",
      400,
      { error: { code: 400, message: "x", details: [info] } },
      get,
      { reason: "TASK_NOT_CANCELABLE" },
    ],
    [
      "a problem",
      401,
      { type: "about:blank", title: "Who?" },
      get,
      { reason: "UNAUTHENTICATED", message: "Who?" },
    ],
    ["404 of a task", 404, { message: "Task x not found" }, get, { reason: "TASK_NOT_FOUND", code: -32001 }],
    ["404 of a route", 404, { detail: "Not Found" }, get, { reason: "METHOD_NOT_FOUND" }],
    [
      "404 of a card",
      404,
      { message: "none" },
      (client) => client.getAuthenticatedExtendedCard(),
      { reason: "AUTHENTICATED_EXTENDED_CARD_NOT_CONFIGURED" },
    ],
    [
      "409",
      409,
      { message: "done" },
      (client) => client.cancelTask({ id: "t1" }),
      { reason: "TASK_NOT_CANCELABLE", status: 409 },
    ],
    [
      "415",
      415,
      { message: "no" },
      (client) => client.sendMessage({ message }),
      { reason: "CONTENT_TYPE_NOT_SUPPORTED" },
    ],
    ["422", 422, { message: "no" }, get, { reason: "INVALID_PARAMS", code: -32602 }],
    [
      "501",
      501,
      { message: "no" },
      (client) => client.sendMessage({ message }),
      { reason: "UNSUPPORTED_OPERATION" },
    ],
    [
      "501 of webhooks",
      501,
      { message: "no" },
      (client) => client.listTaskPushNotificationConfig({ id: "t1" }),
      { reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" },
    ],
    ["502", 502, { message: "no" }, get, { reason: "INVALID_AGENT_RESPONSE" }],
    ["500", 500, { message: "no" }, get, { reason: "INTERNAL_ERROR", status: 500 }],
    ["503", 503, { message: "later" }, get, { reason: "UNAVAILABLE" }],
    [
      "a text of the schema",
      500,
      { message: "Task cannot be canceled" },
      get,
      { reason: "TASK_NOT_CANCELABLE" },
    ],
    ["a page", 502, undefined, get, { reason: "HTTP", status: 502 }],
  ])("%s", async (_, status, body, call, error) => {
    await using peer = await startPeer(answering(body, status));
    await using client = clientOf(peer);
    await expect(call(client)).rejects.toMatchObject({ status, ...error });
  });

  it("sends the whole request where the peer cannot make anything of one field", async () => {
    let count = 0;
    await using peer = await startPeer(() =>
      ++count === 1 ? answering({ message: "unknown exception" }, 500) : answering(configForm),
    );
    await using client = clientOf(peer);
    expect(await client.setTaskPushNotificationConfig(taskConfig)).toEqual(taskConfig);
    expect(peer.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      configForm,
      { parent: "tasks/t1", configId: "p1", config: configForm },
    ]);
  });

  it("does not repeat a registration that was refused for a reason", async () => {
    await using peer = await startPeer(answering({ code: -32003, message: "no" }, 400));
    await using client = clientOf(peer);
    const failure = { reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" };
    await expect(client.setTaskPushNotificationConfig(taskConfig)).rejects.toMatchObject(failure);
    expect(peer.requests).toHaveLength(1);
  });
});

describe("files of peers that encode twice", () => {
  const bytes = "aGVsbG8="; // hello
  const twice = "YUdWc2JHOD0=";
  const file = (text: string): object => ({
    message: { messageId: "m2", role: "ROLE_AGENT", content: [{ file: { file_with_bytes: text } }] },
  });
  const send = (client: V03): Promise<unknown> =>
    client.sendMessage({ message: { ...message, parts: [{ kind: "file", file: { bytes } }] } });

  it("are written and read so with doubleBase64", async () => {
    await using peer = await startPeer(answering(file(twice)));
    const warnings: ClientWarning[] = [];
    await using client = clientOf(peer, warnings, { doubleBase64: true });
    expect(await send(client)).toMatchObject({ parts: [{ file: { bytes } }] });
    expect(peer.requests[0]?.body).toContain(`"fileWithBytes":"${twice}"`);
    expect(warnings).toEqual([]);
  });

  it("are kept as they came without the option, and reported", async () => {
    await using peer = await startPeer(answering(file(twice)));
    const warnings: ClientWarning[] = [];
    await using client = clientOf(peer, warnings);
    expect(await send(client)).toMatchObject({ parts: [{ file: { bytes: twice } }] });
    expect(peer.requests[0]?.body).toContain(`"fileWithBytes":"${bytes}"`);
    expect(warnings).toMatchObject([
      { method: "sendMessage", code: "ambiguous-base64", pointer: "/message/content/0/file/fileWithBytes" },
    ]);
  });

  it("are kept and reported where they were encoded once in spite of the option", async () => {
    const once = btoa("no base64!");
    await using peer = await startPeer(answering(file(once)));
    const warnings: ClientWarning[] = [];
    await using client = clientOf(peer, warnings, { doubleBase64: true });
    expect(await send(client)).toMatchObject({ parts: [{ file: { bytes: once } }] });
    expect(warnings).toMatchObject([{ code: "single-base64" }]);
  });
});

describe("a client of 0.2 over HTTP+JSON", () => {
  it("sends the message under its older name", async () => {
    await using peer = await startPeer(answering({ task: taskForm }));
    await using client = createClient(v02.A2A, httpJson({ url: peer.url }));
    expect(await client.sendMessage({ message })).toEqual(task);
    expect(JSON.parse(peer.requests[0]?.body ?? "")).toEqual({
      request: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] },
      configuration: { blocking: true },
    });
    expect(peer.requests[0]?.headers["a2a-version"]).toBe("0.2");
  });

  it("takes the path of webhooks that early agents have", async () => {
    await using peer = await startPeer((url) =>
      url.includes("pushNotificationConfigs")
        ? answering({ detail: "Not Found" }, 404)
        : answering({ configs: [] }),
    );
    await using client = createClient(v02.A2A, httpJson({ url: peer.url }));
    expect(await client.listTaskPushNotificationConfig({ id: "t1" })).toEqual([]);
    expect(peer.requests.map(({ url }) => url)).toEqual([
      "/v1/tasks/t1/pushNotificationConfigs",
      "/v1/tasks/t1/pushNotifications",
    ]);
  });
});

describe("connect to an agent of 0.3 over HTTP+JSON", () => {
  it("speaks the newest shapes to the caller and ProtoJSON to the agent", async () => {
    const twice = { file: { fileWithBytes: "YUdWc2JHOD0=", mimeType: "text/plain" } };
    await using peer = await startPeer((url) =>
      url.startsWith("/v1/tasks")
        ? answering({ message: "Task nope not found" }, 404)
        : answering({ message: { messageId: "m2", role: "ROLE_AGENT", content: [twice] } }),
    );
    const interfaces = { url: peer.url, preferredTransport: "HTTP+JSON" };
    await using agent = await connect({ ...card, ...interfaces }, { doubleBase64: true });
    const part = { raw: "aGVsbG8=", mediaType: "text/plain" };
    const reply = await agent.sendMessage({ message: { messageId: "m1", role: "ROLE_USER", parts: [part] } });
    expect(reply).toEqual({ message: { messageId: "m2", role: "ROLE_AGENT", parts: [part] } });
    expect(JSON.parse(peer.requests[0]?.body ?? "")).toEqual({
      message: { messageId: "m1", role: "ROLE_USER", content: [twice] },
      configuration: { blocking: true },
    });
    await expect(agent.getTask({ id: "nope" })).rejects.toMatchObject({ reason: "TASK_NOT_FOUND" });
  });
});
