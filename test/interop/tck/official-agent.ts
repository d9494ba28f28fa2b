import { Role, TaskState, type AgentCard, type Artifact, type Message } from "@a2a-js/sdk";
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
import { textOf, type Part } from "a2a-typed/v1";
import { setTimeout as elapsed } from "node:timers/promises";
import { officialPart, officialStatus } from "../official-shapes.js";
import { listenGrpc } from "../programs/js/listen-grpc.js";
import { listen } from "../programs/js/listen.js";
import { agentArguments, requiredExtension } from "./agent-arguments.js";
import { scriptOf } from "./triggers.js";

/** Where each task belongs: the executor is not told when it is to cancel one. */
const contexts = new Map<string, string>();

const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage, task }, bus) {
    contexts.set(taskId, contextId);
    const { reply, working, workMs, chunks = [], end, note } = scriptOf(userMessage.messageId);
    const at = { taskId, contextId, metadata: undefined };
    const status = (state: TaskState, text?: string): void => {
      const message = text === undefined ? undefined : said(text, at);
      bus.publish(AgentEvent.statusUpdate({ ...at, status: { ...officialStatus(state), message } }));
    };
    if (reply !== undefined) {
      bus.publish(AgentEvent.message(said(reply, { taskId: "", contextId })));
      return;
    }
    // It wants a task first at every call.
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: officialStatus(TaskState.TASK_STATE_SUBMITTED),
        artifacts: task?.artifacts ?? [],
        history: task?.history ?? [userMessage],
        metadata: undefined,
      }),
    );
    if (working) status(TaskState.TASK_STATE_WORKING);
    if (workMs !== undefined) await elapsed(workMs);
    chunks.forEach((chunk, n) =>
      bus.publish(
        AgentEvent.artifactUpdate({
          ...at,
          artifact: artifactOf(chunk),
          append: n > 0,
          lastChunk: n === chunks.length - 1,
        }),
      ),
    );
    if (end !== undefined) status(states[end], note);
  },

  async cancelTask(taskId, bus) {
    const at = { taskId, contextId: contexts.get(taskId) ?? "", metadata: undefined };
    bus.publish(AgentEvent.statusUpdate({ ...at, status: officialStatus(TaskState.TASK_STATE_CANCELED) }));
  },
};

const states = {
  completed: TaskState.TASK_STATE_COMPLETED,
  inputRequired: TaskState.TASK_STATE_INPUT_REQUIRED,
  rejected: TaskState.TASK_STATE_REJECTED,
};

const said = (text: string, { taskId, contextId }: { taskId: string; contextId: string }): Message => ({
  messageId: crypto.randomUUID(),
  contextId,
  taskId,
  role: Role.ROLE_AGENT,
  parts: [officialPart(text)],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

const artifactOf = (part: Part): Artifact => ({
  artifactId: "a",
  name: "",
  description: "",
  parts: [
    {
      ...officialPart(""),
      content: contentOf(part),
      filename: part.filename ?? "",
      mediaType: part.mediaType ?? "",
    },
  ],
  metadata: undefined,
  extensions: [],
});

const contentOf = (part: Part): Artifact["parts"][number]["content"] => {
  if (part.raw !== undefined) return { $case: "raw", value: Buffer.from(part.raw, "base64") };
  if (part.url !== undefined) return { $case: "url", value: part.url };
  if (part.data !== undefined) return { $case: "data", value: part.data };
  return { $case: "text", value: textOf(part) };
};

const options = agentArguments("official-agent");
const legacyCompat = { enabled: options.versions.includes("0.3") };
const card: AgentCard = {
  name: "TCK agent",
  description: "Does what the id of a message says.",
  version: "1.0.0",
  supportedInterfaces: [],
  provider: undefined,
  capabilities: {
    streaming: options.streaming,
    pushNotifications: options.push,
    extensions: options.requireExtension
      ? [{ uri: requiredExtension, description: "", required: true, params: undefined }]
      : [],
    extendedAgentCard: false,
  },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [
    {
      id: "tck",
      name: "TCK",
      description: "Does what the id of a message says.",
      tags: ["test"],
      examples: [],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
  signatures: [],
};
const hooks = new InMemoryPushNotificationStore();
const requestHandler = options.push
  ? new DefaultRequestHandler(
      card,
      new InMemoryTaskStore(),
      executor,
      undefined,
      hooks,
      createLegacyAwarePushNotificationSender(hooks),
    )
  : new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
const shared = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
const address = await listenGrpc((server) => {
  server.addService(A2AService, grpcService(shared));
  if (legacyCompat.enabled) server.addService(LegacyA2AService, legacyGrpcService(shared));
});
const url = await listen((app, base) => {
  card.supportedInterfaces = options.versions.flatMap((protocolVersion) => [
    { url: base, protocolBinding: "JSONRPC", protocolVersion, tenant: "" },
    { url: `${base}/rest`, protocolBinding: "HTTP+JSON", protocolVersion, tenant: "" },
    // The kit for 0.3 looks for the host of a URL.
    {
      url: protocolVersion === "0.3" ? `http://${address}` : address,
      protocolBinding: "GRPC",
      protocolVersion,
      tenant: "",
    },
  ]);
  app.use(
    "/.well-known/agent-card.json",
    agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }),
  );
  app.use("/rest", restHandler(shared));
  app.use("/", jsonRpcHandler(shared));
});
console.log(url);
