import { JsonText } from "../../json-text.js";
import type { Snapshot } from "../../store/types.js";
import { cutTask } from "../../task/cut-task.js";
import type { FarTask } from "../../task/far-task.js";
import type { LiveTask } from "../../task/live-task.js";
import type { Ticket } from "../../task/ticket.js";
import { waitUntil } from "../../task/wait-until.js";
import type { SendMessageRequest, SendMessageResponse, Task } from "../../versions/pivot.js";
import type { HandlerContext } from "../router-types.js";
import type { ServiceContext } from "../service-context.js";
import { taskNotFound } from "../invalid.js";
import { acceptMessage } from "./accept-message.js";
import type { AcceptedElsewhere } from "./send-elsewhere.js";

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
    if (accepted.far !== undefined) return answerElsewhere(service, request, ctx, accepted);
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
  const { version } = live;
  const { cluster, store } = service.runtime.engine;
  const left = (): AcceptedElsewhere | undefined => {
    const far = cluster?.further(live);
    return far && goneOn(live, ticket, far);
  };
  let rest: Snapshot | AcceptedElsewhere;
  try {
    rest = await waitUntil<typeof rest>(live, () => ticket.answer(live), ctx, left);
  } catch (error) {
    // Another instance may go on with the task, if the store has the message.
    const there = live.lost && live.committedVersion >= version ? left() : undefined;
    if (there === undefined) {
      // Or may have ended it, where instances do not follow each other.
      const stored = live.lost && (await store.read(live.scope, live.id));
      if (stored?.head.terminal !== true) throw error;
      return new TaskReply(cutTask(stored.snapshot, view(request)));
    }
    rest = there;
  }
  if ("far" in rest) return answerElsewhere(service, request, ctx, rest);
  const shown = view(request);
  // A task that has ended changes no more: who needs the value of the reply need not parse its text.
  const isWhole = live.terminal && shown.historyLength === undefined;
  return new TaskReply(cutTask(rest, shown), isWhole ? live.task : undefined);
}

/** What the caller of a message waits for that was taken here, and goes on elsewhere. */
function goneOn(live: LiveTask, ticket: Ticket, far: FarTask): AcceptedElsewhere {
  if (!ticket.taken) ticket.floor = live.committed;
  return { far, ticket, release: far.hold() };
}

/** The task once another instance has brought it to rest. */
async function answerElsewhere(
  { runtime: { engine } }: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
  { far, ticket, release }: Omit<AcceptedElsewhere, "live" | "free">,
): Promise<Reply> {
  try {
    if (request.configuration?.returnImmediately !== true) {
      ticket.whenTaken(() => {
        far.notify();
      });
      await waitUntil(far, () => (ticket.answeredBy(far) ? true : undefined), ctx);
    }
    const text = await engine.text(far.scope, far.id, view(request));
    if (text === undefined) throw taskNotFound(far.id);
    return new TaskReply(text);
  } finally {
    release();
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
