import { JsonText } from "../../json-text.js";
import { cutTask } from "../../task/cut-task.js";
import type { LiveTask } from "../../task/live-task.js";
import type { Ticket } from "../../task/ticket.js";
import { waitUntil } from "../../task/wait-until.js";
import type { SendMessageRequest, SendMessageResponse } from "../../versions/pivot.js";
import type { HandlerContext } from "../router-types.js";
import type { ServiceContext } from "../service-context.js";
import { acceptMessage } from "./accept-message.js";

type Reply = SendMessageResponse | JsonText<SendMessageResponse>;

/** SendMessage: waits until the task ends or pauses, unless told to answer at once (A2A-3.2.2). */
export async function sendMessage(
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
): Promise<Reply> {
  const accepting = acceptMessage(service, request, ctx);
  const accepted = accepting instanceof Promise ? await accepting : accepting;
  if (accepted.live === undefined) {
    const outcome = await accepted.free.go(ctx);
    if (outcome.live === undefined) return { message: outcome.reply };
    return answer(service, request, ctx, outcome.live, outcome.ticket);
  }
  const { live, ticket } = accepted;
  if (request.configuration?.returnImmediately === true) {
    // The task as it is before the agent begins: what follows does not change the reply.
    const reply = now(service, request, live);
    accepted.go();
    return reply;
  }
  accepted.go();
  return answer(service, request, ctx, live, ticket);
}

async function answer(
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
  live: LiveTask,
  ticket: Ticket,
): Promise<Reply> {
  if (request.configuration?.returnImmediately === true) return now(service, request, live);
  try {
    const rest = await waitUntil(live, () => ticket.answer(live), ctx);
    return taskReply(cutTask(rest, view(request)));
  } catch (error) {
    // Another process may have ended the task; then that is the answer.
    const stored = live.lost && (await service.runtime.engine.store.read(live.scope, live.id));
    if (stored?.head.terminal !== true) throw error;
    return taskReply(cutTask(stored.snapshot, view(request)));
  }
}

async function now(service: ServiceContext, request: SendMessageRequest, live: LiveTask): Promise<Reply> {
  return taskReply(await service.runtime.engine.textOf(live, view(request)));
}

const view = ({ configuration }: SendMessageRequest): { historyLength?: number } =>
  configuration?.historyLength === undefined ? {} : { historyLength: configuration.historyLength };

const taskReply = (text: string): JsonText<SendMessageResponse> => new JsonText(`{"task":${text}}`);
