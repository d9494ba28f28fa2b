import { A2A } from "../../generated/v0.3/index.js";
import type { AgentCard, Message, Task } from "../../generated/v0.3/types.js";
import { createClient, httpJson, type ClientWarning } from "a2a-typed";
import type { Peer, PeerReply } from "../field-reports/peer.js";

export const message: Message = {
  kind: "message",
  messageId: "m1",
  role: "user",
  parts: [{ kind: "text", text: "hi" }],
};
export const task: Task = {
  kind: "task",
  id: "t1",
  contextId: "c1",
  status: { state: "canceled", message: { ...message, role: "agent", taskId: "t1" } },
  artifacts: [{ artifactId: "a1", parts: [{ kind: "data", data: { a: 1 } }] }],
};
export const taskForm = {
  id: "t1",
  contextId: "c1",
  status: {
    state: "TASK_STATE_CANCELLED",
    message: { messageId: "m1", taskId: "t1", role: "ROLE_AGENT", content: [{ text: "hi" }] },
  },
  artifacts: [{ artifactId: "a1", parts: [{ data: { data: { a: 1 } } }] }],
};
/** The same as peers write that keep the names of the proto. */
export const taskSnake = {
  id: "t1",
  context_id: "c1",
  status: {
    state: 5,
    update: { message_id: "m1", task_id: "t1", role: 2, content: [{ text: "hi" }] },
  },
  artifacts: [{ artifact_id: "a1", parts: [{ data: { data: { a: 1 } } }] }],
};
export const config = { id: "p1", url: "https://hook.example.com", authentication: { schemes: ["Bearer"] } };
export const taskConfig = { taskId: "t1", pushNotificationConfig: config };
export const configForm = { name: "tasks/t1/pushNotificationConfigs/p1", pushNotificationConfig: config };
export const card: AgentCard = {
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
export const cardForm = {
  ...card,
  security: [{ schemes: { key: { list: ["a"] } } }],
  securitySchemes: { key: { apiKeySecurityScheme: { location: "query", name: "k" } } },
};

export const answering = (json: unknown, status = 200): PeerReply => ({
  status,
  headers: { "content-type": "application/json" },
  body: json === undefined ? "" : JSON.stringify(json),
});
export const streaming = (...events: unknown[]): PeerReply => ({
  headers: { "content-type": "text/event-stream" },
  body: events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`),
});

export type Options = Omit<Parameters<typeof httpJson>[0], "url">;

export function clientOf(peer: Peer, warnings: ClientWarning[] = [], options: Options = {}) {
  return createClient(A2A, httpJson({ url: peer.url, ...options }), {
    onWarning: (warning) => warnings.push(warning),
  });
}
export type V03 = ReturnType<typeof clientOf>;

/** Call → request line and body, and replies in several spellings that all mean one result. */
