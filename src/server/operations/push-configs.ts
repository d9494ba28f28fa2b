import type { Scope } from "../../store/types.js";
import { isLive } from "../../task/engine.js";
import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from "../../versions/pivot.js";
import { A2AError } from "../../errors.js";
import { invalid, taskNotFound } from "../invalid.js";
import type { HandlerContext } from "../router-types.js";
import { callScope, type ServiceContext } from "../service-context.js";
import { tellOwner } from "./tell-owner.js";
import { checkConfig, shownConfig, storedConfig } from "./stored-config.js";

const PAGE = 50;
const MAX_PAGE = 100;

/** CreateTaskPushNotificationConfig: also on a task that has ended; a known id replaces (Q29). */
export async function createConfig(
  service: ServiceContext,
  config: TaskPushNotificationConfig,
  ctx: HandlerContext,
): Promise<TaskPushNotificationConfig> {
  const { taskId } = config;
  if (taskId === undefined || taskId === "") throw invalid("taskId", "is required");
  await checkConfig(service, config);
  const scope = callScope(service, ctx);
  await visible(service, scope, taskId);
  const stored = storedConfig(config, ctx);
  const { engine } = service.runtime;
  const kept = await engine.webhooks.add(scope, taskId, stored);
  if (!kept) throw taskNotFound(taskId);
  await tellOwner(engine, scope, taskId, { kind: "webhook", config: stored });
  return shownConfig(stored, taskId);
}

/** GetTaskPushNotificationConfig: an absent one is TASK_NOT_FOUND (A2A-3.1.8-c). */
export async function getConfig(
  service: ServiceContext,
  { taskId, id }: GetTaskPushNotificationConfigRequest,
  ctx: HandlerContext,
): Promise<TaskPushNotificationConfig> {
  const scope = callScope(service, ctx);
  await visible(service, scope, taskId);
  const stored = await service.runtime.engine.store.configs.get(scope, taskId, id);
  if (stored === undefined) {
    throw new A2AError("TASK_NOT_FOUND", `Task ${taskId} has no push configuration ${id}`, {
      metadata: { taskId, id },
    });
  }
  return shownConfig(stored, taskId);
}

/** ListTaskPushNotificationConfigs: in order of creation; 50 a page unless asked otherwise, at most 100. */
export async function listConfigs(
  service: ServiceContext,
  { taskId, pageSize = 0, pageToken }: ListTaskPushNotificationConfigsRequest,
  ctx: HandlerContext,
): Promise<ListTaskPushNotificationConfigsResponse> {
  if (pageSize < 0) throw invalid("pageSize", `must not be negative; this is ${String(pageSize)}`);
  const scope = callScope(service, ctx);
  await visible(service, scope, taskId);
  const page = await service.runtime.engine.store.configs.list(scope, taskId, {
    pageSize: pageSize === 0 ? PAGE : Math.min(pageSize, MAX_PAGE),
    ...(pageToken !== undefined && pageToken !== "" && { pageToken }),
  });
  return {
    configs: page.configs.map((config) => shownConfig(config, taskId)),
    ...(page.nextPageToken !== "" && { nextPageToken: page.nextPageToken }),
  };
}

/** DeleteTaskPushNotificationConfig: for good, and as often as one likes (A2A-3.1.10). */
export async function deleteConfig(
  service: ServiceContext,
  { taskId, id }: DeleteTaskPushNotificationConfigRequest,
  ctx: HandlerContext,
): Promise<Record<string, never>> {
  const scope = callScope(service, ctx);
  await visible(service, scope, taskId);
  const { engine } = service.runtime;
  const errand = { kind: "noWebhook", id } as const;
  const told = await tellOwner(engine, scope, taskId, errand);
  await engine.webhooks.remove(scope, taskId, id);
  // Whoever took the task meanwhile may have found it still there.
  const since = await tellOwner(engine, scope, taskId, errand, told);
  if (since !== undefined && since !== told) await engine.webhooks.remove(scope, taskId, id);
  return {};
}

async function visible(service: ServiceContext, scope: Scope, taskId: string): Promise<void> {
  const found = await service.runtime.engine.find(scope, taskId);
  if (found === undefined) throw taskNotFound(taskId);
  // A new task whose first commit is still on its way is not in the store yet.
  if (isLive(found)) await service.runtime.engine.textOf(found);
}
