import { loadBridge } from "../versions/bridges.js";
import { pivot, type StreamResponse } from "../versions/pivot.js";
import { webhookForm } from "../versions/webhook-form.js";

/**
 * The body of a delivery in the version that registered it: the event as it is, or converted. Undefined where that
 * version is sent whole tasks only and this is none, as after a webhook was registered anew in another version.
 */
export async function webhookBody(text: string, version: string): Promise<string | undefined> {
  if (version === pivot.version) return text;
  const event = JSON.parse(text) as StreamResponse;
  const { wholeTask } = webhookForm(version);
  if (wholeTask && event.task === undefined) return undefined;
  const bridge = await loadBridge(version);
  const body = wholeTask
    ? bridge.conversion("Task").down(event.task)
    : bridge.conversion("StreamResponse").down(event);
  return JSON.stringify(body);
}
