import { A2AError } from "../errors.js";
import { localReasons } from "../local-reasons.js";
import { later } from "../task/clock.js";
import type { LiveTask } from "../task/live-task.js";
import type { ObservedRun } from "../telemetry/types.js";
import type { Message, StreamResponse, Task } from "../versions/pivot.js";
import { TaskState } from "../versions/pivot.js";
import type { AgentRuntime } from "./agent-runtime.js";
import type { Content, Result, Yield } from "./agent-types.js";
import { artifactSink, messageSink } from "./content-sink.js";
import { copyMessage, isMessage, toMessage } from "./content.js";
import type { EffectScene } from "./effects.js";
import { MessageInbox, type Waiting } from "./inbox.js";
import { isOutcome } from "./outcomes.js";
import type { RequestInfo } from "./request-info.js";
import { RunCtx } from "./run-ctx.js";
import type { RunLimits } from "./run-limits.js";
import { TaskCanceled, TaskFinished } from "./task-errors.js";

/** What a run begins with. */
export interface RunStart {
  readonly message: Message;
  readonly request: RequestInfo;
  readonly taskId: string;
  readonly contextId: string;
  readonly turn: number;
  readonly attempt: number;
  /** Gives what happened before this attempt. */
  readonly earlier?: () => readonly StreamResponse[];
  readonly state: object;
  /** Messages that wait; what the run does not take stays. */
  readonly queue: Waiting[];
  /** The task, or what makes it when the first effect asks for it. */
  readonly live: LiveTask | (() => LiveTask);
  readonly owner: RunOwner;
}

/** Who began a run. */
export interface RunOwner {
  /** Called when the handler answers without a task. */
  answered?(): void;
  /** Called when the handler is done, whatever came of it. */
  over(run: Run): void;
}

/** One call of the handler: its effects go to the task, its result or failure becomes the outcome. */
export class Run implements EffectScene {
  readonly start: RunStart;
  readonly runtime: AgentRuntime;
  readonly ctx: RunCtx;
  /** Set by `ctx.message` where no task exists. */
  reply: Message | undefined;
  /** What the handler threw where no task exists to fail. */
  failure: A2AError | undefined;
  /** The handler is done. */
  over = false;
  /** Who watches it. */
  observed: ObservedRun | undefined;
  #thrown: string | undefined;
  #ended = false;
  #inbox: MessageInbox | undefined;
  #live: LiveTask | undefined;
  #controller: AbortController | undefined;
  #aborted: Error | undefined;
  #unlimit: (() => void) | undefined;

  constructor(runtime: AgentRuntime, start: RunStart) {
    this.runtime = runtime;
    this.start = start;
    if (typeof start.live !== "function") this.#live = start.live;
    this.ctx = new RunCtx(this);
  }

  get taskId(): string {
    return this.start.taskId;
  }

  get contextId(): string {
    return this.start.contextId;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** After the outcome, messages wait for the next run. */
  set ended(ended: boolean) {
    this.#ended = ended;
    if (ended) this.#inbox?.end();
  }

  /** Made when somebody asks for it: most handlers never do. */
  get inbox(): MessageInbox {
    if (this.#inbox === undefined) {
      this.#inbox = new MessageInbox(this.start.queue);
      if (this.#ended || this.over) this.#inbox.end();
    }
    return this.#inbox;
  }

  /** A message was put into the queue. */
  arrived(): void {
    this.#inbox?.arrived();
  }

  get current(): LiveTask | undefined {
    return this.#live;
  }

  live(): LiveTask {
    if (this.#live === undefined) {
      const { live } = this.start;
      this.#live = typeof live === "function" ? live() : live;
    }
    return this.#live;
  }

  provisional(): Task {
    return (
      this.#live?.task ?? {
        id: this.taskId,
        contextId: this.contextId,
        status: { state: TaskState.SUBMITTED },
        history: [this.start.message],
      }
    );
  }

  now(): number {
    return this.runtime.now();
  }

  warn(message: string, error: unknown): void {
    this.runtime.log.warn(message, error);
  }

  /** Fires at cancel, at loss of the task and at shutdown. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted);
    }
    return this.#controller.signal;
  }

  get canceled(): boolean {
    return this.#aborted instanceof TaskCanceled;
  }

  abort(reason: Error): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = reason;
    this.#controller?.abort(reason);
  }

  beforePause(): void {
    this.runtime.sessionOf(this.live()).save(this);
  }

  #limited(limits: RunLimits): void {
    const { scope } = this.start.request;
    limits.began(scope);
    const { handlerMs } = limits;
    const stop = handlerMs === undefined ? undefined : later(handlerMs, () => this.#expire(handlerMs));
    this.#unlimit = (): void => {
      limits.ended(scope);
      stop?.();
    };
  }

  /** The handler took too long: the task has failed, whatever it still does. */
  #expire(handlerMs: number): void {
    const reason = new A2AError("TIMEOUT", `The handler took longer than ${String(handlerMs)} ms`);
    const live = this.#live;
    this.warn(`task ${this.taskId}: ${reason.message}`, reason);
    try {
      if (!this.ended && live !== undefined && !live.terminal && live.lost === undefined) {
        this.ctx.failed("The agent took too long.");
      } else if (!this.ended && live === undefined) {
        this.failure = new A2AError("UNAVAILABLE", "The agent took too long; try again later");
        this.ended = true;
        this.start.owner.answered?.();
      }
    } catch (error) {
      this.runtime.log.error(`task ${this.taskId}: the failure could not be stored`, error);
    }
    this.abort(reason);
  }

  /** Calls the handler. Never throws: whatever the agent does ends in an outcome. */
  go(): void {
    this.runtime.began();
    if (this.runtime.limits !== undefined) this.#limited(this.runtime.limits);
    const { telemetry, traces } = this.runtime;
    const observer = telemetry?.current;
    if (observer !== undefined) this.observed = observer.run(this.start.request.observed, this);
    traces?.add(this.taskId, this.ctx.trace);
    if (this.observed === undefined) this.#begin();
    else this.observed.within(() => this.#begin());
  }

  #begin(): void {
    try {
      const result = this.runtime.agent.handle(this.ctx, copyMessage(this.start.message));
      if (isGenerator(result)) void this.#drive(result);
      else Promise.resolve(result).then(this.#finish, this.#fail);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #drive(content: AsyncGenerator<Yield, Result, void>): Promise<void> {
    const sink = this.runtime.agent.replies === "message" ? messageSink() : artifactSink(this);
    try {
      for (;;) {
        const step = await content.next();
        if (step.done === true) {
          await sink.end();
          this.#finish(step.value ?? sink.result());
          return;
        }
        const pause = sink.take(step.value);
        if (pause !== undefined) await pause;
      }
    } catch (error) {
      // Lets the generator clean up where it was the effect that failed; one that threw itself is over.
      await content.return().catch(() => undefined);
      this.#fail(error);
    }
  }

  readonly #finish = (result: Result): void => {
    try {
      this.#conclude(result);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#settle();
  };

  #conclude(result: Result): void {
    if (this.ended) {
      if (result !== undefined && !isOutcome(result)) {
        this.warn(`task ${this.taskId}: what the handler returned after its outcome is ignored`, result);
      }
      return;
    }
    if (this.#live?.terminal === true) return;
    if (this.canceled && (result === undefined || isOutcome(result))) this.ctx.canceled();
    else if (isMessage(result)) this.ctx.message(result);
    else if (this.runtime.agent.replies === "message") this.#answer(result);
    else if (result === undefined || isOutcome(result)) this.ctx.completed();
    else if (Array.isArray(result) && result.length === 0) this.ctx.completed();
    else this.ctx.finishWith(result as Content);
  }

  /** The result of an agent that has no tasks. */
  #answer(result: Exclude<Result, Message>): void {
    if (result === undefined || isOutcome(result)) {
      throw new A2AError("INVALID_AGENT_RESPONSE", "The agent gave no answer", { code: -32006 });
    }
    this.ctx.message(result);
  }

  readonly #fail = (error: unknown): void => {
    try {
      this.#concludeFailure(error);
    } catch (second) {
      this.runtime.log.error(`task ${this.taskId}: the failure could not be stored`, second);
    }
    this.#settle();
  };

  #concludeFailure(error: unknown): void {
    const live = this.#live;
    const over = this.ended || live?.terminal === true || live?.lost !== undefined;
    if (over) {
      const expected = error instanceof TaskFinished || this.#aborted !== undefined;
      const { log } = this.runtime;
      if (expected) log.debug(`task ${this.taskId}: the handler stopped`, error);
      else log.warn(`task ${this.taskId}: the handler failed after its outcome`, error);
      return;
    }
    if (this.canceled) {
      this.ctx.canceled();
      return;
    }
    // Where the agent failed as a client of others, the caller has no business with the details.
    const known = error instanceof A2AError && !localReasons.has(error.reason) ? error : undefined;
    this.#thrown = known?.reason ?? "INTERNAL_ERROR";
    if (live === undefined) {
      // The caller gets it, and the binding logs what it must not say.
      this.ended = true;
      this.failure = A2AError.from(error);
    } else {
      if (known === undefined) this.runtime.log.error(`task ${this.taskId}: the handler failed`, error);
      this.ctx.failed(known?.message ?? "The agent failed to work on this.");
    }
  }

  /** The direct reply, where no task exists. */
  answerWith(reply: Content | Message): void {
    this.reply = toMessage(reply, this.contextId);
    this.ended = true;
    this.start.owner.answered?.();
  }

  #settle(): void {
    this.over = true;
    this.#inbox?.end();
    this.ctx.abandon();
    this.start.owner.over(this);
    this.observed?.end(this.#thrown);
    this.#unlimit?.();
    this.runtime.ended();
  }
}

// Handlers in JavaScript may give anything; what is no generator is awaited.
const isGenerator = (value: unknown): value is AsyncGenerator<Yield, Result, void> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;
