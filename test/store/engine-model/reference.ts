/** What store and engine together must do, as simply as it can be said: tasks that are lists of what happened to them. */
import { isTerminal } from "../../../src/task/states.js";
import type { Message, StreamResponse, Task } from "../../../src/versions/pivot.js";

export const TTL = 9_500;
export const LEASE = 2_500;
export const DETACHED = 5_500;

export interface ModelTask {
  task: Task;
  /** All events, from the first. */
  readonly events: StreamResponse[];
  /** Who works on it, an engine or `""` for anybody, until when; absent: nobody has to. */
  lease?: { holder: string; expires: number } | undefined;
  hooks: string[];
  deliveries: { hook: string; n: number; event: StreamResponse }[];
}

/** How an engine meets a task that it is to change. */
export type Met = "gone" | "ended" | "elsewhere" | "here";

export class Reference {
  readonly tasks = new Map<string, ModelTask>();
  now = Date.UTC(2030, 0, 1);
  /** A store that goes with its process has no leases: nobody ends what was left to anybody. */
  detached = DETACHED;

  create(task: Task, engine: string, hooks: string[]): void {
    const known = { task, events: [], hooks, deliveries: [], lease: this.#lease(engine) };
    this.tasks.set(task.id, known);
    this.apply(known, { task });
  }

  apply(known: ModelTask, event: StreamResponse): void {
    known.events.push(event);
    for (const hook of known.hooks) known.deliveries.push({ hook, n: known.events.length, event });
    const { status, artifacts = [] } = known.task;
    const { statusUpdate, artifactUpdate } = event;
    if (statusUpdate) {
      if (status.message) this.#remember(known, status.message);
      known.task = { ...known.task, status: statusUpdate.status };
    } else if (artifactUpdate) {
      const { artifact, append } = artifactUpdate;
      const old = artifacts.find(({ artifactId }) => artifactId === artifact.artifactId);
      const merged = old && append ? { ...old, parts: [...old.parts, ...artifact.parts] } : artifact;
      const next = old ? artifacts.map((one) => (one === old ? merged : one)) : [...artifacts, merged];
      known.task = { ...known.task, artifacts: next };
    }
    if (isTerminal(known.task.status.state)) known.lease = undefined;
  }

  receive(known: ModelTask, message: Message): void {
    const { message: said, ...status } = known.task.status;
    if (said) this.#remember(known, said);
    known.task = { ...known.task, status };
    this.#remember(known, message);
  }

  /** Nobody works on it any more, for now. */
  rest(known: ModelTask): void {
    const working = known.task.status.state === "TASK_STATE_WORKING";
    known.lease = working ? { holder: "", expires: this.now + this.detached } : undefined;
  }

  /** An engine comes to change a task, or, with `look`, to follow it; one that nobody works on fails first. */
  meet(id: string, engine: string, look = false): Met {
    const known = this.tasks.get(id);
    if (!known) return "gone";
    const { lease, task } = known;
    if (isTerminal(task.status.state)) return "ended";
    if (lease?.holder === engine) return "here";
    const over = !lease || lease.expires < this.now;
    if (lease && !over && lease.holder !== "") return "elsewhere";
    if (over && task.status.state === "TASK_STATE_WORKING") {
      this.apply(known, this.failure(known.task));
      return "ended";
    }
    if (!look) known.lease = this.#lease(engine);
    return "here";
  }

  /** An engine renews its leases, and takes over what nobody works on. */
  look(engine: string): void {
    for (const known of this.tasks.values()) {
      if (known.lease?.holder === engine && known.lease.expires > this.now) known.lease = this.#lease(engine);
      else if (known.lease && known.lease.expires < this.now) this.apply(known, this.failure(known.task));
    }
  }

  sweep(): void {
    for (const [id, { task }] of this.tasks) {
      const { state, timestamp = "" } = task.status;
      if (isTerminal(state) && Date.parse(timestamp) <= this.now - TTL) this.tasks.delete(id);
    }
  }

  /** How a task ends that nobody works on. */
  failure({ id: taskId, contextId = "" }: Task): StreamResponse {
    const status = { state: "TASK_STATE_FAILED" as const, timestamp: new Date(this.now).toISOString() };
    return { statusUpdate: { taskId, contextId, status } };
  }

  #lease = (holder: string): { holder: string; expires: number } => ({ holder, expires: this.now + LEASE });

  #remember(known: ModelTask, message: Message): void {
    known.task = { ...known.task, history: [...(known.task.history ?? []), message] };
  }
}
