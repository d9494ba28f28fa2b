import type { AgentCard, Artifact, Message, Task, TaskStatusUpdateEvent } from "a2a-js-sdk-0.3";
import {
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  type AgentExecutor,
} from "a2a-js-sdk-0.3/server";
import { UserBuilder, agentCardHandler, jsonRpcHandler, restHandler } from "a2a-js-sdk-0.3/server/express";
import { A2AService, UserBuilder as GrpcUserBuilder, grpcService } from "a2a-js-sdk-0.3/server/grpc";
import type { Endpoint, ServerLine } from "../../matrix/contract.js";
import { listenGrpc } from "./listen-grpc.js";
import { listen } from "./listen.js";
import { sceneOf } from "./script.js";
import { createTickers } from "./tickers.js";

type State = Task["status"]["state"];

const tickers = createTickers();
/** Where each task belongs: the executor is not told when it is to cancel one. */
const contexts = new Map<string, string>();

const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage, task }, bus) {
    contexts.set(taskId, contextId);
    const scene = sceneOf(textOf(userMessage), task !== undefined);
    const at = { taskId, contextId };
    const status = (state: State, note?: string): void => bus.publish(statusOf(at, state, note));
    const chunk = (text: string, append: boolean, lastChunk: boolean): void =>
      bus.publish({ kind: "artifact-update", ...at, artifact: artifactOf(text), append, lastChunk });
    if (scene.do === "release") tickers.end(scene.taskId, "released");
    if (scene.do === "message" || scene.do === "release") {
      bus.publish(agentMessage(scene.do === "message" ? scene.text : "released", { contextId }));
      bus.finished();
      return;
    }
    if (task === undefined)
      bus.publish({
        kind: "task",
        id: taskId,
        contextId,
        status: { state: "submitted", timestamp: new Date().toISOString() },
        history: [userMessage],
      });
    if (scene.do === "ask") {
      status("input-required", scene.question);
      bus.finished();
      return;
    }
    status("working");
    if (scene.do === "complete") chunk(scene.text, false, true);
    if (scene.do === "stream")
      scene.chunks.forEach((text, n) => chunk(text, n > 0, n === scene.chunks.length - 1));
    if (scene.do === "tick") {
      let said = 0;
      if ((await tickers.run(taskId, () => chunk("tick ", said++ > 0, false))) === "canceled") return;
    }
    status("completed");
    bus.finished();
  },

  async cancelTask(taskId, bus) {
    bus.publish(statusOf({ taskId, contextId: contexts.get(taskId) ?? "" }, "canceled"));
    bus.finished();
    tickers.end(taskId, "canceled");
  },
};

/** A server of the official SDK of 0.3. */
export async function start(): Promise<ServerLine> {
  const card = cardOf();
  const hooks = new InMemoryPushNotificationStore();
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    executor,
    undefined,
    hooks,
    new DefaultPushNotificationSender(hooks),
  );
  const shared = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  const address = await listenGrpc((server) => {
    const userBuilder = GrpcUserBuilder.noAuthentication;
    server.addService(A2AService, grpcService({ requestHandler, userBuilder }));
  });
  let endpoints: Endpoint[] = [];
  const url = await listen((app, base) => {
    endpoints = [
      { binding: "JSONRPC", version: "0.3", url: `${base}/rpc` },
      { binding: "HTTP+JSON", version: "0.3", url: `${base}/rest` },
      { binding: "GRPC", version: "0.3", url: address },
    ];
    card.url = `${base}/rpc`;
    card.additionalInterfaces = endpoints.map((one) => ({ url: one.url, transport: one.binding }));
    app.use("/rpc", jsonRpcHandler(shared));
    app.use("/rest", restHandler(shared));
    app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  });
  return { url, endpoints };
}

const textOf = ({ parts }: { parts: Artifact["parts"] }): string =>
  parts.map((part) => (part.kind === "text" ? part.text : "")).join("");

const artifactOf = (text: string): Artifact => ({ artifactId: "a", parts: [{ kind: "text", text }] });

const agentMessage = (text: string, at: { taskId?: string; contextId: string }): Message => ({
  kind: "message",
  messageId: crypto.randomUUID(),
  role: "agent",
  parts: [{ kind: "text", text }],
  ...at,
});

/** A status update; it ends a stream at the end of a task and at a question. */
const statusOf = (
  at: { taskId: string; contextId: string },
  state: State,
  note?: string,
): TaskStatusUpdateEvent => ({
  kind: "status-update",
  ...at,
  status: {
    state,
    timestamp: new Date().toISOString(),
    ...(note === undefined ? {} : { message: agentMessage(note, at) }),
  },
  final: state !== "working" && state !== "submitted",
});

const cardOf = (): AgentCard => ({
  name: "Interop",
  description: "Does what it is told.",
  version: "1.0.0",
  protocolVersion: "0.3.0",
  url: "",
  preferredTransport: "JSONRPC",
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "interop", name: "Interop", description: "Does what it is told.", tags: ["test"] }],
});
