import type { A2AError } from "../errors.js";
import type { Granted } from "../granted.js";
import type { StoredConfig } from "../store/types.js";
import type { TaskEngine } from "../task/engine.js";
import type { TaskTraces } from "../telemetry/task-traces.js";
import type { TelemetrySource } from "../telemetry/types.js";
import { timestamp } from "../task/clock.js";
import type { LiveTask } from "../task/live-task.js";
import type { Message, Task } from "../versions/pivot.js";
import { TaskState } from "../versions/pivot.js";
import type { Agent, Logger } from "./agent-types.js";
import type { RequestInfo } from "./request-info.js";
import { Effects } from "./effects.js";
import { shuttingDown } from "./shutting-down.js";
import type { RunLimits } from "./run-limits.js";
import { keptAtBirth, TaskSession } from "./task-session.js";

/** An agent at work on the tasks of an engine. */
export class AgentRuntime {
  readonly agent: Agent;
  readonly engine: TaskEngine;
  readonly log: Logger;
  /** Undefined where nothing is limited. */
  readonly limits: RunLimits | undefined;
  /** Throws where a caller may not use a skill of the card. */
  readonly checkSkill: (skillId: string, granted: Granted | undefined) => void;
  /** Tasks that go on without a run here. */
  readonly detached = new Set<TaskSession>();
  /** Ends the runs that have no task yet, and the waits of their callers. */
  readonly free = new Set<(reason: A2AError) => void>();
  /** Who watches runs, if anybody. */
  telemetry: TelemetrySource | undefined;
  /** Traces of tasks, for their webhooks; undefined where there are none. */
  traces: TaskTraces | undefined;
  /** Handlers that run. */
  running = 0;
  #whenIdle: (() => void)[] | undefined;

  constructor(
    agent: Agent,
    engine: TaskEngine,
    log: Logger,
    checkSkill: AgentRuntime["checkSkill"],
    limits?: RunLimits,
  ) {
    this.agent = agent;
    this.engine = engine;
    this.log = log;
    this.checkSkill = checkSkill;
    this.limits = limits;
  }

  now(): number {
    return this.engine.now();
  }

  /** Runs are kept with their tasks, to be started again when the process is gone. */
  get reruns(): boolean {
    return this.agent.recovery === "rerun" && this.engine.ownership !== undefined;
  }

  /** A handler begins. */
  began(): void {
    this.running += 1;
  }

  /** A handler is done, and what follows from that has begun. */
  ended(): void {
    this.running -= 1;
    if (this.running > 0 || this.#whenIdle === undefined) return;
    const waiting = this.#whenIdle;
    this.#whenIdle = undefined;
    for (const call of waiting) call();
  }

  /** Resolves when no handler runs. */
  idle(): Promise<void> {
    if (this.running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      (this.#whenIdle ??= []).push(resolve);
    });
  }

  sessionOf(live: LiveTask): TaskSession {
    // Kept with the task: a weak map would cost every collection of garbage.
    if (live.session instanceof TaskSession) return live.session;
    return new TaskSession(this, live);
  }

  /** A new task: SUBMITTED, with its first message. It is committed by the end of the tick; `flush` does it now. */
  create(
    taskId: string,
    contextId: string,
    message: Message,
    request: RequestInfo,
    configs?: readonly StoredConfig[],
  ): LiveTask {
    const task: Task = {
      id: taskId,
      contextId,
      status: { state: TaskState.SUBMITTED, timestamp: timestamp(this.now()) },
      history: [message],
    };
    // Before the commit, which may wake a delivery.
    this.traces?.add(taskId, request.trace);
    const kept = this.reruns ? keptAtBirth(request) : undefined;
    return this.engine.open(request.scope, task, contextId, configs, kept);
  }

  /** The effects on a task from outside a handler; `writable` gives the task just before it is written. */
  effects(live: LiveTask, writable = (): LiveTask => live): Effects {
    return new Effects({
      taskId: live.id,
      contextId: live.contextId,
      ended: false,
      current: live,
      live: writable,
      now: () => this.now(),
      warn: (message, error) => {
        this.log.warn(message, error);
      },
    });
  }

  /** Fails detached tasks that nobody went on with. */
  expire(now: number): void {
    for (const session of this.detached) {
      const { live } = session;
      if (live.terminal || live.interrupted || live.lost !== undefined) session.attach();
      else if (now - live.touched >= this.agent.detachedTimeout) {
        this.effects(live).failed("Nobody finished this in time.");
        session.attach();
      } else continue;
      live.retireIfIdle();
    }
  }

  /** Ends what runs without a task; the others end with theirs. */
  close(): void {
    const reason = shuttingDown();
    for (const end of this.free) end(reason);
  }
}
