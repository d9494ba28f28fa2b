import { createClient, httpJson, isA2AError, jsonRpc } from "a2a-typed";
import { fetchAgentCard } from "a2a-typed/client";
import {
  A2A,
  textOf,
  userMessage,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
} from "a2a-typed/v1";
import type { ClientArgs } from "../../matrix/contract.js";
import type { Connect, Hook, PeerClient, Say, Told } from "./peer-client.js";
import { plainly } from "./reasons.js";

/** Our client, pinned to 1.0. */
export function connectTo({ url, binding, endpoint }: ClientArgs): Connect {
  return async (wrongVersion) => {
    const transport = binding === "JSONRPC" ? jsonRpc({ url: endpoint }) : httpJson({ url: endpoint });
    const client = createClient(A2A, transport, {
      timeoutMs: 10_000,
      ...(wrongVersion === undefined ? {} : { headers: { "A2A-Version": wrongVersion } }),
    });
    return {
      async card() {
        const { name, capabilities, skills } = await fetchAgentCard(url);
        const { streaming = false, pushNotifications = false } = capabilities;
        return { name, streaming, push: pushNotifications, skills: skills.map(({ id }) => id) };
      },
      send: async (say) => told(await client.sendMessage(request(say))),
      async *stream(say) {
        for await (const event of client.sendStreamingMessage(request(say))) yield told(event);
      },
      history: async (id, length) =>
        (
          (await client.getTask(length === undefined ? { id } : { id, historyLength: length })).history ?? []
        ).map((message) => ({
          role: message.role === "ROLE_USER" ? "user" : "agent",
          text: textOf(message),
        })),
      async list(contextId, pageSize, pageToken) {
        const page = await client.listTasks({ contextId, pageSize, pageToken });
        return { ids: page.tasks.map(({ id }) => id), total: page.totalSize, next: page.nextPageToken };
      },
      cancel: async (id) => taskTold(await client.cancelTask({ id })),
      async *subscribe(id) {
        for await (const event of client.subscribeToTask({ id })) yield told(event);
      },
      setHook: async (taskId, hook) =>
        hookOf(await client.createTaskPushNotificationConfig({ taskId, ...hook })),
      getHook: async (taskId, id) => hookOf(await client.getTaskPushNotificationConfig({ taskId, id })),
      listHooks: async (taskId) =>
        ((await client.listTaskPushNotificationConfigs({ taskId })).configs ?? []).map(hookOf),
      deleteHook: async (taskId, id) => {
        await client.deleteTaskPushNotificationConfig({ taskId, id });
      },
      reasonOf: (error) => (isA2AError(error) ? error.reason : plainly(error)),
    } satisfies PeerClient;
  };
}

const request = ({ text, taskId, contextId, immediately = false }: Say): SendMessageRequest => ({
  message: userMessage(text, {
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
  }),
  configuration: { returnImmediately: immediately },
});

const hookOf = ({ id = "", url, token = "" }: TaskPushNotificationConfig): Hook => ({ id, url, token });

const stateOf = (state: string): string =>
  state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-");

const taskTold = (task: Task): Told => ({
  kind: "task",
  id: task.id,
  contextId: task.contextId ?? "",
  state: stateOf(task.status.state),
  text: (task.artifacts ?? []).map(textOf).join(""),
  note: textOf(task.status.message),
});

const messageTold = (message: Message): Told => ({
  kind: "message",
  id: message.taskId ?? "",
  contextId: message.contextId ?? "",
  state: "",
  text: textOf(message),
  note: "",
});

function told(event: StreamResponse): Told {
  if (event.task) return taskTold(event.task);
  if (event.message) return messageTold(event.message);
  if (event.artifactUpdate) {
    const { taskId: id, contextId, artifact } = event.artifactUpdate;
    return { kind: "artifact", id, contextId, state: "", text: textOf(artifact), note: "" };
  }
  const { taskId: id, contextId, status } = event.statusUpdate;
  return {
    kind: "status",
    id,
    contextId,
    state: stateOf(status.state),
    text: "",
    note: textOf(status.message),
  };
}
