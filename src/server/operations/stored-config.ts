import type { StoredConfig } from "../../store/types.js";
import type { TaskPushNotificationConfig } from "../../versions/pivot.js";
import { pivot } from "../../versions/pivot.js";
import { newId } from "../ids.js";
import { invalid } from "../invalid.js";
import type { HandlerContext } from "../router-types.js";

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

/** Refuses what is no absolute HTTP(S) URL; where it leads is checked at delivery. */
export function checkWebhookUrl(url: string, field: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalid(field, "must be an absolute http or https URL");
  }
}
