import type { pivot } from "../../versions/pivot.js";
import type { Handlers } from "../router-types.js";
import type { ServiceContext } from "../service-context.js";
import { cancelTask } from "./cancel-task.js";
import { getExtendedAgentCard } from "./get-extended-agent-card.js";
import { getTask } from "./get-task.js";
import { listTasks } from "./list-tasks.js";
import { createConfig, deleteConfig, getConfig, listConfigs } from "./push-configs.js";
import { sendMessage } from "./send-message.js";
import { sendStreamingMessage } from "./send-streaming-message.js";
import { subscribeToTask } from "./subscribe-to-task.js";

/** The operations of the pivot version over one agent. */
export const operations = (service: ServiceContext): Handlers<typeof pivot> => ({
  sendMessage: (input, ctx) => sendMessage(service, input, ctx),
  sendStreamingMessage: (input, ctx) => sendStreamingMessage(service, input, ctx),
  getTask: (input, ctx) => getTask(service, input, ctx),
  listTasks: (input, ctx) => listTasks(service, input, ctx),
  cancelTask: (input, ctx) => cancelTask(service, input, ctx),
  subscribeToTask: (input, ctx) => subscribeToTask(service, input, ctx),
  createTaskPushNotificationConfig: (input, ctx) => createConfig(service, input, ctx),
  getTaskPushNotificationConfig: (input, ctx) => getConfig(service, input, ctx),
  listTaskPushNotificationConfigs: (input, ctx) => listConfigs(service, input, ctx),
  deleteTaskPushNotificationConfig: (input, ctx) => deleteConfig(service, input, ctx),
  getExtendedAgentCard: (_input, ctx) => getExtendedAgentCard(service, ctx),
});
