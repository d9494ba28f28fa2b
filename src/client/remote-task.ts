import { A2AError } from "../errors.js";
import type {
  Artifact,
  Message,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatus,
} from "../versions/pivot.js";
import { textOf, userMessage } from "../versions/pivot.js";
import type { CallOptions } from "./client-types.js";
import type { Taken, TaskFollower } from "./task-follower.js";
import { withText, type AgentReply } from "./with-text.js";

/** What `on` can tell, and what the listener gets. */
export interface RemoteTaskEvents {
  /** Every event, in order. */
  event: StreamResponse;
  /** A new status, also where it came with the whole task. */
  status: TaskStatus;
  /** A new artifact, or more of one. */
  artifact: TaskArtifactUpdateEvent;
  /** The task came to rest: it ended or waits for the client. Or the agent answered with a message. */
  rest: SendMessageResponse;
  /** Following failed. `next()` and `result()` try again. */
  error: unknown;
}

/** How long to wait for a result. */
export interface ResultOptions {
  /** In ms; default: without limit. Passing it is `TIMEOUT`; the task goes on. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait (`ABORTED`); the task goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** What a remote task asks of the agent, besides following. */
export interface RemoteTaskCalls {
  cancel(id: string, options?: CallOptions): Promise<Task>;
  /** Sends a message to a task that works. */
  send(message: Message): Promise<void>;
  /** Sends a message to a task that rests, and follows what comes of it. */
  resume(follower: TaskFollower, message: Message): Promise<StreamResponse>;
}

/**
 * A task of an agent, kept up to date here by its events. It is followed while somebody waits: an iteration, a result, or
 * a listener; nothing is lost in between. Broken connections are resumed, agents that do not stream are polled.
 */
export class RemoteTask implements AsyncIterable<StreamResponse>, AsyncDisposable {
  readonly #follower: TaskFollower;
  readonly #calls: RemoteTaskCalls;
  readonly #listeners = new Map<keyof RemoteTaskEvents, Set<(value: never) => void>>();
  readonly #queue: StreamResponse[] = [];
  /** Events went by that no iteration has seen. */
  #missed = false;
  #iterating = false;
  #restSaid = false;
  #waiting = 0;
  #flowing = false;
  #closed = false;
  #pending: Promise<Taken> | undefined;

  /** `first` is what is known already, for the iteration to begin with. */
  constructor(follower: TaskFollower, calls: RemoteTaskCalls, first?: StreamResponse) {
    this.#follower = follower;
    this.#calls = calls;
    if (first !== undefined) this.#queue.push(first);
  }

  /** Undefined where the agent answered with a message. */
  get id(): string | undefined {
    return this.#follower.id;
  }

  get contextId(): string | undefined {
    return this.#follower.task.live?.contextId ?? this.message?.contextId;
  }

  /** The answer of an agent that made no task. */
  get message(): Message | undefined {
    return this.#follower.message;
  }

  /** A copy of the task as far as it is known; undefined until something is. */
  get task(): Task | undefined {
    return this.#follower.task.copy();
  }

  get status(): TaskStatus | undefined {
    return this.#follower.task.live?.status;
  }

  /** As they are now; they may go on growing. */
  get artifacts(): readonly Artifact[] {
    return this.#follower.task.live?.artifacts ?? [];
  }

  /** True once nothing can change any more. */
  get ended(): boolean {
    return this.message !== undefined || this.#follower.task.ended;
  }

  /** How often the task as the agent sent it took the place of events that were missed; 0 where none was. */
  get snapshots(): number {
    return this.#follower.snapshots;
  }

  /** How often the task was resumed. */
  get resumes(): number {
    return this.#follower.resumes;
  }

  /** What the agent has said so far: its artifacts, else its status message, or its message. */
  text(): string {
    return textOf(this.message ?? this.#follower.task.live);
  }

  /**
   * The next event. Done when the task comes to rest: it ended, or waits for the client. Called again after that, it waits
   * for what else moves a task that has not ended. One that begins late begins with the task as it is.
   */
  async next(): Promise<IteratorResult<StreamResponse, undefined>> {
    this.#iterating = true;
    for (;;) {
      const queued = this.#queue.shift();
      if (queued !== undefined) return { done: false, value: queued };
      const task = this.#missed ? this.task : undefined;
      this.#missed = false;
      if (task !== undefined) return { done: false, value: { task } };
      if (this.#closed) return this.#done();
      if (this.#restSaid) this.#follower.task.passRest();
      this.#restSaid = false;
      let taken: Taken;
      try {
        const step = this.#step();
        taken = step instanceof Promise ? await step : step;
      } catch (error) {
        this.#iterating = false;
        throw error;
      }
      if (taken === "rest" && this.#queue.length === 0) {
        this.#restSaid = true;
        return this.#done();
      }
      if (this.#left()) return this.#done();
    }
  }

  /** Ends the iteration, and the connection where nobody else waits. The task goes on, and can be followed again. */
  async return(): Promise<IteratorResult<StreamResponse, undefined>> {
    if (this.#queue.length > 0) this.#missed = true;
    this.#queue.length = 0;
    const done = this.#done();
    this.#rest();
    return done;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The task when it has come to rest, or the message that the agent answered. Look at the state: a failed task is a result. */
  async result(options: ResultOptions = {}): Promise<AgentReply> {
    const { timeoutMs, signal } = options;
    const ends = new Set<() => void>();
    const ended = new Promise<never>((_resolve, reject) => {
      if (timeoutMs !== undefined && timeoutMs < 2 ** 31) {
        const timer = setTimeout(() => reject(tooLate(this.id, timeoutMs)), timeoutMs);
        ends.add(() => clearTimeout(timer));
      }
      const abort = (): void => reject(new A2AError("ABORTED", "Waiting for the result was ended"));
      signal?.addEventListener("abort", abort);
      ends.add(() => signal?.removeEventListener("abort", abort));
      if (signal?.aborted === true) abort();
    });
    ended.catch(() => undefined);
    this.#waiting += 1;
    try {
      // Who begins to iterate in the same breath sees every event.
      await Promise.resolve();
      for (;;) {
        const step = this.#step();
        const taken = step instanceof Promise ? await Promise.race([step, ended]) : step;
        if (taken === "rest") break;
        if (this.#closed) throw new A2AError("ABORTED", "The remote task is closed");
      }
      return withText(this.#reply());
    } finally {
      this.#waiting -= 1;
      for (const end of ends) end();
      this.#rest();
    }
  }

  /** Calls `listener` for every event of a kind from now on, and follows the task meanwhile; returns what stops that. */
  on<K extends keyof RemoteTaskEvents>(kind: K, listener: (value: RemoteTaskEvents[K]) => void): () => void {
    const set = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, set.add(listener));
    void this.#flow();
    return () => {
      set.delete(listener);
      if (set.size === 0) this.#listeners.delete(kind);
      this.#rest();
    };
  }

  /** Asks the agent to stop the task; gives the task as it then is. One that was canceled before is no error. */
  cancel(options?: CallOptions): Promise<Task> {
    return this.#calls.cancel(this.#known("cancel"), options);
  }

  /**
   * Sends a message to the task; a text, or a message whose task and context are filled in. What comes of it is the next
   * iteration, or the next `result()`. Throws `UNSUPPORTED_OPERATION` where the task has ended.
   */
  async reply(message: string | Message): Promise<void> {
    const id = this.#known("reply to");
    const { live, ended } = this.#follower.task;
    if (ended) {
      throw new A2AError(
        "UNSUPPORTED_OPERATION",
        `Task ${id} has ended; start another one with its contextId, and this one in referenceTaskIds`,
      );
    }
    const { contextId } = this;
    const said = typeof message === "string" ? userMessage(message) : message;
    const own: Message = { ...said, taskId: id, ...(contextId && { contextId }) };
    if (live === undefined || !this.#follower.task.atRest) {
      await this.#calls.send(own);
      // Where in the history it went, only the agent knows.
      this.#follower.task.receive(own);
      this.#follower.task.doubtful = true;
      return;
    }
    this.#dispatch(await this.#calls.resume(this.#follower, own));
    this.#restSaid = false;
    void this.#flow();
  }

  /** Stops following; the task goes on. `next()` is done, `result()` is `ABORTED`. */
  close(): Promise<void> {
    this.#closed = true;
    this.#queue.length = 0;
    this.#missed = false;
    this.#done();
    this.#listeners.clear();
    this.#follower.suspend(new A2AError("ABORTED", "The remote task is closed"));
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The next step of following, which all who wait share. */
  #step(): Taken | Promise<Taken> {
    if (this.#closed) return "suspended";
    if (this.#pending !== undefined) return this.#pending;
    const taken = this.#follower.take();
    // A listener may ask for the next step, which must not come before all have heard of this one.
    if (!(taken instanceof Promise) && this.#listeners.size === 0) return this.#note(taken);
    return (this.#pending = Promise.resolve(taken)
      .then((later) => this.#note(later))
      .finally(() => {
        this.#pending = undefined;
      }));
  }

  #note(taken: Taken): Taken {
    if (typeof taken === "object") this.#dispatch(taken);
    return taken;
  }

  #dispatch(event: StreamResponse): void {
    if (this.#iterating) this.#queue.push(event);
    else {
      this.#missed = true;
      this.#queue.length = 0;
    }
    this.#tell("event", event);
    const status = event.task?.status ?? event.statusUpdate?.status;
    if (status !== undefined) this.#tell("status", status);
    if (event.artifactUpdate !== undefined) this.#tell("artifact", event.artifactUpdate);
  }

  #tell<K extends keyof RemoteTaskEvents>(kind: K, value: RemoteTaskEvents[K]): void {
    for (const listener of this.#listeners.get(kind) ?? []) {
      try {
        (listener as (value: RemoteTaskEvents[K]) => void)(value);
      } catch (error) {
        // As of an event target: it is a failure of the listener, not of who follows the task.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Follows as long as somebody listens and the task moves. */
  async #flow(): Promise<void> {
    if (this.#flowing) return;
    this.#flowing = true;
    try {
      while (this.#listeners.size > 0) {
        if ((await this.#step()) !== "rest") continue;
        this.#tell("rest", this.#reply());
        return;
      }
    } catch (error) {
      this.#tell("error", error);
    } finally {
      this.#flowing = false;
    }
  }

  #left(): boolean {
    return !this.#iterating;
  }

  /** Nobody waits: no connection is held. */
  #rest(): void {
    const idle = !this.#iterating && this.#waiting === 0 && !(this.#flowing && this.#listeners.size > 0);
    if (idle) this.#follower.suspend();
  }

  #done(): IteratorReturnResult<undefined> {
    this.#iterating = false;
    return { done: true, value: undefined };
  }

  #reply(): SendMessageResponse {
    const { message, task } = this;
    if (message !== undefined) return { message };
    if (task !== undefined) return { task };
    throw new A2AError("INTERNAL_ERROR", "Nothing is known of the task");
  }

  #known(verb: string): string {
    const { id } = this;
    if (id !== undefined) return id;
    throw new A2AError(
      "UNSUPPORTED_OPERATION",
      `The agent answered with a message; there is no task to ${verb}`,
    );
  }
}

const tooLate = (id: string | undefined, ms: number): A2AError =>
  new A2AError(
    "TIMEOUT",
    `Task ${id ?? ""} did not come to rest within ${String(ms)} ms; it goes on: wait again, or cancel it`,
  );
