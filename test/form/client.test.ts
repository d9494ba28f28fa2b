import { describe, expect, it } from "vitest";
import * as v02 from "../../generated/v0.2/index.js";
import { A2A } from "../../generated/v0.3/index.js";
import type { Message } from "../../generated/v0.3/types.js";
import { A2AError, createClient, httpJson, tolerant, type ClientWarning } from "a2a-typed";
import { connect } from "a2a-typed/client";
import { startPeer } from "../field-reports/peer.js";
import {
  type V03,
  answering,
  card,
  cardForm,
  clientOf,
  config,
  configForm,
  message,
  task,
  taskConfig,
  taskForm,
  taskSnake,
} from "./client-support.js";

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
