import type { StoredConfig } from "../store/types.js";
import { DELIVERY_ID_HEADER } from "./delivery-id.js";
import { JWT_HEADER } from "./delivery-jwt.js";
import { webhookForm } from "../versions/webhook-form.js";
import type { TaskPushNotificationConfig } from "../versions/pivot.js";

/** One request to a webhook. */
export interface WebhookRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What goes into a request besides its registration. */
export interface WebhookContent {
  readonly body: string;
  /** Names the delivery. */
  readonly id: string;
  /** Header of the `token`. */
  readonly tokenHeader: string;
  /** Makes the JWT for a URL, where deliveries are signed. */
  readonly sign?: ((url: string) => Promise<string>) | undefined;
}

/**
 * The request that brings a body to a registration, with its credentials (A2A-4.3.3-a, A2A-4.3.3-c). A JWT goes where
 * credentials would, or into a header of its own beside them.
 */
export async function webhookRequest(
  { text, version }: StoredConfig,
  { body, id, tokenHeader, sign }: WebhookContent,
): Promise<WebhookRequest> {
  const { url, token, authentication } = JSON.parse(text) as TaskPushNotificationConfig;
  const { scheme = "", credentials = "" } = authentication ?? {};
  // Without a scheme, as in 0.x, the credentials are all there is.
  const authorization = credentials === "" ? undefined : `${scheme} ${credentials}`.trimStart();
  const jwt = await sign?.(url);
  return {
    url: new URL(url),
    headers: {
      "Content-Type": webhookForm(version).mediaType,
      "A2A-Version": version,
      "User-Agent": "a2a-typed",
      [DELIVERY_ID_HEADER]: id,
      ...(token !== undefined && token !== "" && { [tokenHeader]: token }),
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(jwt !== undefined &&
        (authorization === undefined ? { Authorization: `Bearer ${jwt}` } : { [JWT_HEADER]: jwt })),
    },
    body,
  };
}
