import { A2AError } from "../errors.js";
import type { pivot, TaskPushNotificationConfig } from "../versions/pivot.js";
import type { CallOptions, Client } from "./client-types.js";

/** Webhooks of tasks, by short names. */
export interface PushConfigs {
  /** Registers a webhook; gives it with its id. */
  create(config: TaskPushNotificationConfig, options?: CallOptions): Promise<TaskPushNotificationConfig>;
  get(taskId: string, id: string, options?: CallOptions): Promise<TaskPushNotificationConfig>;
  /** All of a task, page after page. */
  list(taskId: string, options?: CallOptions): AsyncIterableIterator<TaskPushNotificationConfig>;
  /** Removes one; one that is gone already is no error. */
  delete(taskId: string, id: string, options?: CallOptions): Promise<void>;
}

/** The shortcuts over a client. */
export function pushConfigs(client: Client<typeof pivot>): PushConfigs {
  return {
    create: (config, options) => client.createTaskPushNotificationConfig(config, options),
    get: (taskId, id, options) => client.getTaskPushNotificationConfig({ taskId, id }, options),
    async *list(taskId, options) {
      const seen = new Set<string>();
      let pageToken = "";
      do {
        const page = await client.listTaskPushNotificationConfigs(
          { taskId, ...(pageToken && { pageToken }) },
          options,
        );
        yield* page.configs ?? [];
        pageToken = page.nextPageToken ?? "";
        if (seen.has(pageToken)) {
          throw new A2AError("INVALID_AGENT_RESPONSE", "The agent gave the same page of webhooks again", {
            code: -32006,
          });
        }
        seen.add(pageToken);
      } while (pageToken);
    },
    async delete(taskId, id, options) {
      await client.deleteTaskPushNotificationConfig({ taskId, id }, options);
    },
  };
}
