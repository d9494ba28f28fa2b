/** The official SDK, set up as its documentation does: in-memory store, Express, no authentication. */
import { TaskState, type AgentCard, type Artifact, type TaskStatus } from "@a2a-js/sdk";
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { UserBuilder, jsonRpcHandler, restHandler } from "@a2a-js/sdk/server/express";
import express from "express";
import { announce, askedBy, breath, portOf, tokenOf } from "./contract.js";

const artifactOf = (text: string, artifactId = "a"): Artifact => ({
  artifactId,
  name: "echo",
  description: "",
  parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
  metadata: undefined,
  extensions: [],
});

const statusOf = (state: TaskState): TaskStatus => ({
  state,
  message: undefined,
  timestamp: new Date().toISOString(),
});

const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const content = userMessage.parts[0]?.content;
    const text = content?.$case === "text" ? content.value : "";
    const at = { taskId, contextId, metadata: undefined };
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: statusOf(TaskState.TASK_STATE_SUBMITTED),
        artifacts: [],
        history: [userMessage],
        metadata: undefined,
      }),
    );
    const { count, distinct } = askedBy(text);
    for (let n = 0; n < count; n++) {
      const artifact = artifactOf(tokenOf(n), distinct ? `a${String(n)}` : "a");
      const [append, lastChunk] = distinct ? [false, true] : [n > 0, n === count - 1];
      bus.publish(AgentEvent.artifactUpdate({ ...at, artifact, append, lastChunk }));
      await breath(n);
    }
    if (count === 0) {
      const artifact = artifactOf(`echo: ${text}`);
      bus.publish(AgentEvent.artifactUpdate({ ...at, artifact, append: false, lastChunk: true }));
    }
    bus.publish(AgentEvent.statusUpdate({ ...at, status: statusOf(TaskState.TASK_STATE_COMPLETED) }));
  },
  cancelTask: async () => undefined,
};

const interfaceAt = (url: string, protocolBinding: string, protocolVersion = "1.0") => ({
  url,
  protocolBinding,
  tenant: "",
  protocolVersion,
});

const card: AgentCard = {
  name: "bench",
  description: "bench",
  version: "1.0.0",
  supportedInterfaces: [
    interfaceAt("http://127.0.0.1/rpc", "JSONRPC"),
    interfaceAt("http://127.0.0.1/rest", "HTTP+JSON"),
    interfaceAt("http://127.0.0.1/rpc", "JSONRPC", "0.3"),
    interfaceAt("http://127.0.0.1/rest", "HTTP+JSON", "0.3"),
  ],
  provider: undefined,
  capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
  signatures: [],
};

const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
const userBuilder = UserBuilder.noAuthentication;
const app = express();
app.disable("x-powered-by");
const legacyCompat = { enabled: true };
app.use("/rpc", jsonRpcHandler({ requestHandler, userBuilder, legacyCompat }));
app.use("/rest", restHandler({ requestHandler, userBuilder, legacyCompat }));
const server = app.listen(0, "127.0.0.1", () =>
  announce({ port: portOf(server), rpcPath: "/rpc", restPath: "/rest" }),
);
