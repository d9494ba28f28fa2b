import type { StoredConfig } from "../store/types.js";
import { webhookForm } from "../versions/webhook-form.js";
import type { TaskPushNotificationConfig } from "../versions/pivot.js";

/** One request to a webhook. */
export interface WebhookRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request that brings a body to a registration, with its credentials (A2A-4.3.3-a, A2A-4.3.3-c). */
export function webhookRequest(
  { text, version }: StoredConfig,
  body: string,
  tokenHeader: string,
): WebhookRequest {
  const { url, token, authentication } = JSON.parse(text) as TaskPushNotificationConfig;
  const { scheme = "", credentials = "" } = authentication ?? {};
  return {
    url: new URL(url),
    headers: {
      "Content-Type": webhookForm(version).mediaType,
      "A2A-Version": version,
      "User-Agent": "a2a-typed",
      ...(token !== undefined && token !== "" && { [tokenHeader]: token }),
      // Without a scheme, as in 0.x, the credentials are all there is.
      ...(credentials !== "" && { Authorization: `${scheme} ${credentials}`.trimStart() }),
    },
    body,
  };
}
