import { isA2AError, A2AError } from "../errors.js";
import type { Message, pivot, StreamResponse, Task } from "../versions/pivot.js";
import { abortReason, backoff, pause } from "./backoff.js";
import { stepOf } from "./client-stream.js";
import type { CallOptions, Client, ClientStream, ClientWarning } from "./client-types.js";
import { EventIds } from "./event-ids.js";
import { LocalTask } from "./local-task.js";
import { askedDelay, isTransient } from "./transient.js";

/** How a task is followed. */
export interface FollowOptions extends CallOptions {
  /** First wait between two questions for the task where the agent does not stream, in ms; default 1,000. It grows while nothing changes. */
  readonly pollIntervalMs?: number | undefined;
  /** Longest such wait, in ms; default ten times the first. */
  readonly maxPollIntervalMs?: number | undefined;
  /** How long the agent may be out of reach before following fails with what went wrong, in ms; default 120,000. */
  readonly maxOutageMs?: number | undefined;
}

/** What an agent is known to be able to do; shared by all that follow its tasks. */
export interface Abilities {
  /** False once its card or the agent itself has said that it does not stream. */
  streaming: boolean;
}

/** The next event; or that the task came to rest; or that following was interrupted, and may go on. */
export type Taken = StreamResponse | "rest" | "suspended";

/** What one step brought: an event, or nothing new. */
type Brought = StreamResponse | undefined;

/** Streams in a row that bring nothing, after which the agent is asked instead. */
const BARREN_STREAMS = 5;

/**
 * Follows one task through breaks, without losing or repeating an event: resumes after the last event where the agent
 * numbers them, else begins anew with the task as it is, else asks for it again and again.
 */
export class TaskFollower {
  readonly task = new LocalTask();
  id: string | undefined;
  /** The answer, where the agent gave one without a task. */
  message: Message | undefined;
  /** How often a task that the agent sent took the place of events that were missed. */
  snapshots = 0;
  /** How often following went on after a break. */
  resumes = 0;
  readonly #client: Client<typeof pivot>;
  readonly #abilities: Abilities;
  readonly #options: FollowOptions;
  readonly #onWarning: ((warning: ClientWarning) => void) | undefined;
  readonly #ids = new EventIds();
  #source: ClientStream<StreamResponse> | undefined;
  /** What the stream has to show first: nothing, the task or what is missing after a break. */
  #opening: "fresh" | "resumed" | "open" = "fresh";
  #halt = new AbortController();
  #failures = 0;
  #barren = 0;
  #polling = false;
  #unchanged = 0;
  #askNow = false;
  #since: number | undefined;

  constructor(
    client: Client<typeof pivot>,
    abilities: Abilities,
    options: FollowOptions = {},
    onWarning?: (warning: ClientWarning) => void,
  ) {
    this.#client = client;
    this.#abilities = abilities;
    this.#options = options;
    this.#onWarning = onWarning;
  }

  /**
   * Follows the stream that answers a message of ours; gives its first event, which must come within `timeoutMs` (60,000),
   * whatever else the agent sends meanwhile. A failure before it changes nothing.
   */
  async open(
    source: ClientStream<StreamResponse>,
    message: Message,
    timeoutMs = 60_000,
  ): Promise<StreamResponse> {
    const step = await firstOf(source, timeoutMs).catch((error: unknown) => {
      throw isA2AError(error, "STREAM_CUT") ? unnamed(error) : error;
    });
    if (step.done === true) throw unnamed();
    this.#drop();
    this.#source = source;
    this.#opening = "open";
    this.#polling = false;
    this.#progress();
    this.#ids.reconnected();
    const event = step.value;
    // What follows without the task follows what was said.
    if (event.task === undefined && event.message === undefined) this.task.receive(message);
    return this.#event(event, source.lastEventId, false) ?? event;
  }

  /** Takes what the agent answered to a message. */
  begin(reply: { readonly task?: Task; readonly message?: Message }): StreamResponse {
    if (reply.message !== undefined) {
      this.message = reply.message;
      return { message: reply.message };
    }
    if (reply.task === undefined) throw new A2AError("INVALID_AGENT_RESPONSE", "Neither task nor message");
    this.id = reply.task.id;
    this.task.replace(reply.task);
    this.#progress();
    return { task: reply.task };
  }

  /** Ends what is under way; `take` may be called again. */
  suspend(reason: A2AError = new A2AError("ABORTED", "Following was suspended")): void {
    this.#halt.abort(reason);
    this.#drop();
  }

  /**
   * The next event, without a promise where it has come already. Not to be called while it waits. Fails with what is final,
   * or lasted too long.
   */
  take(): Taken | Promise<Taken> {
    if (this.#halt.signal.aborted) this.#halt = new AbortController();
    const { signal } = this.#halt;
    try {
      for (;;) {
        const standing = this.#standing(signal);
        if (standing !== undefined) return standing;
        const event = this.#step();
        if (event instanceof Promise) return this.#wait(() => event, signal);
        if (event !== undefined) return event;
      }
    } catch (error) {
      return this.#wait(() => {
        throw error;
      }, signal);
    }
  }

  /** The same where there is something to wait for. */
  async #wait(first: () => Promise<Brought>, signal: AbortSignal): Promise<Taken> {
    let step: () => Brought | Promise<Brought> = first;
    for (;;) {
      try {
        const event = await step();
        if (event !== undefined) return event;
      } catch (error) {
        this.#drop();
        const { signal: outer } = this.#options;
        if (isAborted(outer)) throw abortReason(outer);
        if (isAborted(signal)) return "suspended";
        await this.#broken(error);
      }
      const standing = this.#standing(signal);
      if (standing !== undefined) return standing;
      step = () => this.#step();
    }
  }

  /** Why nothing is to be asked for; throws where the caller has ended it. */
  #standing(signal: AbortSignal): "rest" | "suspended" | undefined {
    const { signal: outer } = this.#options;
    if (isAborted(outer)) {
      this.#drop();
      throw abortReason(outer);
    }
    if (isAborted(signal)) return "suspended";
    if (this.message === undefined && (!this.task.atRest || this.task.doubtful)) return undefined;
    this.#drop();
    return "rest";
  }

  #step(): Brought | Promise<Brought> {
    if (this.task.atRest) return this.#settle();
    if (this.#source !== undefined) return this.#read(this.#source);
    if (this.#polling || !this.#abilities.streaming) return this.#poll();
    return this.#read(this.#subscribe(this.#taskId()));
  }

  #taskId(): string {
    if (this.id !== undefined) return this.id;
    throw unnamed();
  }

  #subscribe(id: string): ClientStream<StreamResponse> {
    const { resumable } = this.#ids;
    const known = this.task.live !== undefined;
    this.#opening = known ? "resumed" : "fresh";
    if (known) this.resumes += 1;
    this.#ids.reconnected();
    const lastEventId = known ? resumable : undefined;
    this.#source = this.#client.subscribeToTask({ id }, { ...this.#call(), lastEventId });
    this.#source.headers.then(
      () => this.#reached(),
      () => undefined,
    );
    return this.#source;
  }

  #read(source: ClientStream<StreamResponse>): Brought | Promise<Brought> {
    const step = stepOf(source);
    return step instanceof Promise
      ? step.then((later) => this.#take(source, later))
      : this.#take(source, step);
  }

  #take(
    source: ClientStream<StreamResponse>,
    step: IteratorResult<StreamResponse, undefined>,
  ): Brought | Promise<Brought> {
    if (source !== this.#source) return undefined;
    if (step.done === true) throw new A2AError("STREAM_CUT", "The stream ended before the task came to rest");
    this.#reached();
    const opening = this.#opening;
    this.#opening = "open";
    if (opening === "fresh" && step.value.task === undefined && this.task.live === undefined) {
      // What was before the first update has to be asked for, and may include some that follow.
      this.task.doubtful = true;
      return this.#fetch(false);
    }
    return this.#event(step.value, source.lastEventId, opening === "resumed");
  }

  /** Takes one event of a stream; undefined where it says nothing new. */
  #event(event: StreamResponse, id: string | undefined, resumed: boolean): StreamResponse | undefined {
    const before = this.#ids.last;
    const verdict = this.#ids.note(id);
    if (event.task !== undefined) return this.#snapshot(event.task, resumed);
    if (event.message !== undefined) return this.#said(event);
    if (verdict === "repeated") return undefined;
    if (verdict === "late") this.task.doubtful = true;
    // Without the task at its start, only the next number shows that nothing is missing.
    if (resumed && !EventIds.follows(id, before)) this.task.doubtful = true;
    this.id ??= (event.statusUpdate ?? event.artifactUpdate).taskId;
    if (!this.task.update(event, verdict !== "unclear")) {
      this.#warn("refused-event", "Skipped an event that does not belong to the task as it is");
      return undefined;
    }
    this.#progress();
    return event;
  }

  /** The agent sent the whole task. */
  #snapshot(task: Task, replaces: boolean): StreamResponse | undefined {
    if (this.id !== undefined && task.id !== this.id) {
      throw new A2AError(
        "INVALID_AGENT_RESPONSE",
        `The agent was asked for the task ${this.id} and answered with another one`,
        {
          code: -32006,
        },
      );
    }
    this.id = task.id;
    if (!this.task.replace(task)) return undefined;
    if (replaces) this.snapshots += 1;
    this.#progress();
    return { task };
  }

  #said(event: StreamResponse): StreamResponse {
    if (this.task.live === undefined && this.id === undefined) this.message = event.message;
    return event;
  }

  /** A task that came to rest after something odd is asked for once more. */
  async #settle(): Promise<StreamResponse | undefined> {
    this.#drop();
    const event = await this.#fetch(true);
    this.task.doubtful = false;
    return event;
  }

  async #poll(): Promise<StreamResponse | undefined> {
    const { pollIntervalMs = 1_000, maxPollIntervalMs = 10 * pollIntervalMs } = this.#options;
    if (this.task.live !== undefined && !this.#askNow) {
      await pause(Math.min(maxPollIntervalMs, pollIntervalMs * 1.5 ** this.#unchanged), this.#signal());
    }
    this.#askNow = false;
    const event = await this.#fetch(this.resumes > 0);
    this.#unchanged = event === undefined ? this.#unchanged + 1 : 0;
    return event;
  }

  async #fetch(replaces: boolean): Promise<StreamResponse | undefined> {
    const task = await this.#client.getTask({ id: this.#taskId() }, this.#call());
    this.#reached();
    return this.#snapshot(task, replaces && this.task.live !== undefined);
  }

  /** Decides how to go on after a failure; throws where that is of no use. */
  async #broken(error: unknown): Promise<void> {
    if (!isA2AError(error)) throw error;
    const { reason } = error;
    if (reason === "UNSUPPORTED_OPERATION" || reason === "METHOD_NOT_FOUND") {
      // The task has ended, or the agent does not stream: the task itself tells.
      this.#ask(error);
      return;
    }
    const { id } = this;
    if (id === undefined) throw error;
    if (!isTransient(error) && reason !== "TIMEOUT") {
      // Where only subscribing fails, asking may do.
      if (this.#opening !== "resumed" || isFinal(error)) throw error;
      this.#ask(error);
      return;
    }
    this.#failures += 1;
    this.#barren += 1;
    if (this.#barren >= BARREN_STREAMS) this.#polling = true;
    const now = performance.now();
    this.#since ??= now;
    const { maxOutageMs = 120_000 } = this.#options;
    const asked = askedDelay(error) ?? 0;
    const delay = Math.max(asked, this.#failures === 1 ? 0 : backoff(this.#failures - 1, 250, 10_000));
    if (now + delay - this.#since > maxOutageMs) throw tooLong(error, id, maxOutageMs);
    this.#warn("resumed", `Going on with the task after: ${error.message}`);
    if (delay > 0) await this.#pause(delay);
  }

  /** Goes on by polling, at once. */
  #ask(error: A2AError): void {
    if (this.#polling || this.id === undefined) throw error;
    this.#polling = true;
    this.#askNow = true;
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, this.#signal()).catch(() => undefined);
  }

  #signal(): AbortSignal {
    const { signal } = this.#options;
    return signal === undefined ? this.#halt.signal : AbortSignal.any([signal, this.#halt.signal]);
  }

  #call(): CallOptions {
    const { headers, extensions, timeoutMs } = this.#options;
    return { headers, extensions, timeoutMs, signal: this.#signal() };
  }

  #reached(): void {
    this.#since = undefined;
  }

  #progress(): void {
    this.#failures = 0;
    this.#barren = 0;
    this.#unchanged = 0;
  }

  #drop(): void {
    void this.#source?.return();
    this.#source = undefined;
  }

  #warn(code: string, message: string): void {
    this.#onWarning?.({ method: "subscribeToTask", code, message });
  }
}

async function firstOf<T>(source: ClientStream<T>, ms: number): Promise<IteratorResult<T, undefined>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    if (ms <= 0 || ms >= 2 ** 31) return;
    timer = setTimeout(() => {
      reject(new A2AError("TIMEOUT", `The stream brought no event for ${String(ms)} ms`));
      void source.return();
    }, ms);
  });
  try {
    return await Promise.race([source.next(), late]);
  } finally {
    clearTimeout(timer);
  }
}

// Signals change while somebody waits, which the compiler does not expect of a property.
const isAborted = (signal: AbortSignal | undefined): signal is AbortSignal => signal?.aborted === true;

// Sending it again could start the work twice, so that is not done here.
const unnamed = (cause?: A2AError): A2AError =>
  new A2AError(
    "STREAM_CUT",
    "The stream ended before its first event, so the agent may have taken the message or not; look for the task with list(), or send the message again",
    { cause },
  );

/** Failures that asking in another way does not mend. */
const isFinal = ({ reason }: A2AError): boolean =>
  /^(UNAUTHENTICATED|PERMISSION_DENIED|TASK_NOT_FOUND|ABORTED|CONFIG|INVALID_PARAMS)$/.test(reason);

const tooLong = (error: A2AError, id: string, ms: number): A2AError =>
  new A2AError(
    error.reason,
    `Task ${id} could not be followed for ${String(ms)} ms; go on later with agent.task("${id}"): ${error.message}`,
    { status: error.status, headers: error.headers, cause: error },
  );
