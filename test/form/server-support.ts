import { A2A as A2A03 } from "../../generated/v0.3/service.js";
import type { AgentCard, Task } from "../../generated/v0.3/types.js";
import { JsonText } from "../../src/json-text.js";
import { createRouter, type Handlers } from "../../src/server/router.js";

export const task: Task = {
  kind: "task",
  id: "t1",
  contextId: "c1",
  status: {
    state: "canceled",
    message: { kind: "message", messageId: "m2", role: "agent", parts: [{ kind: "text", text: "ok" }] },
    timestamp: "2025-01-02T03:04:05Z",
  },
  artifacts: [
    {
      artifactId: "a1",
      parts: [
        { kind: "file", file: { bytes: "aGk=", mimeType: "text/plain", name: "x.txt" } },
        { kind: "file", file: { uri: "https://files.example.com/1" } },
        { kind: "data", data: { n: [1, null] } },
      ],
    },
  ],
  history: [],
};
export const taskForm =
  '{"id":"t1","contextId":"c1",' +
  '"status":{"state":"TASK_STATE_CANCELLED","message":{"messageId":"m2","role":"ROLE_AGENT","content":[{"text":"ok"}]},' +
  '"timestamp":"2025-01-02T03:04:05Z"},' +
  '"artifacts":[{"artifactId":"a1","parts":[{"file":{"fileWithBytes":"aGk=","mimeType":"text/plain"}},' +
  '{"file":{"fileWithUri":"https://files.example.com/1"}},{"data":{"data":{"n":[1,null]}}}]}],"history":[]}';

export const config = { id: "p1", url: "https://hook.example.com/a", token: "s" };
export const configForm = `{"name":"tasks/t1/pushNotificationConfigs/p1","pushNotificationConfig":${JSON.stringify(config)}}`;
export const card: AgentCard = {
  name: "Agent",
  description: "d",
  url: "https://agent.example.com",
  version: "1",
  protocolVersion: "0.3.0",
  capabilities: { streaming: true, stateTransitionHistory: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
  security: [{ key: [], login: ["read"] }, {}],
  securitySchemes: {
    key: { type: "apiKey", in: "header", name: "x-key" },
    login: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "https://login", scopes: {} } } },
    tls: { type: "mutualTLS" },
  },
};
export const cardForm =
  '{"name":"Agent","description":"d","url":"https://agent.example.com","version":"1","protocolVersion":"0.3.0",' +
  '"capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[],' +
  '"security":[{"schemes":{"key":{"list":[]},"login":{"list":["read"]}}},{"schemes":{}}],' +
  '"securitySchemes":{"key":{"apiKeySecurityScheme":{"location":"header","name":"x-key"}},' +
  '"login":{"oauth2SecurityScheme":{"flows":{"clientCredentials":{"tokenUrl":"https://login","scopes":{}}}}},' +
  '"tls":{"mtlsSecurityScheme":{}}}}';

/** A router of 0.3 that notes what its handlers are given. */
export function recording(more: Handlers<typeof A2A03> = {}) {
  const inputs: unknown[] = [];
  const note = <T>(input: unknown, output: T): T => {
    inputs.push(input);
    return output;
  };
  const router = createRouter(A2A03, {
    sendMessage: (input) => note(input, task),
    async *sendStreamingMessage(input) {
      yield note(input, task);
      yield new JsonText(
        '{"kind":"status-update","taskId":"t1","contextId":"c1","final":false,"status":{"state":"working"}}',
        2,
      );
      yield {
        kind: "artifact-update",
        taskId: "t1",
        contextId: "c1",
        lastChunk: true,
        artifact: { artifactId: "a", parts: [] },
      };
      yield {
        kind: "status-update",
        taskId: "t1",
        contextId: "c1",
        final: true,
        status: { state: "completed" },
      };
    },
    getTask: (input) => note(input, task),
    cancelTask: (input) => note(input, task),
    async *resubscribeToTask(input) {
      yield note(input, task);
    },
    setTaskPushNotificationConfig: (input) => note(input, { taskId: "t1", pushNotificationConfig: config }),
    getTaskPushNotificationConfig: (input) => note(input, { taskId: "t1", pushNotificationConfig: config }),
    listTaskPushNotificationConfig: (input) =>
      note(input, [{ taskId: "t1", pushNotificationConfig: config }]),
    deleteTaskPushNotificationConfig: (input) => note(input, null),
    getAuthenticatedExtendedCard: (input) => note(input, card),
    ...more,
  });
  return { inputs, handle: router.handle };
}

export const message = {
  kind: "message",
  messageId: "m1",
  role: "user",
  parts: [{ kind: "text", text: "hi" }],
};
export const json = { "content-type": "application/json" };
