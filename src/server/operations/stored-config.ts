import { headerProblem, urlProblem } from "../../push/config-problem.js";
import type { ConfigProblem } from "../../push/types.js";
import type { MaybePromise, StoredConfig } from "../../store/types.js";
import type { TaskPushNotificationConfig } from "../../versions/pivot.js";
import { pivot } from "../../versions/pivot.js";
import { newId } from "../ids.js";
import { invalid } from "../invalid.js";
import type { HandlerContext } from "../router-types.js";
import type { ServiceContext } from "../service-context.js";

/**
 * A registration as it is kept; the server names it where the client did not (A2A-3.1.7-b). It remembers the version of
 * its caller, which its deliveries use.
 */
export function storedConfig(
  config: TaskPushNotificationConfig,
  { context }: Pick<HandlerContext, "context">,
): StoredConfig & { readonly id: string } {
  const id = config.id === undefined || config.id === "" ? newId() : config.id;
  return { id, text: JSON.stringify({ ...config, id }), version: context.callerVersion ?? pivot.version };
}

/** A registration as it is shown: with the task it belongs to. */
export const shownConfig = ({ text }: StoredConfig, taskId: string): TaskPushNotificationConfig => ({
  ...(JSON.parse(text) as TaskPushNotificationConfig),
  taskId,
});

/**
 * Refuses a registration that could not be delivered to, as far as its text tells; where names lead is checked at
 * delivery. `prefix` leads to it within the request.
 */
export function checkConfig(
  { checkWebhook }: ServiceContext,
  config: TaskPushNotificationConfig,
  prefix = "",
): MaybePromise<void> {
  const refuse = (problem: ConfigProblem | undefined): void => {
    if (problem !== undefined) throw invalid(prefix + problem.field, problem.description);
  };
  refuse(urlProblem(config) ?? headerProblem(config));
  const found = checkWebhook?.(config);
  if (found instanceof Promise) return found.then(refuse);
  refuse(found);
  return undefined;
}
