import type { JsonObject } from "../descriptor.js";
import type { LetterAnswer, StoredConfig } from "../store/types.js";
import { timestamp } from "../task/clock.js";
import type { AgentSide } from "../task/agent-side.js";
import type { LiveTask } from "../task/live-task.js";
import { Ticket } from "../task/ticket.js";
import { waitUntil } from "../task/wait-until.js";
import type { Message, StreamResponse } from "../versions/pivot.js";
import { TaskState } from "../versions/pivot.js";
import type { AgentRuntime } from "./agent-runtime.js";
import type { Waiting } from "./inbox.js";
import type { RequestInfo } from "./request-info.js";
import { keptRequest, keptRun, type KeptRun } from "./kept-run.js";
import { Run, type RunOwner } from "./run.js";

interface Unread extends Waiting {
  readonly request: RequestInfo;
  readonly ticket: Ticket;
  /** Number of the message. */
  readonly k: number;
}

/** What the agent keeps between turns, as JSON; and the run that goes on, where it may have to be started again. */
interface Kept {
  readonly turn?: number;
  readonly state?: JsonObject;
  readonly run?: KeptRun;
}

/** What is kept with a task that is opened by a message. */
export const keptAtBirth = (request: RequestInfo): string =>
  JSON.stringify({ run: keptRun(0, 1, request) } satisfies Kept);

/** The agent's side of a live task: one run at a time, messages that wait for it, and what it keeps between turns. */
export class TaskSession implements AgentSide, RunOwner {
  readonly live: LiveTask;
  readonly runtime: AgentRuntime;
  /** The run that goes on. */
  run: Run | undefined;
  /** A cancel that goes on; further ones share its outcome. */
  canceling: Promise<void> | undefined;
  /** Works without a run, through `server.task()`. */
  detached = false;
  readonly #unread: Unread[] = [];
  /** Messages of letters that waited when they came, by number. */
  #asked: Map<number, Ticket> | undefined;
  #whenOver: (() => void)[] | undefined;
  #turn: number;
  #state: object;
  #kept: string | undefined;
  /** The run that went on when the task was last stored. */
  readonly interruptedRun: KeptRun | undefined;

  constructor(runtime: AgentRuntime, live: LiveTask) {
    this.runtime = runtime;
    this.live = live;
    this.#kept = live.agent;
    const kept: Kept = live.agent === undefined ? {} : (JSON.parse(live.agent) as Kept);
    this.#turn = kept.turn ?? 0;
    this.#state = kept.state ?? {};
    this.interruptedRun = kept.run;
    live.session = this;
  }

  get kept(): string | undefined {
    return this.#kept;
  }

  get goesOn(): boolean {
    return this.#unread.length > 0;
  }

  /** Prepares the first run; `go` on the run begins it. */
  first(message: Message, request: RequestInfo): Run {
    return this.#begin(message, request);
  }

  /** Takes over a run that made its task by itself. */
  adopt(run: Run): void {
    this.run = run;
    this.#turn = run.start.turn;
    this.live.holds += 1;
  }

  /**
   * A further message: for the run that goes on, or the cause of the next one, which is returned. `answer`: to the letter that
   * brought it.
   */
  offer(
    message: Message,
    request: RequestInfo,
    configs: readonly StoredConfig[],
    ticket: Ticket,
    answer?: () => LetterAnswer,
  ): Run | undefined {
    const k = this.live.received + 1;
    if (this.run === undefined) {
      if (this.#reruns) this.#keepRun(keptRun(k, 1, request));
      this.attach();
      const answered =
        answer &&
        ((): LetterAnswer => {
          ticket.floor = this.live.revision;
          return answer();
        });
      this.live.receive(message, this.#resume(), configs, answered);
      ticket.floor = this.live.revision;
      return this.#begin(message, request);
    }
    if (answer !== undefined) (this.#asked ??= new Map<number, Ticket>()).set(k, ticket);
    this.live.receive(message, [], configs, answer);
    this.#unread.push({
      message,
      request,
      ticket,
      k,
      taken: () => {
        ticket.floor = this.live.revision;
      },
    });
    this.run.arrived();
    return undefined;
  }

  /** What the sender of a message that a letter brought waits for; undefined where that is over, or not known here. */
  ticketOf(k: number): Ticket | undefined {
    return this.#asked?.get(k) ?? this.#unread.find((unread) => unread.k === k)?.ticket;
  }

  /** Keeps what the agent wants kept; throws in the agent where it is not JSON. */
  save(run: Run): void {
    const { state } = run.ctx;
    this.#state = state;
    this.#kept = JSON.stringify({ turn: this.#turn, state });
  }

  /**
   * Starts a run again whose process is gone: as it began, in a further attempt. Messages that came during the run wait for
   * it. It begins when the store knows of the attempt.
   */
  rerun(
    kept: KeptRun,
    message: Message,
    waiting: readonly Message[],
    earlier: () => readonly StreamResponse[],
  ): void {
    const request = keptRequest(kept.request, this.live.scope);
    const attempt = kept.attempt + 1;
    waiting.forEach((one, i) => {
      const ticket = new Ticket();
      const taken = (): void => {
        ticket.floor = this.live.revision;
      };
      this.#unread.push({ message: one, request, ticket, k: kept.k + 1 + i, taken });
    });
    this.#keepRun({ ...kept, attempt });
    const run = this.#begin(message, request, attempt, earlier);
    this.live.commitAgent();
    const { version } = this.live;
    const stored = (): true | undefined => (this.live.committedVersion >= version ? true : undefined);
    const go = (): void => {
      if (this.live.terminal) this.over(run);
      else run.go();
    };
    Promise.resolve(waitUntil(this.live, stored)).then(go, () => {
      this.over(run);
    });
  }

  get #reruns(): boolean {
    return this.runtime.reruns;
  }

  /** The next commit says which run goes on, and what the agent kept before it. */
  #keepRun(run: KeptRun): void {
    this.#kept = JSON.stringify({ turn: this.#turn, state: this.#state as JsonObject, run } satisfies Kept);
    this.live.keepAgent();
  }

  /** Calls back when the run that goes on is over. */
  whenOver(call: () => void): void {
    if (this.run === undefined) call();
    else (this.#whenOver ??= []).push(call);
  }

  /** The run ended, the task goes on. */
  detach(): void {
    if (this.detached) return;
    this.detached = true;
    this.live.unattended = true;
    // Elsewhere somebody may go on with it by what is stored, and its time is kept there too.
    if (this.runtime.engine.ownership !== undefined) {
      this.live.keepAgent();
      return;
    }
    this.live.holds += 1;
    this.runtime.detached.add(this);
  }

  /** Somebody else works on the task no longer. */
  attach(): void {
    if (!this.detached) return;
    this.detached = false;
    this.live.unattended = false;
    if (this.runtime.detached.delete(this)) this.live.holds -= 1;
  }

  #begin(
    message: Message,
    request: RequestInfo,
    attempt = 1,
    earlier?: () => readonly StreamResponse[],
  ): Run {
    this.attach();
    this.#turn += 1;
    const run = new Run(this.runtime, {
      message,
      request,
      taskId: this.live.id,
      contextId: this.live.contextId,
      turn: this.#turn,
      attempt,
      ...(earlier && { earlier }),
      state: this.#state,
      queue: this.#unread,
      live: this.live,
      owner: this,
    });
    this.run = run;
    this.live.holds += 1;
    return run;
  }

  /** A run is over: messages that it did not take cause the next one, unless the task ended. */
  over(run: Run): void {
    if (this.run !== run) return;
    this.run = undefined;
    this.live.holds -= 1;
    const waiting = this.#whenOver;
    this.#whenOver = undefined;
    for (const call of waiting ?? []) call();
    if (this.live.terminal || this.live.lost !== undefined) {
      this.#unread.length = 0;
      this.live.retireIfIdle();
      return;
    }
    // A cancel that waited for the run ends the task now.
    const next = this.canceling === undefined ? this.#unread.shift() : undefined;
    if (next === undefined) {
      this.live.retireIfIdle();
      return;
    }
    const resume = this.#resume();
    if (this.#reruns) this.#keepRun(keptRun(next.k, 1, next.request));
    this.attach();
    if (resume.length > 0) this.live.emit(resume);
    else if (this.#reruns) this.live.commitAgent();
    next.ticket.floor = this.live.revision;
    this.#begin(next.message, next.request).go();
  }

  /** A paused task that goes on says so. */
  #resume(): StreamResponse[] {
    if (!this.live.interrupted) return [];
    const { id: taskId, contextId } = this.live;
    const status = { state: TaskState.WORKING, timestamp: timestamp(this.runtime.now()) };
    return [{ statusUpdate: { taskId, contextId, status } }];
  }
}
