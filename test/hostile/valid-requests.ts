import type { BindingName } from "../rules/support.js";

/** A request before it is written. */
export interface Draft {
  verb: string;
  path: string;
  query: string;
  headers: [string, string][];
  /** JSON; undefined for none. */
  json: unknown;
}

const config = {
  id: "c1",
  url: "https://hooks.example.com/a2a",
  token: "t",
  authentication: { scheme: "Bearer" },
};

const message = (task: object = {}) => ({
  messageId: "m-1",
  role: "ROLE_USER",
  parts: [
    { text: "hello", metadata: { a: [1, 2, { b: null }] } },
    {
      data: {
        rows: [
          [1, "x"],
          [2, "y"],
        ],
        ok: true,
      },
      mediaType: "application/json",
    },
    { raw: "aGVsbG8=", filename: "a.txt", mediaType: "text/plain" },
    { url: "https://files.example.com/a.txt", mediaType: "text/plain" },
  ],
  metadata: { trace: "1" },
  extensions: ["https://example.com/ext"],
  referenceTaskIds: ["t-0"],
  ...task,
});

/** Name, input, verb, path, query: what is good over both bindings, for a task that pauses. */
const calls = (taskId: string) =>
  [
    [
      "SendMessage",
      {
        message: message(),
        configuration: { historyLength: 3, acceptedOutputModes: ["text/plain"] },
        metadata: {},
      },
      "POST",
      "/message:send",
      "",
    ],
    ["SendMessage", { message: message({ taskId }) }, "POST", "/message:send", ""],
    [
      "SendMessage",
      { message: message(), configuration: { returnImmediately: true, taskPushNotificationConfig: config } },
      "POST",
      "/message:send",
      "",
    ],
    ["SendStreamingMessage", { message: message() }, "POST", "/message:stream", ""],
    ["GetTask", { id: taskId, historyLength: 5 }, "GET", `/tasks/${taskId}`, "historyLength=5"],
    [
      "ListTasks",
      {
        contextId: "c",
        status: "TASK_STATE_WORKING",
        pageSize: 20,
        includeArtifacts: true,
        statusTimestampAfter: "2025-01-01T00:00:00Z",
      },
      "GET",
      "/tasks",
      "contextId=c&status=TASK_STATE_WORKING&pageSize=20&includeArtifacts=true&statusTimestampAfter=2025-01-01T00%3A00%3A00Z",
    ],
    ["CancelTask", { id: taskId, metadata: { why: "done" } }, "POST", `/tasks/${taskId}:cancel`, ""],
    ["SubscribeToTask", { id: taskId }, "POST", `/tasks/${taskId}:subscribe`, ""],
    [
      "CreateTaskPushNotificationConfig",
      { taskId, ...config },
      "POST",
      `/tasks/${taskId}/pushNotificationConfigs`,
      "",
    ],
    [
      "GetTaskPushNotificationConfig",
      { taskId, id: "c1" },
      "GET",
      `/tasks/${taskId}/pushNotificationConfigs/c1`,
      "",
    ],
    [
      "ListTaskPushNotificationConfigs",
      { taskId, pageSize: 5 },
      "GET",
      `/tasks/${taskId}/pushNotificationConfigs`,
      "pageSize=5",
    ],
    [
      "DeleteTaskPushNotificationConfig",
      { taskId, id: "c1" },
      "DELETE",
      `/tasks/${taskId}/pushNotificationConfigs/c1`,
      "",
    ],
    ["GetExtendedAgentCard", {}, "GET", "/extendedAgentCard", ""],
  ] as const;

const legacyMessage = {
  kind: "message",
  messageId: "m-1",
  role: "user",
  parts: [
    { kind: "text", text: "hello" },
    { kind: "data", data: { a: 1 } },
    { kind: "file", file: { uri: "https://files.example.com/a" } },
  ],
};

const legacy = (taskId: string) =>
  [
    ["message/send", { message: legacyMessage, configuration: { blocking: true } }, "/v1/message:send"],
    ["message/stream", { message: legacyMessage }, "/v1/message:stream"],
    ["tasks/get", { id: taskId, historyLength: 1 }, ""],
    ["tasks/cancel", { id: taskId }, `/v1/tasks/${taskId}:cancel`],
  ] as const;

/** Good requests of one binding, 1.0 and 0.3. */
export function validRequests(binding: BindingName, taskId: string): readonly Draft[] {
  const headers = (version: string): [string, string][] => [
    ["A2A-Version", version],
    ["Content-Type", "application/json"],
    ["Accept", "application/json, text/event-stream"],
    ["A2A-Extensions", "https://example.com/ext"],
  ];
  const rpc = (method: string, params: unknown, version: string): Draft => ({
    verb: "POST",
    path: "/",
    query: "",
    headers: headers(version),
    json: { jsonrpc: "2.0", id: 7, method, params },
  });
  if (binding === "JSONRPC") {
    return [
      ...calls(taskId).map(([name, input]) => rpc(name, input, "1.0")),
      ...legacy(taskId).map(([name, input]) => rpc(name, input, "0.3")),
    ];
  }
  return [
    ...calls(taskId).map(([, input, verb, path, query]): Draft => ({
      verb,
      path,
      query,
      headers: headers("1.0"),
      json: verb === "POST" ? input : undefined,
    })),
    ...legacy(taskId)
      .filter(([, , path]) => path !== "")
      .map(([, json, path]): Draft => ({ verb: "POST", path, query: "", headers: headers("0.3"), json })),
    {
      verb: "GET",
      path: "/.well-known/agent-card.json",
      query: "",
      headers: headers("1.0"),
      json: undefined,
    },
  ];
}
