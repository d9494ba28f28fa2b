import { A2AError } from "../errors.js";
import { checkCredentials } from "./check-credentials.js";
import { checkJwt } from "./check-jwt.js";
import { headerReader } from "./header-of.js";
import { notificationKey } from "./notification-key.js";
import { readBody } from "./read-body.js";
import { readEvent } from "./read-event.js";
import { denied, unauthenticated } from "./refusals.js";
import type { IncomingNotification, Notification, VerifyOptions } from "./types.js";

const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Checks that a notification comes from the agent and is about a task of this receiver, and reads it. Headers are checked
 * before the body is read. Throws an `A2AError` whose `status` is the one to answer with: `UNAUTHENTICATED` (401),
 * `PERMISSION_DENIED` (403, a task that nobody waits for), `INVALID_PARAMS` (400), `PAYLOAD_TOO_LARGE` (413),
 * `UNAVAILABLE` (503, the agent's keys cannot be fetched); `CONFIG` for options that check nothing.
 */
export async function verifyNotification(
  incoming: IncomingNotification,
  options: VerifyOptions,
): Promise<Notification> {
  checkVerifyOptions(options);
  const header = headerReader(incoming);
  await checkCredentials(header, options);
  const jwt = options.jwks === undefined ? undefined : await checkJwt(header, options.jwks, options);
  const body = await readBody(incoming, header, options.maxBytes ?? MAX_BYTES);
  await jwt?.covers(body);
  const { event, taskId, version } = readEvent(new TextDecoder().decode(body), header, options.version);
  const claimed = jwt?.claims["taskId"];
  if (claimed !== undefined && claimed !== taskId) {
    throw unauthenticated("The JWT of the notification is of another task");
  }
  if (options.taskIds !== undefined && !(await options.taskIds(taskId))) {
    throw denied("Nobody here waits for this task");
  }
  const key = await notificationKey(event, body, header, jwt?.claims.jti);
  const duplicate = key !== undefined && (await options.seen?.has(key)) === true;
  return { event, taskId, version, key, duplicate };
}

/** Throws `CONFIG` for options by which anybody's notification would pass. */
export function checkVerifyOptions({
  token,
  authentication,
  jwks,
  audience,
  allowUnauthenticated = false,
}: VerifyOptions): void {
  const empty = typeof token === "string" ? token === "" : typeof token === "object" && token.includes("");
  if (empty || (authentication !== undefined && (authentication.credentials ?? "") === "")) {
    throw new A2AError("CONFIG", "An empty token or empty credentials are no secret");
  }
  if (jwks !== undefined && audience === undefined) {
    throw new A2AError(
      "CONFIG",
      "jwks needs audience, the URL that was registered: else a JWT for another receiver passes. false takes any",
    );
  }
  if (token !== undefined || authentication !== undefined || jwks !== undefined || allowUnauthenticated)
    return;
  throw new A2AError(
    "CONFIG",
    "Nothing to verify a notification by: give token, authentication or jwks, or allowUnauthenticated",
  );
}
