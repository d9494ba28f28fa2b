import { isA2AError, type Client } from "a2a-typed";
import {
  textOf,
  userMessage,
  type A2A,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
} from "a2a-typed/v1";
import type { Hook, PeerClient, Say, Told } from "./peer-client.js";
import { plainly } from "./reasons.js";

/** The operations of 1.0, of a pinned client or of a connected one, as the steps ask for them. */
export function clientOf(
  client: Pick<Client<typeof A2A>, keyof Client<typeof A2A>>,
  wrongVersion?: string,
): Omit<PeerClient, "card"> {
  const options = wrongVersion === undefined ? {} : { headers: { "A2A-Version": wrongVersion } };
  return {
    send: async (say) => told(await client.sendMessage(request(say), options)),
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
