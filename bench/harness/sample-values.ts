/** Values of 1.0 as they come in practice, to be decoded, checked and converted. */
const sentence = "The quick brown fox jumps over the lazy dog, and then it sleeps. ";
const message = {
  messageId: "0190a3c2-7c1e-7e6a-9d55-0e3b6f6c2a11",
  contextId: "0190a3c2-7c1e-7e6a-9d55-0e3b6f6c2a12",
  role: "ROLE_USER",
  parts: [
    { text: sentence.repeat(6) },
    { url: "https://files.example.com/report.pdf", mediaType: "application/pdf", filename: "report.pdf" },
    {
      data: {
        order: 17,
        lines: [
          { sku: "a-1", count: 2 },
          { sku: "b-2", count: 1 },
        ],
        paid: true,
      },
    },
  ],
  metadata: { trace: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" },
};
const task = {
  id: message.messageId,
  contextId: message.contextId,
  status: { state: "TASK_STATE_WORKING", timestamp: "2025-11-02T10:11:12.345Z" },
  artifacts: Array.from({ length: 20 }, (_, index) => ({
    artifactId: `artifact-${String(index)}`,
    name: "Report",
    parts: [{ text: sentence }, { data: [1, 2, 3, { a: null }] }],
  })),
  history: [message, { ...message, role: "ROLE_AGENT" }],
};
const event = {
  artifactUpdate: {
    taskId: message.messageId,
    contextId: message.contextId,
    artifact: { artifactId: "a1", parts: [{ text: "a token " }] },
    append: true,
  },
};
const card = {
  name: "Reports",
  description: sentence,
  version: "1.0.0",
  supportedInterfaces: [
    { url: "https://agent.example.com/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: "https://agent.example.com/", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    { url: "https://agent.example.com/", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ],
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: Array.from({ length: 5 }, (_, index) => ({
    id: `skill-${String(index)}`,
    name: "Report",
    description: sentence,
    tags: ["report", "pdf"],
  })),
};

/** By the name of their type. */
export const sampleValues = {
  SendMessageRequest: { message, configuration: { acceptedOutputModes: ["text/plain"], historyLength: 10 } },
  Message: message,
  StreamResponse: event,
  Task: task,
  AgentCard: card,
} as const;
