import { A2AError } from "../../errors.js";
import type { MaybePromise, Snapshot, StoredConfig, StoredTask } from "../../store/types.js";
import { Elsewhere } from "../../task/elsewhere.js";
import { isLive } from "../../task/engine.js";
import type { LiveTask } from "../../task/live-task.js";
import { Ticket } from "../../task/ticket.js";
import type { Message, SendMessageRequest } from "../../versions/pivot.js";
import { Role } from "../../versions/pivot.js";
import { startFree, type FreeRun } from "../free-run.js";
import { newId } from "../ids.js";
import { inTask } from "../in-task.js";
import { checkHistoryLength, invalid, taskNotFound } from "../invalid.js";
import type { RequestInfo } from "../request-info.js";
import type { HandlerContext } from "../router-types.js";
import type { Run } from "../run.js";
import { callScope, requestInfo, type ServiceContext } from "../service-context.js";
import { inlineConfig } from "./inline-config.js";
import { offerMessage } from "./offer-message.js";
import { sendElsewhere, type AcceptedElsewhere } from "./send-elsewhere.js";

/** A message that was taken: for a task that exists, or for a run that may make one; or a repeat of one that is done. */
export type Accepted =
  | AcceptedTask
  | AcceptedElsewhere
  | { readonly live?: undefined; readonly far?: undefined; readonly free: FreeRun }
  | {
      readonly live?: undefined;
      readonly free?: undefined;
      readonly far?: undefined;
      /** The task that answers it, at this revision. */
      readonly known: Pick<Snapshot, "text" | "layout" | "at">;
    };

/** Takes a message, as `acceptMessage` does. */
export type AcceptMessage = (
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
) => MaybePromise<Accepted>;

/** A message that was stored with its task. */
export interface AcceptedTask {
  readonly free?: undefined;
  readonly live: LiveTask;
  /** What its caller waits for. */
  readonly ticket: Ticket;
  /** The message opened the task. */
  readonly created: boolean;
  /** Lets the agent begin; undefined where the message waits for a run that goes on. */
  readonly run: Run | undefined;
}

/**
 * The part that both send operations share, in the order of the specification: task lookup within the scope, context,
 * terminal check, content types; then the message is stored.
 */
export function acceptMessage(
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
): MaybePromise<Accepted> {
  const { message, configuration } = request;
  checkHistoryLength(configuration?.historyLength, "configuration.historyLength");
  service.checkMessage.size(message);
  if (message.role !== Role.USER) throw invalid("message.role", "must be that of the user");
  const configs = inlineConfig(service, request, ctx);
  return configs instanceof Promise
    ? configs.then((checked) => accept(service, request, ctx, checked))
    : accept(service, request, ctx, configs);
}

function accept(
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
  configs: readonly StoredConfig[],
): MaybePromise<Accepted> {
  const { message } = request;
  const scope = callScope(service, ctx);
  const info = requestInfo(scope, ctx, request);
  const { runtime } = service;

  if (message.taskId !== undefined && message.taskId !== "") {
    return followUp(service, message, info, configs, ctx);
  }
  service.checkContent(message);
  service.checkSkill?.(message, ctx);
  runtime.limits?.admit(scope);
  const contextId = message.contextId === undefined || message.contextId === "" ? newId() : message.contextId;
  if (runtime.agent.replies !== "task") {
    return { free: startFree(runtime, { message, contextId, info, configs }) };
  }
  const stored = inTask(message, newId(), contextId);
  const live = runtime.create(stored.taskId, contextId, stored, info, configs);
  const ticket = new Ticket();
  ticket.floor = live.revision;
  const run = runtime.sessionOf(live).first(stored, info);
  return { live, ticket, created: true, run };
}

/** A message to a task that exists, wherever it is worked on. */
function followUp(
  service: ServiceContext,
  message: Message,
  info: RequestInfo,
  configs: readonly StoredConfig[],
  ctx: HandlerContext,
): MaybePromise<AcceptedTask | AcceptedElsewhere> {
  const { runtime } = service;
  const met = runtime.engine.visit<AcceptedTask | Elsewhere>(
    info.scope,
    message.taskId ?? "",
    (found) => {
      const live = open(found, message);
      service.checkContent(message);
      service.checkSkill?.(message, ctx);
      const ticket = new Ticket();
      const run = offerMessage(service, live, { message, info, configs, ticket });
      return { live, ticket, created: false, run };
    },
    { elsewhere: (task) => task },
  );
  const there = async (task: Elsewhere): Promise<AcceptedTask | AcceptedElsewhere> => {
    checkContext(message, task.stored.head.contextId);
    service.checkContent(message);
    service.checkSkill?.(message, ctx);
    const accepted = await sendElsewhere(runtime, task.stored, { message, info, configs }, ctx);
    // It ended meanwhile, or this instance has it now.
    return accepted ?? followUp(service, message, info, configs, ctx);
  };
  if (met instanceof Promise) return met.then((task) => (task instanceof Elsewhere ? there(task) : task));
  return met instanceof Elsewhere ? there(met) : met;
}

/** The task that a message goes on with, where it can. */
function open(found: LiveTask | StoredTask | undefined, message: Message): LiveTask {
  const { taskId = "" } = message;
  if (found === undefined) throw taskNotFound(taskId);
  checkContext(message, isLive(found) ? found.contextId : found.head.contextId);
  if (!isLive(found) || found.terminal) throw over(taskId);
  return found;
}

function checkContext({ taskId = "", contextId }: Message, known: string): void {
  if (contextId === undefined || contextId === "" || contextId === known) return;
  throw invalid("message.contextId", `task ${taskId} belongs to another context`);
}

/** What a message to a task that has ended is told. */
export const over = (taskId: string): A2AError =>
  new A2AError("UNSUPPORTED_OPERATION", `Task ${taskId} has ended; open a new one in the same context`, {
    metadata: { taskId },
  });
