import { toBase64url } from "../base64url.js";
import { A2AError } from "../errors.js";
import type { TaskPushNotificationConfig } from "../versions/pivot.js";

/** What a registration has besides its URL. */
export interface RegistrationOptions {
  readonly id?: string;
  readonly authentication?: TaskPushNotificationConfig["authentication"];
  /** Takes an http URL, which shows token and tasks to everyone on the way. Default false. */
  readonly allowHttp?: boolean;
}

/**
 * A webhook to register, with a token of 256 random bits that serves nothing else (A2A-13.2c-j). Throws `CONFIG` for a URL
 * that is not https (A2A-13.2c-e).
 */
export function webhookRegistration(
  url: string,
  { id, authentication, allowHttp = false }: RegistrationOptions = {},
): TaskPushNotificationConfig & { readonly token: string } {
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: "" };
  if (protocol !== "https:" && !(allowHttp && protocol === "http:")) {
    throw new A2AError("CONFIG", "A webhook needs an https URL, or an http one with allowHttp");
  }
  return {
    url,
    token: toBase64url(crypto.getRandomValues(new Uint8Array(32))),
    ...(id !== undefined && { id }),
    ...(authentication !== undefined && { authentication }),
  };
}
