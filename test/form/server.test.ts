import { describe, expect, it } from "vitest";
import { A2AError } from "../../src/errors.js";
import { ask, eventsOf, serveHandle } from "../rpc/support.js";
import { cardForm, config, configForm, json, message, recording, task, taskForm } from "./server-support.js";

/** Request → what the handler gets, and the JSON of the reply. A body under two names is sent once under each. */
const unary: readonly {
  readonly name: string;
  readonly line: string;
  readonly bodies?: readonly unknown[];
  readonly input: unknown;
  readonly reply: string;
}[] = [
  {
    name: "SendMessage",
    line: "POST /v1/message:send",
    bodies: [
      { message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] } },
      { request: { message_id: "m1", role: 1, content: [{ text: "hi" }] } },
      { message },
    ],
    input: { message },
    reply: `{"task":${taskForm}}`,
  },
  {
    name: "SendMessage with everything",
    line: "POST /v1/message:send",
    bodies: [
      {
        message: {
          messageId: "m1",
          contextId: "",
          taskId: "t1",
          role: "ROLE_AGENT",
          content: [
            { text: "", metadata: { a: 1 } },
            { file: { fileWithBytes: "_-8", name: "f", mimeType: "x/y" } },
            { file: { file_with_uri: "https://u" } },
            { data: { data: { k: null } } },
            { data: {} },
          ],
          metadata: { m: 1 },
          extensions: ["https://e"],
        },
        configuration: {
          acceptedOutputModes: ["text/plain"],
          pushNotification: { url: "https://hook", authentication: { schemes: ["Bearer"] } },
          historyLength: "3",
        },
        metadata: { r: 1 },
      },
    ],
    input: {
      message: {
        kind: "message",
        messageId: "m1",
        taskId: "t1",
        role: "agent",
        parts: [
          { kind: "text", text: "", metadata: { a: 1 } },
          { kind: "file", file: { bytes: "/+8=", name: "f", mimeType: "x/y" } },
          { kind: "file", file: { uri: "https://u" } },
          { kind: "data", data: { k: null } },
          { kind: "data", data: {} },
        ],
        metadata: { m: 1 },
        extensions: ["https://e"],
      },
      configuration: {
        acceptedOutputModes: ["text/plain"],
        pushNotificationConfig: { url: "https://hook", authentication: { schemes: ["Bearer"] } },
        historyLength: 3,
        // A flag that is not there is false.
        blocking: false,
      },
      metadata: { r: 1 },
    },
    reply: `{"task":${taskForm}}`,
  },
  {
    name: "SendMessage in the JSON of the version keeps what the proto lacks",
    line: "POST /v1/message:send",
    bodies: [{ message: { ...message, referenceTaskIds: ["t0"] }, configuration: { historyLength: 0 } }],
    input: { message: { ...message, referenceTaskIds: ["t0"] }, configuration: { historyLength: 0 } },
    reply: `{"task":${taskForm}}`,
  },
  { name: "GetTask", line: "GET /v1/tasks/t1", input: { id: "t1" }, reply: taskForm },
  {
    name: "GetTask, some of the history",
    line: "GET /v1/tasks/t1?historyLength=2",
    input: { id: "t1", historyLength: 2 },
    reply: taskForm,
  },
  {
    name: "GetTask, all of the history",
    line: "GET /v1/tasks/t1?history_length=0",
    input: { id: "t1" },
    reply: taskForm,
  },
  {
    name: "GetTask of an id that has to be encoded",
    line: "GET /v1/tasks/a%2Fb%20%C3%A4",
    input: { id: "a/b ä" },
    reply: taskForm,
  },
  {
    name: "CancelTask",
    line: "POST /v1/tasks/t1:cancel",
    bodies: [undefined, {}, null, { name: "tasks/t1" }, { metadata: { a: 1 } }],
    input: { id: "t1" },
    reply: taskForm,
  },
  {
    name: "CreateTaskPushNotificationConfig",
    line: "POST /v1/tasks/t1/pushNotificationConfigs",
    bodies: [
      { name: "tasks/t1/pushNotificationConfigs/p1", pushNotificationConfig: config },
      { parent: "tasks/t1", configId: "p1", config: { pushNotificationConfig: { ...config, id: "" } } },
      { parent: "tasks/t1", config_id: "p1", config: { push_notification_config: config } },
      { taskId: "t1", pushNotificationConfig: config },
    ],
    input: { taskId: "t1", pushNotificationConfig: config },
    reply: configForm,
  },
  {
    name: "GetTaskPushNotificationConfig",
    line: "GET /v1/tasks/t1/pushNotificationConfigs/p1",
    input: { id: "t1", pushNotificationConfigId: "p1" },
    reply: configForm,
  },
  {
    name: "ListTaskPushNotificationConfig",
    line: "GET /v1/tasks/t1/pushNotificationConfigs",
    input: { id: "t1" },
    reply: `{"configs":[${configForm}]}`,
  },
  {
    name: "DeleteTaskPushNotificationConfig",
    line: "DELETE /v1/tasks/t1/pushNotificationConfigs/p1",
    input: { id: "t1", pushNotificationConfigId: "p1" },
    reply: "{}",
  },
  { name: "GetAgentCard", line: "GET /v1/card", input: {}, reply: cardForm },
];

describe("a 0.3 router over HTTP+JSON", () => {
  it.each(unary)("$name", async ({ line, bodies = [undefined], input, reply }) => {
    const { inputs, handle } = recording();
    await using server = await serveHandle(handle);
    const [method = "", path = ""] = line.split(" ");
    for (const body of bodies) {
      const answer = await ask(server, path, { method, ...(method === "POST" && { headers: json }), body });
      expect(answer.status).toBe(200);
      expect(answer.json).toStrictEqual(JSON.parse(reply));
      expect(answer.headers["content-type"]).toBe("application/json");
      expect(inputs.splice(0)).toEqual([input]);
    }
  });

  it.each([
    ["ProtoJSON", { message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] } }],
    ["JSON", { message }],
  ])("SendStreamingMessage, asked in %s, streams bare events in ProtoJSON", async (_, body) => {
    const { inputs, handle } = recording();
    await using server = await serveHandle(handle);
    const answer = await ask(server, "/v1/message:stream", { method: "POST", headers: json, body });
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    expect(answer.text).toMatch(/^data: .+\n\nid: 2\ndata: .+\n\ndata: .+\n\ndata: .+\n\n$/);
    const ids = { taskId: "t1", contextId: "c1" };
    expect(eventsOf(answer.text)).toStrictEqual([
      { data: { task: JSON.parse(taskForm) as unknown } },
      { id: "2", data: { statusUpdate: { ...ids, final: false, status: { state: "TASK_STATE_WORKING" } } } },
      { data: { artifactUpdate: { ...ids, lastChunk: true, artifact: { artifactId: "a", parts: [] } } } },
      { data: { statusUpdate: { ...ids, final: true, status: { state: "TASK_STATE_COMPLETED" } } } },
    ]);
    expect(inputs).toEqual([{ message }]);
  });

  it.each(["GET", "POST"])("TaskSubscription is a %s as well", async (method) => {
    const { inputs, handle } = recording();
    await using server = await serveHandle(handle);
    const answer = await ask(server, "/v1/tasks/t1:subscribe", { method });
    expect(eventsOf(answer.text).map(({ data }) => data)).toEqual([
      { task: JSON.parse(taskForm) as unknown },
    ]);
    expect(inputs).toEqual([{ id: "t1" }]);
  });

  it("answers a message in its wrapper", async () => {
    const { handle } = recording({
      sendMessage: () => ({
        kind: "message",
        messageId: "m9",
        role: "agent",
        parts: [{ kind: "text", text: "" }],
      }),
    });
    await using server = await serveHandle(handle);
    const answer = await ask(server, "/v1/message:send", {
      method: "POST",
      headers: json,
      body: { message },
    });
    expect(answer.json).toStrictEqual({
      message: { messageId: "m9", role: "ROLE_AGENT", content: [{ text: "" }] },
    });
  });
});

describe("what a 0.3 router refuses over HTTP+JSON", () => {
  const parts = (content: unknown): object => ({ message: { messageId: "m1", role: "ROLE_USER", content } });
  const send = "POST /v1/message:send";

  it.each<[what: string, line: string, body: unknown, text: RegExp]>([
    ["no JSON", send, "{", /Invalid JSON/],
    ["a list", send, [], /must be a JSON object/],
    ["no message", send, {}, /message: required/],
    ["no role", send, { message: { messageId: "m1", content: [] } }, /message\.role: required/],
    [
      "the role nobody has",
      send,
      { message: { messageId: "m1", role: "ROLE_UNSPECIFIED" } },
      /message\.role/,
    ],
    ["an unknown role", send, { message: { messageId: "m1", role: "ROLE_BOSS" } }, /message\.role: expected/],
    ["an empty id", send, { message: { messageId: "", role: "ROLE_USER" } }, /message\.messageId/],
    [
      "a part of nothing",
      send,
      parts([{}]),
      /message\.content\[0\]: expected exactly one of text, file or data/,
    ],
    [
      "a part of two things",
      send,
      parts([{ text: "", data: {} }]),
      /message\.content\[0\]: expected exactly one/,
    ],
    [
      "a file of nothing",
      send,
      parts([{ file: { mimeType: "x/y" } }]),
      /content\[0\]\.file: expected exactly one/,
    ],
    [
      "bytes that are none",
      send,
      parts([{ file: { fileWithBytes: "%" } }]),
      /fileWithBytes: expected a base64/,
    ],
    [
      "data that is a list",
      send,
      parts([{ data: { data: [] } }]),
      /content\[0\]\.data\.data: expected an object/,
    ],
    ["two spellings", send, { message: { messageId: "a", message_id: "b", role: 1 } }, /given twice/],
    [
      "a negative history",
      send,
      { ...parts([]), configuration: { historyLength: -1 } },
      /historyLength: expected an integer/,
    ],
    [
      "JSON that is wrong",
      send,
      { message: { ...message, role: "boss" } },
      /message\.role: expected "?agent/,
    ],
    ["JSON without a kind", send, { message: { ...message, kind: undefined } }, /message\.kind: required/],
    ["another task", "POST /v1/tasks/t1:cancel", { name: "tasks/t2" }, /name: path and body name different/],
    [
      "no configuration",
      "POST /v1/tasks/t1/pushNotificationConfigs",
      {},
      /config\.pushNotificationConfig: required/,
    ],
    ["a bad number", "GET /v1/tasks/t1?historyLength=many", undefined, /historyLength: expected an integer/],
  ])("%s", async (_, line, body, text) => {
    const { inputs, handle } = recording();
    await using server = await serveHandle(handle);
    const [method = "", path = ""] = line.split(" ");
    const answer = await ask(server, path, { method, ...(method === "POST" && { headers: json }), body });
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect((answer.json as { message: string }).message).toMatch(text);
    expect(inputs).toEqual([]);
  });

  it("says what went wrong as JSON-RPC of 0.3 does, and in a stream under a name of its own", async () => {
    const failure = new A2AError("TASK_NOT_FOUND", "No task t1", { data: { taskId: "t1" } });
    const { handle } = recording({
      getTask: () => {
        throw failure;
      },
      async *resubscribeToTask() {
        yield task;
        throw failure;
      },
    });
    await using server = await serveHandle(handle);
    const answer = await ask(server, "/v1/tasks/t1");
    expect(answer).toMatchObject({
      status: 404,
      json: { code: -32001, message: "No task t1", data: { taskId: "t1" } },
    });
    const { text } = await ask(server, "/v1/tasks/t1:subscribe");
    expect(text.split("\n\n")[1]).toBe(`event: error\ndata: ${answer.text}`);
  });

  it.each([
    ["GET", "/v1/message:send", 405],
    ["POST", "/message:send", 404],
    ["GET", "/v1/tasks", 404],
  ])("%s %s is %i", async (method, path, status) => {
    await using server = await serveHandle(recording().handle);
    expect((await ask(server, path, { method, headers: { "a2a-version": "0.3" } })).status).toBe(status);
  });
});
