import { Role, TaskState, type AgentCard, type Artifact, type Message, type TaskStatus } from "@a2a-js/sdk";
import { createLegacyAwarePushNotificationSender } from "@a2a-js/sdk/compat/v0_3/server";
import { LegacyA2AService, legacyGrpcService } from "@a2a-js/sdk/compat/v0_3/server/grpc";
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  type AgentExecutor,
} from "@a2a-js/sdk/server";
import { UserBuilder, agentCardHandler, jsonRpcHandler, restHandler } from "@a2a-js/sdk/server/express";
import { A2AService, grpcService } from "@a2a-js/sdk/server/grpc";
import type { Endpoint, ServerLine } from "../../matrix/contract.js";
import { listenGrpc } from "./listen-grpc.js";
import { listen } from "./listen.js";
import { sceneOf } from "./script.js";
import { createTickers } from "./tickers.js";

const tickers = createTickers();
/** Where each task belongs: the executor is not told when it is to cancel one. */
const contexts = new Map<string, string>();

const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage, task }, bus) {
    contexts.set(taskId, contextId);
    const scene = sceneOf(textOf(userMessage), task !== undefined);
    const at = { taskId, contextId, metadata: undefined };
    const status = (state: TaskState, note?: string): void =>
      bus.publish(
        AgentEvent.statusUpdate({ ...at, status: statusOf(state, note && agentMessage(note, at)) }),
      );
    const chunk = (text: string, append: boolean, lastChunk: boolean): void =>
      bus.publish(AgentEvent.artifactUpdate({ ...at, artifact: artifactOf(text), append, lastChunk }));
    if (scene.do === "release") tickers.end(scene.taskId, "released");
    if (scene.do === "message" || scene.do === "release") {
      const text = scene.do === "message" ? scene.text : "released";
      bus.publish(AgentEvent.message(agentMessage(text, { taskId: "", contextId })));
      return;
    }
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: statusOf(TaskState.TASK_STATE_SUBMITTED),
        artifacts: [],
        // The SDK puts an answer into the history of its task by itself.
        history: task?.history ?? [userMessage],
        metadata: undefined,
      }),
    );
    if (scene.do === "ask") {
      status(TaskState.TASK_STATE_INPUT_REQUIRED, scene.question);
      return;
    }
    status(TaskState.TASK_STATE_WORKING);
    if (scene.do === "complete") chunk(scene.text, false, true);
    if (scene.do === "stream")
      scene.chunks.forEach((text, n) => chunk(text, n > 0, n === scene.chunks.length - 1));
    if (scene.do === "tick") {
      let said = 0;
      const how = await tickers.run(taskId, () => chunk("tick ", said++ > 0, false));
      if (how === "canceled") return;
    }
    status(TaskState.TASK_STATE_COMPLETED);
  },

  async cancelTask(taskId, bus) {
    const at = { taskId, contextId: contexts.get(taskId) ?? "", metadata: undefined };
    bus.publish(AgentEvent.statusUpdate({ ...at, status: statusOf(TaskState.TASK_STATE_CANCELED) }));
    tickers.end(taskId, "canceled");
  },
};

/** A server of the official SDK of 1.0, with its compatibility layer for 0.3. */
export async function start(): Promise<ServerLine> {
  const card = cardOf();
  const hooks = new InMemoryPushNotificationStore();
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    executor,
    undefined,
    hooks,
    createLegacyAwarePushNotificationSender(hooks),
  );
  const shared = {
    requestHandler,
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: true },
  };
  const address = await listenGrpc((server) => {
    server.addService(A2AService, grpcService(shared));
    server.addService(LegacyA2AService, legacyGrpcService(shared));
  });
  const endpoints: Endpoint[] = [];
  const url = await listen((app, base) => {
    for (const version of ["1.0", "0.3"] as const)
      endpoints.push(
        { binding: "JSONRPC", version, url: `${base}/rpc` },
        { binding: "HTTP+JSON", version, url: `${base}/rest` },
        { binding: "GRPC", version, url: address },
      );
    card.supportedInterfaces = endpoints.map((one) => ({
      url: one.url,
      protocolBinding: one.binding,
      protocolVersion: one.version,
      tenant: "",
    }));
    app.use("/rpc", jsonRpcHandler(shared));
    app.use("/rest", restHandler(shared));
    const cards = agentCardHandler({ agentCardProvider: requestHandler, legacyCompat: { enabled: true } });
    app.use("/.well-known/agent-card.json", cards);
  });
  return { url, endpoints };
}

const textOf = ({ parts }: { parts: Artifact["parts"] }): string =>
  parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");

const partOf = (text: string): Artifact["parts"][number] => ({
  content: { $case: "text", value: text },
  metadata: undefined,
  filename: "",
  mediaType: "",
});

const artifactOf = (text: string): Artifact => ({
  artifactId: "a",
  name: "",
  description: "",
  parts: [partOf(text)],
  metadata: undefined,
  extensions: [],
});

const agentMessage = (
  text: string,
  { taskId, contextId }: { taskId: string; contextId: string },
): Message => ({
  messageId: crypto.randomUUID(),
  contextId,
  taskId,
  role: Role.ROLE_AGENT,
  parts: [partOf(text)],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

const statusOf = (state: TaskState, message?: Message | ""): TaskStatus => ({
  state,
  message: message || undefined,
  timestamp: new Date().toISOString(),
});

const cardOf = (): AgentCard => ({
  name: "Interop",
  description: "Does what it is told.",
  version: "1.0.0",
  supportedInterfaces: [],
  provider: undefined,
  capabilities: { streaming: true, pushNotifications: true, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [
    {
      id: "interop",
      name: "Interop",
      description: "Does what it is told.",
      tags: ["test"],
      examples: [],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
  signatures: [],
});
