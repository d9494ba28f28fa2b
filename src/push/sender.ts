import { Agent } from "undici";
import { guardedConnect } from "../net/guarded-connect.js";
import { ForbiddenTarget, type TargetGuard } from "../net/target-guard.js";
import type { WebhookRequest } from "./webhook-request.js";

/** Bytes of an answer that are read to keep its connection: nobody looks at them. */
const ANSWER_LIMIT = 16_384;

/** What a webhook answered, or why it may not be asked. */
export type WebhookAnswer =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly forbidden?: undefined }
  | { readonly forbidden: string };

/** Sends requests to checked addresses. */
export interface Sender {
  /** Rejects where there is no answer. Redirects are answers: they are not followed. */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer>;
  close(): Promise<void>;
}

/** A sender over a connection pool of its own. */
export function createSender(guard: TargetGuard, timeoutMs: number): Sender {
  const agent = new Agent({
    connect: guardedConnect(guard, timeoutMs),
    // The signal of each request limits it as a whole.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async send({ url, headers, body }, signal) {
      const { origin, pathname, search } = url;
      let answer;
      try {
        const request = { origin, path: pathname + search, headers: { ...headers }, body, signal };
        // While it connects, the client does not listen to the signal; once connected, it sends nothing.
        answer = await Promise.race([agent.request({ ...request, method: "POST" }), abortOf(signal)]);
      } catch (error) {
        if (error instanceof ForbiddenTarget) return { forbidden: error.message };
        throw error;
      }
      // The status is known: how the rest arrives changes nothing.
      await answer.body.dump({ limit: ANSWER_LIMIT, signal }).catch(() => undefined);
      const after = answer.headers["retry-after"];
      return { status: answer.statusCode, retryAfter: Array.isArray(after) ? after[0] : after };
    },
    close: () => agent.destroy(),
  };
}

/** Rejects when the signal fires. */
const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = (): void => {
      reject(new Error("The request was ended", { cause: signal.reason }));
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
