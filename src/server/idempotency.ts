import { A2AError } from "../errors.js";
import { sha256 } from "../sha256.js";
import type { Scope, Snapshot } from "../store/types.js";
import { isLive } from "../task/engine.js";
import type { LiveTask } from "../task/live-task.js";
import { storedText } from "../task/load-task.js";
import { isAtRest } from "../task/states.js";
import type { Ticket } from "../task/ticket.js";
import { waitUntil } from "../task/wait-until.js";
import type { Message, SendMessageRequest, TaskState } from "../versions/pivot.js";
import { invalid } from "./invalid.js";
import { acceptMessage, type Accepted, type AcceptMessage } from "./operations/accept-message.js";
import { recentAnswers, type RecentAnswers, type Remembered } from "./recent-answers.js";
import type { HandlerContext } from "./router-types.js";
import { callScope, type ServiceContext } from "./service-context.js";

/** How repeated messages are told. */
export interface IdempotencyOptions {
  /** Milliseconds for which a message is remembered. Default 600,000. */
  readonly windowMs?: number;
  /** Messages that are remembered. Default 10,000. */
  readonly max?: number;
}

/** What a message led to: a task, and what its caller waits for; or a direct reply. */
type Outcome =
  | { readonly taskId: string; readonly ticket: Ticket }
  | { readonly taskId?: undefined; readonly reply: Message };

/**
 * Takes a message once: a repeat (same scope, context and `messageId`) within the window gets what the first one led to, also
 * while that goes on (A2A-3.3.1-b, decision 17). Another message under the same id is `INVALID_PARAMS`; refusals are not
 * remembered. Throws `CONFIG` for options that cannot work.
 */
export function idempotentAccept(options: IdempotencyOptions, now: () => number): AcceptMessage {
  const { windowMs = 600_000, max = 10_000 } = options;
  for (const [name, value] of Object.entries({ windowMs, max })) {
    if (value >= 1) continue;
    throw new A2AError("CONFIG", `idempotency.${name} must be at least 1; this is ${String(value)}`);
  }
  const answers = recentAnswers<Outcome>(windowMs, max, now);
  return async (service, request, ctx) => {
    const scope = callScope(service, ctx);
    const key = keyOf(scope, request.message);
    const fingerprint = await sha256(stableText([request.message, request.metadata]));
    for (;;) {
      const known = answers.get(key);
      if (known === undefined) return first(answers, key, fingerprint, service, request, ctx);
      if (known.fingerprint !== fingerprint) {
        throw invalid(
          "message.messageId",
          "was used for another message a short while ago; every message needs its own",
        );
      }
      const accepted = await repeated(service, scope, known, ctx.signal);
      if (accepted !== undefined) return accepted;
      // What it led to is gone, or it was refused: then this one is the first.
      answers.drop(key, known);
    }
  };
}

/** Takes a message and remembers what comes of it. */
async function first(
  answers: RecentAnswers<Outcome>,
  key: string,
  fingerprint: string,
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
): Promise<Accepted> {
  const { promise: outcome, resolve, reject } = deferred<Outcome>();
  const entry = { fingerprint, outcome };
  // Repeats that wait are told by the promise; there may be none.
  outcome.catch(() => undefined);
  answers.add(key, entry);
  const failed = (error: unknown): void => {
    answers.drop(key, entry);
    reject(error);
  };
  try {
    const accepted = await acceptMessage(service, request, ctx);
    if (accepted.live !== undefined) resolve({ taskId: accepted.live.id, ticket: accepted.ticket });
    else if (accepted.far !== undefined) resolve({ taskId: accepted.far.id, ticket: accepted.ticket });
    const { free } = accepted;
    if (free === undefined) return accepted;
    const go: typeof free.go = async (caller, made) => {
      try {
        const came = await free.go(caller, made);
        resolve(
          came.live === undefined ? { reply: came.reply } : { taskId: came.live.id, ticket: came.ticket },
        );
        return came;
      } catch (error) {
        failed(error);
        throw error;
      }
    };
    return { free: { go } };
  } catch (error) {
    failed(error);
    throw error;
  }
}

/** What the first message led to, as it stands now; undefined where there is nothing any more. */
async function repeated(
  { runtime: { engine } }: ServiceContext,
  scope: Scope,
  { outcome }: Remembered<Outcome>,
  signal: AbortSignal,
): Promise<Accepted | undefined> {
  const came = await Promise.race([outcome.catch(() => undefined), abortOf(signal)]);
  if (came === undefined) return undefined;
  if (came.taskId === undefined) return { free: { go: () => Promise.resolve(came) } };
  const { taskId, ticket } = came;
  const found = await engine.find(scope, taskId);
  if (found === undefined) return undefined;
  if (!isLive(found)) {
    if (engine.cluster === undefined || isAtRest(found.head.state as TaskState)) {
      return { known: { ...storedText(found), at: found.revision } };
    }
    const far = engine.follow(scope, found);
    return { far, ticket, release: far.hold() };
  }
  const rest = await restOf(found, ticket, signal);
  return rest === undefined ? { live: found, ticket, created: false, run: undefined } : { known: rest };
}

/**
 * The rest that answers a message, where the task has come to it. One that is not stored yet is waited for: a stream that began
 * after it would wait for the next one. Undefined also where that fails, which whoever follows the task is told.
 */
async function restOf(live: LiveTask, ticket: Ticket, signal: AbortSignal): Promise<Snapshot | undefined> {
  const answer = (): Snapshot | undefined => ticket.answer(live);
  if (live.restAt <= Math.max(live.committed, ticket.floor)) return answer();
  try {
    return await waitUntil(live, answer, { signal });
  } catch {
    return undefined;
  }
}

/** Names a message: its context is part of the name where the caller gives one. */
const keyOf = ({ tenant, owner }: Scope, { contextId = "", messageId }: Message): string =>
  JSON.stringify([tenant, owner, contextId, messageId]);

/** JSON with members in one order, whichever way they came: bindings and versions differ in it. */
const stableText = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

/** Rejects when the caller goes away. */
const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = (): void => {
      reject(new A2AError("ABORTED", "The caller went away", { cause: signal.reason }));
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });

function deferred<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
} {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
