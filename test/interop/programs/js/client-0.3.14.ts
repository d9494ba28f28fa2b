import type {
  AgentCard,
  Artifact,
  Message,
  MessageSendParams,
  PushNotificationConfig,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskStatusUpdateEvent,
} from "a2a-js-sdk-0.3";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "a2a-js-sdk-0.3/client";
import { GrpcTransportFactory } from "a2a-js-sdk-0.3/client/grpc";
import type { ClientArgs } from "../../matrix/contract.js";
import type { Connect, Hook, PeerClient, Say, Told } from "./peer-client.js";
import { plainly, reasonOfCode } from "./reasons.js";
import { sayingGrpc } from "./saying-grpc.js";

/** A client of the official SDK of 0.3. */
export function connectTo({ url, binding }: ClientArgs): Connect {
  return async (wrongVersion) => {
    const fetchImpl = wrongVersion === undefined ? fetch : saying(wrongVersion);
    /* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment -- their options are declared as classes */
    const transports = [
      new JsonRpcTransportFactory({ fetchImpl }),
      new RestTransportFactory({ fetchImpl }),
      new GrpcTransportFactory(
        wrongVersion === undefined ? {} : { grpcCallOptions: sayingGrpc(wrongVersion) },
      ),
    ];
    /* eslint-enable @typescript-eslint/no-unsafe-class-instance-assignment */
    const factory = new ClientFactory({ transports, preferredTransports: [binding] });
    const card = await new DefaultAgentCardResolver().resolve(url);
    const client = await factory.createFromAgentCard(card);
    return {
      card: async () => cardSeen(await client.getAgentCard()),
      send: async (say) => told(await client.sendMessage(params(say))),
      async *stream(say) {
        for await (const event of client.sendMessageStream(params(say))) yield told(event);
      },
      history: async (id, length) =>
        (
          (await client.getTask(length === undefined ? { id } : { id, historyLength: length })).history ?? []
        ).map((message) => ({ role: message.role, text: textOf(message) })),
      cancel: async (id) => told(await client.cancelTask({ id })),
      async *subscribe(id) {
        for await (const event of client.resubscribeTask({ id })) yield told(event);
      },
      setHook: async (taskId, hook) =>
        hookOf(await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig: { ...hook } })),
      getHook: async (id, pushNotificationConfigId) =>
        // Its type leaves out the member that its method takes.
        hookOf(
          await client.getTaskPushNotificationConfig({ id, pushNotificationConfigId } as { id: string }),
        ),
      listHooks: async (id) => (await client.listTaskPushNotificationConfig({ id })).map(hookOf),
      deleteHook: async (id, pushNotificationConfigId) =>
        client.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId }),
      reasonOf,
    } satisfies PeerClient;
  };
}

/** A `fetch` that says a version, which this SDK never does. */
const saying =
  (version: string): typeof fetch =>
  (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("a2a-version", version);
    return fetch(url, { ...init, headers });
  };

const cardSeen = (card: AgentCard) => ({
  name: card.name,
  streaming: card.capabilities.streaming ?? false,
  push: card.capabilities.pushNotifications ?? false,
  skills: card.skills.map(({ id }) => id),
});

const params = ({ text, taskId, contextId, immediately = false }: Say): MessageSendParams => ({
  message: {
    kind: "message",
    messageId: crypto.randomUUID(),
    role: "user",
    parts: [{ kind: "text", text }],
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
  },
  configuration: { blocking: !immediately },
});

const textOf = (content: { parts: Artifact["parts"] } | undefined): string =>
  (content?.parts ?? []).map((part) => (part.kind === "text" ? part.text : "")).join("");

const hookOf = ({ pushNotificationConfig }: TaskPushNotificationConfig): Hook => {
  const { id = "", url, token = "" }: PushNotificationConfig = pushNotificationConfig;
  return { id, url, token };
};

function told(event: Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent): Told {
  const nothing = { state: "", text: "", note: "" };
  if (event.kind === "message")
    return {
      ...nothing,
      kind: "message",
      id: event.taskId ?? "",
      contextId: event.contextId ?? "",
      text: textOf(event),
    };
  const { contextId } = event;
  if (event.kind === "artifact-update")
    return { ...nothing, kind: "artifact", id: event.taskId, contextId, text: textOf(event.artifact) };
  const status = { state: event.status.state, note: textOf(event.status.message) };
  if (event.kind === "status-update")
    return { ...status, kind: "status", id: event.taskId, contextId, text: "" };
  return {
    ...status,
    kind: "task",
    id: event.id,
    contextId,
    text: (event.artifacts ?? []).map(textOf).join(""),
  };
}

/** Errors are of a class per code where there is one, and hold the JSON-RPC response in some places. */
function reasonOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return plainly(error);
  const { code, errorResponse, name } = error as {
    code?: unknown;
    errorResponse?: { error?: { code?: unknown } };
    name?: unknown;
  };
  const byName: Readonly<Record<string, string>> = {
    TaskNotFoundError: "TASK_NOT_FOUND",
    TaskNotCancelableError: "TASK_NOT_CANCELABLE",
    UnsupportedOperationError: "UNSUPPORTED_OPERATION",
  };
  const named = byName[String(name)] ?? byName[error.constructor.name];
  const inText = /code: (-\d+)/i.exec(plainly(error))?.[1];
  return (
    named ??
    reasonOfCode(code ?? errorResponse?.error?.code ?? (inText === undefined ? undefined : Number(inText))) ??
    plainly(error)
  );
}
