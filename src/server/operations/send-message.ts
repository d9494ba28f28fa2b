import { JsonText } from "../../json-text.js";
import type { MaybePromise } from "../../store/types.js";
import { cutTask, type TaskView } from "../../task/cut-task.js";
import type { FarTask } from "../../task/far-task.js";
import type { LiveTask } from "../../task/live-task.js";
import type { Ticket } from "../../task/ticket.js";
import { waitUntil, type Awaiting } from "../../task/wait-until.js";
import type { SendMessageRequest, SendMessageResponse, Task } from "../../versions/pivot.js";
import type { HandlerContext } from "../router-types.js";
import type { ServiceContext } from "../service-context.js";
import { taskNotFound } from "../invalid.js";
import type { FreeRun } from "../free-run.js";
import { acceptMessage, type Accepted } from "./accept-message.js";
import type { AcceptedElsewhere } from "./send-elsewhere.js";

type Reply = SendMessageResponse | JsonText<SendMessageResponse>;

/** SendMessage: waits until the task ends or pauses, unless told to answer at once (A2A-3.2.2). */
export function sendMessage(
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
): MaybePromise<Reply> {
  const accepted = (service.accept ?? acceptMessage)(service, request, ctx);
  return accepted instanceof Promise
    ? accepted.then((taken) => begin(service, request, ctx, taken))
    : begin(service, request, ctx, accepted);
}

function begin(
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
  accepted: Accepted,
): MaybePromise<Reply> {
  if (accepted.live === undefined) {
    if (accepted.far !== undefined) return answerElsewhere(service, request, ctx, accepted);
    if (accepted.free === undefined) return new TaskReply(cutTask(accepted.known, view(request)));
    return answerFree(service, request, ctx, accepted.free);
  }
  const { live, ticket } = accepted;
  if (request.configuration?.returnImmediately === true) {
    // The task as it is before the agent begins: what follows does not change the reply.
    const reply = now(service, request, live);
    accepted.run?.go();
    return reply;
  }
  accepted.run?.go();
  return answer(service, request, ctx, live, ticket);
}

async function answerFree(
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
  free: FreeRun,
): Promise<Reply> {
  const outcome = await free.go(ctx);
  if (outcome.live === undefined) return { message: outcome.reply };
  return answer(service, request, ctx, outcome.live, outcome.ticket);
}

function answer(
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
  live: LiveTask,
  ticket: Ticket,
): MaybePromise<Reply> {
  if (request.configuration?.returnImmediately === true) return now(service, request, live);
  return waitUntil(live, new Answer(service, request, ctx, live, ticket), ctx);
}

/** What the caller of a message waits for: the task at rest, wherever it comes to it. One object, for most calls need one. */
class Answer implements Awaiting<Reply> {
  readonly #service: ServiceContext;
  readonly #request: SendMessageRequest;
  readonly #ctx: HandlerContext;
  readonly #live: LiveTask;
  readonly #ticket: Ticket;
  /** Changes of the task that the message is among. */
  readonly #version: number;

  constructor(
    service: ServiceContext,
    request: SendMessageRequest,
    ctx: HandlerContext,
    live: LiveTask,
    ticket: Ticket,
  ) {
    this.#service = service;
    this.#request = request;
    this.#ctx = ctx;
    this.#live = live;
    this.#ticket = ticket;
    this.#version = live.version;
  }

  probe(): Reply | undefined {
    const live = this.#live;
    const rest = this.#ticket.answer(live);
    if (rest === undefined) return undefined;
    const shown = view(this.#request);
    // A task that has ended changes no more: who needs the value of the reply need not parse its text.
    const isWhole = live.terminal && shown.historyLength === undefined;
    return new TaskReply(cutTask(rest, shown), isWhole ? live.task : undefined);
  }

  left(): Promise<Reply> | undefined {
    const far = this.#service.runtime.engine.cluster?.further(this.#live);
    if (far === undefined) return undefined;
    const there = goneOn(this.#live, this.#ticket, far);
    return answerElsewhere(this.#service, this.#request, this.#ctx, there);
  }

  async failed(error: unknown): Promise<Reply> {
    const live = this.#live;
    // Another instance may go on with the task, if the store has the message.
    const further = live.lost && live.committedVersion >= this.#version ? this.left() : undefined;
    if (further !== undefined) return further;
    // Or may have ended it, where instances do not follow each other.
    const stored = live.lost && (await this.#service.runtime.engine.store.read(live.scope, live.id));
    if (stored?.head.terminal !== true) throw error;
    return new TaskReply(cutTask(stored.snapshot, view(this.#request)));
  }
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

function now(service: ServiceContext, request: SendMessageRequest, live: LiveTask): MaybePromise<Reply> {
  const text = service.runtime.engine.textOf(live, view(request));
  return text instanceof Promise ? text.then((shown) => new TaskReply(shown)) : new TaskReply(text);
}

const view = ({ configuration }: SendMessageRequest): TaskView =>
  configuration?.historyLength === undefined ? WHOLE : { historyLength: configuration.historyLength };

const WHOLE: TaskView = {};

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
