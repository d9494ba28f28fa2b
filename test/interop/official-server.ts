import { TaskState, type AgentCard } from "@a2a-js/sdk";
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { UserBuilder, agentCardHandler, jsonRpcHandler, restHandler } from "@a2a-js/sdk/server/express";
import express from "express";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { officialArtifact, officialStatus, officialText } from "./official-shapes.js";

/** An agent of the official SDK on a real socket. */
export interface OfficialServer extends AsyncDisposable {
  readonly url: string;
  readonly rpcUrl: string;
  readonly restUrl: string;
  /** Lets the tasks that were told to `wait` finish. */
  release(): void;
}

/**
 * The official SDK as its documentation sets it up. Its agent echoes; `stream:N` appends N chunks to one artifact,
 * `wait` works until it is released or canceled, `ask` pauses for input.
 */
export async function startOfficialServer(): Promise<OfficialServer> {
  const waiting = new Map<string, () => void>();
  const executor: AgentExecutor = {
    async execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
      const { taskId, contextId, userMessage, task } = request;
      const at = { taskId, contextId, metadata: undefined };
      const status = (state: TaskState): void =>
        bus.publish(AgentEvent.statusUpdate({ ...at, status: officialStatus(state) }));
      const artifact = (id: string, text: string, append: boolean, lastChunk: boolean): void =>
        bus.publish(
          AgentEvent.artifactUpdate({ ...at, artifact: officialArtifact(id, text), append, lastChunk }),
        );
      const text = officialText(userMessage);
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: officialStatus(TaskState.TASK_STATE_SUBMITTED),
          artifacts: [],
          history: [...(task?.history ?? []), userMessage],
          metadata: undefined,
        }),
      );
      if (text === "ask") {
        status(TaskState.TASK_STATE_INPUT_REQUIRED);
        return;
      }
      if (text === "wait") {
        status(TaskState.TASK_STATE_WORKING);
        await new Promise<void>((resolve) => waiting.set(taskId, resolve));
        if (!waiting.delete(taskId)) return;
      }
      const count = Number(/^stream:(\d+)$/.exec(text)?.[1] ?? 0);
      for (let n = 0; n < count; n++) artifact("a", `${n} `, n > 0, n === count - 1);
      if (count === 0) artifact("a", `echo: ${text}`, false, true);
      status(TaskState.TASK_STATE_COMPLETED);
    },
    async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
      // It is not told the context of the task, and waits until the run has ended.
      const at = { taskId, contextId: "", metadata: undefined };
      bus.publish(AgentEvent.statusUpdate({ ...at, status: officialStatus(TaskState.TASK_STATE_CANCELED) }));
      const end = waiting.get(taskId);
      waiting.delete(taskId);
      end?.();
    },
  };

  const agentCard = card();
  const requestHandler = new DefaultRequestHandler(agentCard, new InMemoryTaskStore(), executor);
  const userBuilder = UserBuilder.noAuthentication;
  const app = express();
  app.use("/rpc", jsonRpcHandler({ requestHandler, userBuilder }));
  app.use("/rest", restHandler({ requestHandler, userBuilder }));
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  agentCard.supportedInterfaces = [
    interfaceAt(`${url}/rpc`, "JSONRPC"),
    interfaceAt(`${url}/rest`, "HTTP+JSON"),
  ];
  const release = (): void => {
    for (const end of waiting.values()) end();
  };
  return {
    url,
    rpcUrl: `${url}/rpc`,
    restUrl: `${url}/rest`,
    release,
    [Symbol.asyncDispose]: async () => {
      release();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const interfaceAt = (url: string, protocolBinding: string): AgentCard["supportedInterfaces"][number] => ({
  url,
  protocolBinding,
  tenant: "",
  protocolVersion: "1.0",
});

const card = (): AgentCard => ({
  name: "Official",
  description: "An agent of the official SDK.",
  version: "1.0.0",
  supportedInterfaces: [],
  provider: undefined,
  capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [
    {
      id: "echo",
      name: "Echo",
      description: "Says it again.",
      tags: ["test"],
      examples: [],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
  signatures: [],
});
