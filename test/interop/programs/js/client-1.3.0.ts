import {
  Role,
  TaskState,
  type AgentCard,
  type Artifact,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
} from "@a2a-js/sdk";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import type { ClientArgs } from "../../matrix/contract.js";
import type { Connect, PeerClient, Say, Told } from "./peer-client.js";
import { plainly, reasonOfCode } from "./reasons.js";
import { sayingGrpc } from "./saying-grpc.js";

/** A client of the official SDK of 1.0; it speaks 0.3 through its compatibility layer. */
export function connectTo({ url, binding, version }: ClientArgs): Connect {
  const legacyCompat = { enabled: true };
  return async (wrongVersion) => {
    const fetchImpl = wrongVersion === undefined ? fetch : saying(wrongVersion);
    const card = await new DefaultAgentCardResolver({ legacyCompat }).resolve(url);
    const supportedInterfaces = card.supportedInterfaces.filter(
      (one) => one.protocolBinding === binding && (one.protocolVersion || "0.3").startsWith(version),
    );
    /* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment -- their options are declared as classes */
    const transports = [
      new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
      new RestTransportFactory({ fetchImpl, legacyCompat }),
      new GrpcTransportFactory({
        legacyCompat,
        ...(wrongVersion === undefined ? {} : { grpcCallOptions: sayingGrpc(wrongVersion) }),
      }),
    ];
    /* eslint-enable @typescript-eslint/no-unsafe-class-instance-assignment */
    const factory = new ClientFactory({ transports });
    const client = await factory.createFromAgentCard({ ...card, supportedInterfaces });
    return {
      card: async () => cardSeen(await client.getAgentCard()),
      send: async (say) => {
        const reply = await client.sendMessage(request(say));
        return "status" in reply ? taskTold(reply) : messageTold(reply);
      },
      async *stream(say) {
        for await (const event of client.sendMessageStream(request(say))) yield eventTold(event);
      },
      history: async (id, historyLength) =>
        ((await client.getTask({ tenant: "", id, historyLength })).history ?? []).map((message) => ({
          role: message.role === Role.ROLE_USER ? "user" : "agent",
          text: textOf(message),
        })),
      async list(contextId, pageSize, pageToken) {
        const filter = { status: TaskState.TASK_STATE_UNSPECIFIED, statusTimestampAfter: undefined };
        const page = await client.listTasks({ tenant: "", contextId, pageSize, pageToken, ...filter });
        return { ids: page.tasks.map(({ id }) => id), total: page.totalSize, next: page.nextPageToken };
      },
      cancel: async (id) => taskTold(await client.cancelTask({ tenant: "", id, metadata: undefined })),
      async *subscribe(id) {
        for await (const event of client.resubscribeTask({ tenant: "", id })) yield eventTold(event);
      },
      setHook: async (taskId, hook) =>
        client.createTaskPushNotificationConfig({ tenant: "", taskId, ...hook, authentication: undefined }),
      getHook: async (taskId, id) => client.getTaskPushNotificationConfig({ tenant: "", taskId, id }),
      listHooks: async (taskId) =>
        (await client.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" }))
          .configs,
      deleteHook: async (taskId, id) => client.deleteTaskPushNotificationConfig({ tenant: "", taskId, id }),
      reasonOf,
    } satisfies PeerClient;
  };
}

/** A `fetch` that says another version than the client does, on its way out. */
const saying =
  (version: string): typeof fetch =>
  (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("a2a-version", version);
    return fetch(url, { ...init, headers });
  };

const cardSeen = (card: AgentCard) => ({
  name: card.name,
  streaming: card.capabilities?.streaming ?? false,
  push: card.capabilities?.pushNotifications ?? false,
  skills: card.skills.map(({ id }) => id),
});

const request = ({ text, taskId = "", contextId = "", immediately = false }: Say): SendMessageRequest => ({
  tenant: "",
  message: {
    messageId: crypto.randomUUID(),
    contextId,
    taskId,
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: immediately,
  },
  metadata: undefined,
});

const textOf = (content: { parts: Artifact["parts"] } | undefined): string =>
  (content?.parts ?? []).map(({ content: part }) => (part?.$case === "text" ? part.value : "")).join("");

const stateOf = (state: TaskState | undefined): string =>
  state === undefined
    ? ""
    : (TaskState[state] ?? "").replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-");

const taskTold = (task: Task): Told => ({
  kind: "task",
  id: task.id,
  contextId: task.contextId,
  state: stateOf(task.status?.state),
  text: (task.artifacts ?? []).map(textOf).join(""),
  note: textOf(task.status?.message),
});

const messageTold = (message: Message): Told => ({
  kind: "message",
  id: message.taskId,
  contextId: message.contextId,
  state: "",
  text: textOf(message),
  note: "",
});

function eventTold({ payload }: StreamResponse): Told {
  if (payload?.$case === "task") return taskTold(payload.value);
  if (payload?.$case === "message") return messageTold(payload.value);
  if (payload === undefined) throw new Error("An event without payload");
  const { taskId: id, contextId } = payload.value;
  if (payload.$case === "artifactUpdate")
    return { kind: "artifact", id, contextId, state: "", text: textOf(payload.value.artifact), note: "" };
  const { status } = payload.value;
  return {
    kind: "status",
    id,
    contextId,
    state: stateOf(status?.state),
    text: "",
    note: textOf(status?.message),
  };
}

/** Unary calls throw typed errors; streams over JSON-RPC throw a plain one with the typed one as its cause. */
function reasonOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return plainly(error);
  const { reason, code, cause } = error as { reason?: unknown; code?: unknown; cause?: unknown };
  if (typeof reason === "string") return reason;
  const named = reasonOfCode(code);
  if (named !== undefined) return named;
  return cause === undefined ? plainly(error) : reasonOf(cause);
}
