import { createClient, isA2AError } from "a2a-typed";
import { readAgentCard } from "a2a-typed/client";
import {
  A2A,
  textOf,
  userMessage,
  type Message,
  type MessageSendParams,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskPushNotificationConfig,
  type TaskStatusUpdateEvent,
} from "a2a-typed/v0.3";
import type { ClientArgs } from "../../matrix/contract.js";
import { cardSeen } from "./card-seen.js";
import type { Connect, Hook, PeerClient, Say, Told } from "./peer-client.js";
import { plainly } from "./reasons.js";
import { transportTo } from "./transport-to.js";

/** Our client, pinned to 0.3. */
export function connectTo(args: ClientArgs): Connect {
  return async (wrongVersion) => {
    const client = createClient(A2A, transportTo(args), {
      timeoutMs: 10_000,
      ...(wrongVersion === undefined ? {} : { headers: { "A2A-Version": wrongVersion } }),
    });
    return {
      card: async () => {
        const response = await fetch(`${args.url}/.well-known/agent-card.json`);
        return cardSeen(readAgentCard(await response.json()).card);
      },
      send: async (say) => told(await client.sendMessage(params(say))),
      async *stream(say) {
        for await (const event of client.sendStreamingMessage(params(say))) yield told(event);
      },
      history: async (id, length) =>
        (
          (await client.getTask(length === undefined ? { id } : { id, historyLength: length })).history ?? []
        ).map((message) => ({ role: message.role, text: textOf(message) })),
      cancel: async (id) => told(await client.cancelTask({ id })),
      async *subscribe(id) {
        for await (const event of client.resubscribeToTask({ id })) yield told(event);
      },
      setHook: async (taskId, hook) =>
        hookOf(await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig: { ...hook } })),
      getHook: async (id, pushNotificationConfigId) =>
        hookOf(await client.getTaskPushNotificationConfig({ id, pushNotificationConfigId })),
      listHooks: async (id) => (await client.listTaskPushNotificationConfig({ id })).map(hookOf),
      deleteHook: async (id, pushNotificationConfigId) => {
        await client.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId });
      },
      reasonOf: (error) => (isA2AError(error) ? error.reason : plainly(error)),
    } satisfies PeerClient;
  };
}

const params = ({ text, taskId, contextId, immediately = false }: Say): MessageSendParams => ({
  message: userMessage(text, {
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
  }),
  configuration: { blocking: !immediately },
});

const hookOf = ({ pushNotificationConfig }: TaskPushNotificationConfig): Hook => {
  const { id = "", url, token = "" } = pushNotificationConfig;
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
