import type { JsonObject } from "../descriptor.js";
import type { Granted } from "../granted.js";
import type { Message, StreamResponse, Task } from "../versions/pivot.js";
import { TaskState } from "../versions/pivot.js";
import type { Content, Ctx, Inbox, Logger, StatusOptions } from "./agent-types.js";
import { Effects } from "./effects.js";
import type { Outcome } from "./outcomes.js";
import type { TraceContext } from "../telemetry/trace-context.js";
import type { Run } from "./run.js";
import { TaskFinished } from "./task-errors.js";

/** The `ctx` of a handler. */
export class RunCtx extends Effects implements Ctx {
  state: JsonObject;
  readonly #run: Run;
  #earlier: readonly StreamResponse[] | undefined;

  constructor(run: Run) {
    super(run);
    this.#run = run;
    this.state = run.start.state as JsonObject;
  }

  get turn(): number {
    return this.#run.start.turn;
  }

  get attempt(): number {
    return this.#run.start.attempt;
  }

  get earlier(): readonly StreamResponse[] {
    return (this.#earlier ??= this.#run.start.earlier?.() ?? []);
  }

  get inbox(): Inbox {
    return this.#run.inbox;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  get principal(): unknown {
    return this.#run.start.request.principal;
  }

  get granted(): Granted | undefined {
    return this.#run.start.request.granted;
  }

  requireSkill(skillId: string): void {
    this.#run.runtime.checkSkill(skillId, this.granted);
  }

  get tenant(): string | undefined {
    return this.#run.start.request.tenant;
  }

  get metadata(): JsonObject | undefined {
    return this.#run.start.request.metadata;
  }

  get extensions(): readonly string[] {
    return this.#run.start.request.extensions;
  }

  get acceptedOutputModes(): readonly string[] {
    return this.#run.start.request.acceptedOutputModes;
  }

  get trace(): TraceContext | undefined {
    const run = this.#run;
    return run.observed?.trace ?? run.start.request.trace;
  }

  get log(): Logger {
    return this.#run.runtime.log;
  }

  message(reply: Content | Message): Outcome {
    const run = this.#run;
    if (run.current !== undefined) return this.end(TaskState.COMPLETED, reply);
    if (run.ended) throw new TaskFinished("The outcome was given: nothing may follow");
    run.answerWith(reply);
    return { outcome: "reply" };
  }

  detached(note?: Content | Message, options?: StatusOptions): Outcome {
    const run = this.#run;
    run.beforePause();
    this.check();
    const session = run.runtime.sessionOf(run.live());
    // Before the event: its commit says that nobody works on the task.
    session.detach();
    try {
      this.end(TaskState.WORKING, note, options);
    } catch (error) {
      session.attach();
      throw error;
    }
    return { outcome: "detached" };
  }

  async references(): Promise<Task[]> {
    const { message, request } = this.#run.start;
    const ids = [...new Set(message.referenceTaskIds)];
    const texts = await Promise.all(ids.map(async (id) => this.#run.runtime.engine.text(request.scope, id)));
    return texts.filter((text) => text !== undefined).map((text) => JSON.parse(text) as Task);
  }
}
