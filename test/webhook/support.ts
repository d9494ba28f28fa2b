/** Notifications as they arrive, and what a receiver says to them. */
import { isA2AError } from "../../src/errors.js";
import { verifyNotification, type IncomingNotification, type VerifyOptions } from "../../src/webhook.js";

/** A status update of task `t1`. */
export const update = (taskId = "t1", state = "TASK_STATE_WORKING") => ({
  statusUpdate: { taskId, contextId: "c1", status: { state, timestamp: "2030-01-01T00:00:00.000Z" } },
});

/** A request that brings a body. */
export const request = (body: unknown, headers: Record<string, string> = {}): Request =>
  new Request("https://receiver.example.com/hook", {
    method: "POST",
    headers: { "content-type": "application/a2a+json", "a2a-version": "1.0", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** `ok`, or reason and status: `UNAUTHENTICATED 401`. */
export const verdict = (incoming: IncomingNotification, options: VerifyOptions): Promise<string> =>
  verifyNotification(incoming, options).then(
    () => "ok",
    (error: unknown) => (isA2AError(error) ? `${error.reason} ${String(error.status)}` : String(error)),
  );
