import { JsonText } from "../../json-text.js";
import { cutTask } from "../../task/cut-task.js";
import type { LiveTask } from "../../task/live-task.js";
import type { Ticket } from "../../task/ticket.js";
import { waitUntil } from "../../task/wait-until.js";
import type { SendMessageRequest, SendMessageResponse, Task } from "../../versions/pivot.js";
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
  const accepting = (service.accept ?? acceptMessage)(service, request, ctx);
  const accepted = accepting instanceof Promise ? await accepting : accepting;
  if (accepted.live === undefined) {
    if (accepted.free === undefined) return new TaskReply(cutTask(accepted.known, view(request)));
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
    const shown = view(request);
    // A task that has ended changes no more: who needs the value of the reply need not parse its text.
    const isWhole = live.terminal && shown.historyLength === undefined;
    return new TaskReply(cutTask(rest, shown), isWhole ? live.task : undefined);
  } catch (error) {
    // Another process may have ended the task; then that is the answer.
    const stored = live.lost && (await service.runtime.engine.store.read(live.scope, live.id));
    if (stored?.head.terminal !== true) throw error;
    return new TaskReply(cutTask(stored.snapshot, view(request)));
  }
}

async function now(service: ServiceContext, request: SendMessageRequest, live: LiveTask): Promise<Reply> {
  return new TaskReply(await service.runtime.engine.textOf(live, view(request)));
}

const view = ({ configuration }: SendMessageRequest): { historyLength?: number } =>
  configuration?.historyLength === undefined ? {} : { historyLength: configuration.historyLength };

/** A reply that is a task: its text, and the task itself where it is at hand. */
class TaskReply extends JsonText<SendMessageResponse> {
  readonly #taskText: string;
  readonly #task: Task | undefined;

  constructor(taskText: string, task?: Task) {
    super(undefined);
    this.#taskText = taskText;
    this.#task = task;
  }

  protected override encode(): string {
    return `{"task":${this.#taskText}}`;
  }

  override value(): SendMessageResponse {
    return this.#task === undefined ? super.value() : { task: this.#task };
  }
}
