import { A2AError } from "../../errors.js";
import type { MaybePromise, StoredConfig } from "../../store/types.js";
import type { SendMessageRequest } from "../../versions/pivot.js";
import type { HandlerContext } from "../router-types.js";
import type { ServiceContext } from "../service-context.js";
import { checkConfig, storedConfig } from "./stored-config.js";

const NONE: readonly StoredConfig[] = [];

/** The webhook that comes with a message; refused where the agent does not push (Q22). */
export function inlineConfig(
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
): MaybePromise<readonly StoredConfig[]> {
  const config = request.configuration?.taskPushNotificationConfig;
  if (config === undefined) return NONE;
  if (service.card().capabilities.pushNotifications !== true) {
    throw new A2AError(
      "PUSH_NOTIFICATION_NOT_SUPPORTED",
      "configuration.taskPushNotificationConfig: this agent does not push; poll or stream instead",
    );
  }
  const checked = checkConfig(service, config, "configuration.taskPushNotificationConfig.");
  // The task it belongs to is known to whoever reads it: the store keeps it with the task.
  const { taskId: _bound, ...rest } = config;
  const configs = [storedConfig(rest, ctx)];
  return checked instanceof Promise ? checked.then(() => configs) : configs;
}
