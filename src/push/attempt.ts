import type { StoredConfig, TaskStore } from "../store/types.js";
import { allowsRequest, type Claim } from "./claim.js";
import type { PushSettings } from "./options.js";
import { deliveryId } from "./delivery-id.js";
import type { DeliverySigner } from "./delivery-jwt.js";
import { retryAfter } from "./retry-after.js";
import type { Sender } from "./sender.js";
import { traceHeaders, type TraceContext } from "../telemetry/trace-context.js";
import { webhookBody } from "./webhook-body.js";
import { webhookRequest } from "./webhook-request.js";

/** Why a request was ended from this side. */
export class Withdrawn extends Error {
  override readonly name = "Withdrawn";
  /** `registration`: it is gone. `server`: it shuts down, and someone else will try again. */
  readonly by: "registration" | "server";

  constructor(by: Withdrawn["by"]) {
    super(`withdrawn by the ${by}`);
    this.by = by;
  }
}

/** What came of one try. */
export type AttemptOutcome =
  | { readonly result: "delivered" }
  /** Nobody wants it any more. */
  | { readonly result: "dropped" }
  /** Not tried to the end. */
  | { readonly result: "released" }
  /** Not sent: the store took so long that the request might outlast its claim. */
  | { readonly result: "late" }
  | { readonly result: "failed" | "refused"; readonly config: StoredConfig; readonly failure: Failure };

/** Why a try did not succeed. */
export interface Failure {
  readonly reason: string;
  readonly status?: number;
  /** Milliseconds that the receiver asked to wait. */
  readonly wait?: number | undefined;
}

/** What a try needs. */
export interface AttemptContext {
  readonly store: TaskStore;
  readonly sender: Sender;
  readonly settings: PushSettings;
  readonly now: () => number;
  /** Absent where deliveries are not signed. */
  readonly sign: DeliverySigner | undefined;
}

/** Answers after which the same request may succeed later. */
const isPassing = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500;

/** Sends one delivery once, if its registration still stands; never rejects for what the receiver does. */
export async function attempt(
  { store, sender, settings, now, sign }: AttemptContext,
  claim: Claim,
  signal: AbortSignal,
  trace?: TraceContext,
): Promise<AttemptOutcome> {
  const { delivery } = claim;
  const { scope, taskId, configId, text } = delivery;
  const config = await store.configs.get(scope, taskId, configId);
  if (config === undefined || config.disabled === true) return { result: "dropped" };
  let request;
  try {
    const body = await webhookBody(text, config.version);
    if (body === undefined) return { result: "dropped" };
    const id = await deliveryId(delivery);
    request = await webhookRequest(config, {
      body,
      id,
      tokenHeader: settings.tokenHeader,
      sign: sign && ((url) => sign({ id, taskId, url, body, now: now() })),
    });
    if (trace !== undefined)
      request = { ...request, headers: { ...request.headers, ...traceHeaders(trace) } };
  } catch (error) {
    return { result: "refused", config, failure: { reason: `no request: ${messageOf(error)}` } };
  }
  if (!allowsRequest(claim, settings)) return { result: "late" };
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  try {
    const answer = await sender.send(request, AbortSignal.any([signal, timeout]));
    if (answer.forbidden !== undefined) {
      return { result: "refused", config, failure: { reason: answer.forbidden } };
    }
    const { status, retryAfter: asked } = answer;
    if (status >= 200 && status < 300) return { result: "delivered" };
    const failure = { reason: `HTTP ${String(status)}`, status };
    return isPassing(status)
      ? { result: "failed", config, failure: { ...failure, wait: retryAfter(asked, now()) } }
      : { result: "refused", config, failure };
  } catch (error) {
    const by = signal.reason instanceof Withdrawn ? signal.reason.by : undefined;
    if (by !== undefined) return { result: by === "registration" ? "dropped" : "released" };
    const reason = timeout.aborted ? `no answer within ${String(settings.timeoutMs)} ms` : messageOf(error);
    return { result: "failed", config, failure: { reason } };
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
