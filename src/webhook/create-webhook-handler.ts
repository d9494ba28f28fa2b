import { A2AError } from "../errors.js";
import type { MaybePromise } from "../store/types.js";
import { rateLimiter, type RateLimit } from "./rate-limit.js";
import { recentKeys } from "./recent-keys.js";
import type { Notification, SeenKeys, VerifyOptions } from "./types.js";
import { checkVerifyOptions, verifyNotification } from "./verify-notification.js";

/** Options of `createWebhookHandler`. */
export interface WebhookHandlerOptions extends VerifyOptions {
  /** What was processed; asked, and added to once `onEvent` is done. Default: the last 10,000, in memory. */
  readonly seen?: SeenKeys;
  /** Answers 429 beyond it. Default: no limit. */
  readonly rateLimit?: RateLimit;
  /** Told of every notification that is refused or fails. */
  readonly onError?: (error: A2AError) => void;
}

/**
 * A receiver of webhooks for hosts that speak `Request → Response`. It answers 204 once `onEvent` is done (A2A-4.3.3-d), and
 * calls it once for each event, however often that comes (A2A-4.3.3-e); when it rejects, 500, and the agent sends again.
 * Throws `CONFIG` for options that check nothing.
 */
export function createWebhookHandler(
  options: WebhookHandlerOptions,
  onEvent: (notification: Notification) => MaybePromise<void>,
): (request: Request) => Promise<Response> {
  checkVerifyOptions(options);
  const { seen = recentKeys(), rateLimit, onError, now = Date.now } = options;
  const wait = rateLimit && rateLimiter(rateLimit, now);
  /** Notifications that are being processed, by key. */
  const running = new Map<string, Promise<void>>();

  async function process(notification: Notification): Promise<void> {
    const { key, duplicate } = notification;
    if (key === undefined) return onEvent(notification);
    if (duplicate) return;
    const same = running.get(key);
    if (same !== undefined) return same;
    const done = (async () => {
      // It may have been processed while this one was checked.
      if (await seen.has(key)) return;
      await onEvent(notification);
      await seen.add(key);
    })();
    running.set(key, done);
    try {
      await done;
    } finally {
      running.delete(key);
    }
  }

  return async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { Allow: "POST" } });
    try {
      const ms = wait?.();
      if (ms !== undefined) throw tooMany(ms);
      await process(await verifyNotification(request, { ...options, seen }));
      return new Response(null, { status: 204 });
    } catch (thrown) {
      const error = A2AError.from(thrown);
      onError?.(error);
      const { status = 500, headers = {} } = error;
      return new Response(status < 500 ? error.message : null, { status, headers });
    }
  };
}

const tooMany = (ms: number): A2AError =>
  new A2AError("RESOURCE_EXHAUSTED", "Too many notifications", {
    status: 429,
    headers: { "Retry-After": String(Math.ceil(ms / 1_000)) },
  });
