import type { AgentSide } from "./agent-side.js";
import type { LetterAnswer, Lease, MaybePromise, Scope, Snapshot, StoredConfig } from "../store/types.js";
import type { Message, StreamResponse, Task, TaskState } from "../versions/pivot.js";
import { afterTick } from "./after-tick.js";
import { CommitPipe } from "./commit-pipe.js";
import { encodeTask, type TaskText } from "./encode-task.js";
import { EventLog } from "./event-log.js";
import { EventRecord } from "./event-record.js";
import type { FollowedEvent } from "./followed-event.js";
import type { FollowedTask } from "./followed-task.js";
import { KeptSnapshot } from "../store/kept-snapshot.js";
import { LazyMessage, LazySnapshot } from "./lazy-snapshot.js";
import { refusal } from "./refusal.js";
import { isAtRest, isInterrupted, isTerminal } from "./states.js";
import type { TaskFold } from "./task-fold.js";
import type { TaskHost } from "./task-host.js";
import type { TextFrame } from "./text-frame.js";
import { TextRecord } from "./text-record.js";
import { trimLog } from "./trim-log.js";
import type { Watcher } from "./watcher.js";

/** Events that may wait for the store, or be made in one go, before `ready` holds the producer back. */
const WINDOW = 256;

/** What a live task begins with. */
export interface LiveTaskStart {
  readonly scope: Scope;
  readonly contextId: string;
  /** 0 for a new task. */
  readonly revision: number;
  readonly received: number;
  /** The task as a fold of what is stored, or the new task. */
  readonly fold: TaskFold;
  /** JSON that the agent kept at the last turn. */
  readonly agent?: string | undefined;
}

/**
 * The one writer of a task in this process. Changes are applied at once and in order, committed in the background,
 * and shown to watchers after their commit.
 */
export class LiveTask implements FollowedTask {
  readonly scope: Scope;
  readonly id: string;
  readonly contextId: string;
  /** Revision of the last event that was applied. */
  revision: number;
  /** Changes so far: events and received messages. */
  version = 0;
  /** Messages received. */
  received: number;
  /** JSON that the agent kept at the last turn. */
  readonly agent: string | undefined;
  /** Nobody works on it although it is at work: somebody outside goes on with it, here or elsewhere. */
  unattended = false;
  /** The lease that this instance has of it. */
  lease: Lease | undefined;
  /** How many tasks this instance had taken when it took this one. */
  taken = 0;
  /** The fencing token of what is written. */
  fence = 0;
  /** Why this process may write no more: another writer, a failing store, the end of the server. */
  lost: Error | undefined;
  /** Someone listens to its events, or did. */
  observed = false;
  /** What works on it here. */
  session: AgentSide | undefined;
  /** What keeps it in memory although nobody watches: runs, and work outside of one. */
  holds = 0;
  /** Time of the last change, ms since the epoch. */
  touched: number;
  /** Revision at which it last came to rest, committed or not; 0 where it has not. */
  restAt: number;
  /** For the table of the tasks that live here. */
  nextById: LiveTask | undefined;

  readonly #host: TaskHost;
  readonly #fold: TaskFold;
  readonly #pipe: CommitPipe;
  /** Its newest events; opened when somebody needs one, for many tasks end before that. */
  #log: EventLog<EventRecord | TextRecord> | undefined;
  /** The new task, until the log has its first event. */
  #first: Task | undefined;
  #birth: LazySnapshot | undefined;
  /** The only watcher; where there are more, they are all in the set. Most tasks have one at most. */
  #watcher: Watcher | undefined;
  #watchers: Set<Watcher> | undefined;
  #leaving = false;

  #rest: Snapshot | undefined;
  #text: TaskText | undefined;
  #sinceTick = 0;
  #ready: Promise<void> | undefined;

  constructor(host: TaskHost, start: LiveTaskStart, keepsEvents: boolean) {
    this.#host = host;
    this.#fold = start.fold;
    this.scope = start.scope;
    this.id = start.fold.task.id;
    this.contextId = start.contextId;
    this.revision = start.revision;
    this.received = start.received;
    this.touched = host.now();
    this.agent = start.agent;
    this.restAt = start.revision > 0 && isAtRest(this.state) ? start.revision : 0;
    this.#pipe = new CommitPipe(this, host, start.revision, keepsEvents);
  }

  /** Its newest events. */
  get log(): EventLog<EventRecord | TextRecord> {
    return this.#log ?? this.#openLog();
  }

  /** Snapshot of a new task. */
  get birth(): LazySnapshot | undefined {
    if (this.#first !== undefined) this.#openLog();
    return this.#birth;
  }

  /** The task as it is, uncommitted changes included. It goes on changing: read it, do not keep it. */
  get task(): Task {
    return this.#fold.task;
  }

  get state(): TaskState {
    return this.#fold.task.status.state;
  }

  get terminal(): boolean {
    return isTerminal(this.state);
  }

  get interrupted(): boolean {
    return isInterrupted(this.state);
  }

  /** Revision that the store has: what others may see. */
  get committed(): number {
    return this.#pipe.committed;
  }

  /** Changes that the store has. */
  get committedVersion(): number {
    return this.#pipe.committedVersion;
  }

  /** Everything that was applied is in the store. */
  get settled(): boolean {
    return this.version === this.#pipe.committedVersion;
  }

  /** The task as it last came to rest, once that is committed: what blocking calls answer with. */
  get rest(): Snapshot | undefined {
    // One that came back from the store rests as it was found.
    if (this.#rest === undefined && this.restAt === this.revision) this.#rest = this.snapshot();
    return this.#rest !== undefined && this.#rest.at <= this.committed ? this.#rest : undefined;
  }

  get watched(): boolean {
    return this.#watcher !== undefined || (this.#watchers !== undefined && this.#watchers.size > 0);
  }

  /** Why an event may not be applied now. */
  refuses(event: StreamResponse): string | undefined {
    return this.lost === undefined ? refusal(this.#fold.task, event) : this.lost.message;
  }

  /** The first event: the task itself. Whoever begins it sees to its commit, with `flush`. */
  begin(task: Task, configs: readonly StoredConfig[] = []): void {
    this.#first = task;
    this.revision = 1;
    this.version += 1;
    if (configs.length === 0) return;
    this.#pipe.configs(configs);
    this.#openLog();
  }

  /** Somebody is about to listen: its events are kept from the first one on. */
  expectListener(): void {
    this.observed = true;
    if (this.#first !== undefined) this.#openLog();
  }

  /** Applies events that were asked about with `refuses`, and commits them together. */
  emit(events: readonly StreamResponse[]): void {
    const last = events.at(-1)?.statusUpdate;
    if (this.#first !== undefined && last !== undefined && isTerminal(last.status.state)) this.#end(events);
    else for (const event of events) this.#apply(event);
    this.#changed();
  }

  /** As `emit` for the event that adds a text to an artifact. It is committed with what else comes up in this tick. */
  append(text: string, frame: TextFrame): void {
    const { log } = this;
    this.#text = undefined;
    this.#fold.append(frame.artifactId, text);
    this.#record(log, new TextRecord(this.revision + 1, text, frame));
    this.version += 1;
    this.touched = this.#host.now();
    this.#pipe.flushSoon();
  }

  /** Commits now what waits for the end of the tick. */
  flush(): void {
    if (!this.settled) this.#pipe.flush();
  }

  /**
   * Adds a received message to the history, then the events that follow from it, in one commit; with the answer to the letter
   * that brought it, if one did.
   */
  receive(
    message: Message,
    events: readonly StreamResponse[],
    configs: readonly StoredConfig[],
    answer?: () => LetterAnswer,
  ): void {
    if (this.#first !== undefined) this.#openLog();
    this.received += 1;
    this.#pipe.message(new LazyMessage(this.received, this.revision, message));
    if (configs.length > 0) this.#pipe.configs(configs);
    this.#text = undefined;
    this.#fold.receive(message);
    for (const event of events) {
      this.#apply(event);
    }
    if (answer !== undefined) this.#pipe.answer(answer());
    this.#changed();
  }

  /** The next commit holds what the agent keeps now. */
  keepAgent(): void {
    this.#pipe.snapshotWanted = true;
  }

  /** Commits what the agent keeps now, although nothing happened. */
  commitAgent(): void {
    this.keepAgent();
    this.#changed();
  }

  /** Looks up the webhooks of a task that was stored; they get what is logged from now on. */
  findWebhooks(look: () => MaybePromise<readonly StoredConfig[]>): void {
    this.#pipe.findWebhooks(look);
  }

  /** A webhook was registered: it gets what is logged from now on. */
  addWebhook(config: StoredConfig): void {
    if (this.#first !== undefined) this.#openLog();
    this.#pipe.addWebhook(config);
  }

  /** A webhook is gone: nothing more goes to it. */
  removeWebhook(id: string): void {
    this.#pipe.removeWebhook(id);
  }

  /** Pending while too many events wait for the store, or too many were made without letting others run. */
  ready(): Promise<void> | undefined {
    if (this.#sinceTick < WINDOW && this.revision - this.committed < WINDOW) return undefined;
    this.#ready ??= new Promise((resolve) => {
      afterTick(() => {
        this.#sinceTick = 0;
        void Promise.resolve(this.#pipe.inFlight).then(() => {
          this.#ready = undefined;
          resolve();
        });
      });
    });
    return this.#ready;
  }

  /** Text of the task as it is; made once per change. */
  text(): TaskText {
    this.#text ??= encodeTask(this.#fold.task);
    return this.#text;
  }

  /** All of the task, for the store. */
  snapshot(): Snapshot {
    const agent = this.terminal ? undefined : this.#agentText();
    return new KeptSnapshot(this.revision, this.received, this.text(), agent);
  }

  watch(watcher: Watcher): void {
    if (this.#watchers !== undefined) this.#watchers.add(watcher);
    else if (this.#watcher === undefined) this.#watcher = watcher;
    else if (this.#watcher !== watcher) {
      this.#watchers = new Set([this.#watcher, watcher]);
      this.#watcher = undefined;
    }
  }

  unwatch(watcher: Watcher): void {
    if (this.#watcher === watcher) this.#watcher = undefined;
    else if (this.#watchers?.delete(watcher) !== true) return;
    if (this.#log?.long === true) trimLog(this, this.#all);
    this.retireIfIdle();
  }

  /** Events that only the store has. */
  replay(after: number, size: number): MaybePromise<readonly FollowedEvent[] | undefined> {
    return this.#host.replay(this, after, size);
  }

  /** Lets the process forget a task that nobody runs or watches; the store has all of it. */
  retireIfIdle(): void {
    if (this.holds > 0 || !this.settled || this.#leaving) return;
    const { ownership } = this.#host;
    if (ownership !== undefined) {
      ownership.idle(this);
      // Any instance may go on with it from here: who listens must not depend on its being this one.
      if (this.watched && !this.terminal && this.lost === undefined) this.#letWatchersLeave();
    }
    if (!this.watched) this.#host.retire(this);
  }

  /** Nothing more is written here; who waits is told. */
  lose(reason: Error): void {
    if (this.lost !== undefined) return;
    this.lost = reason;
    this.#host.retire(this);
    this.#host.lost(this, reason);
    this.#notify();
  }

  /** For the pipe: the store has everything up to `committed`. */
  onCommitted(): void {
    if (this.#log?.full === true) trimLog(this, this.#all);
    if (this.terminal && this.settled) this.#host.retire(this);
    this.#notify();
  }

  /** Lets stalled watchers go, and events that nobody here needs. */
  tick(now: number): void {
    for (const watcher of this.#all) watcher.tick?.(now);
    if (this.#log !== undefined) trimLog(this, this.#all);
  }

  /** All watchers, as they are whenever it is asked. */
  get #all(): Iterable<Watcher> {
    const now = (): Iterable<Watcher> =>
      this.#watchers ?? (this.#watcher === undefined ? [] : [this.#watcher]);
    return { [Symbol.iterator]: () => now()[Symbol.iterator]() };
  }

  /** JSON of what the agent keeps with the task. */
  #agentText(): string | undefined {
    return this.session === undefined ? this.agent : this.session.kept;
  }

  #apply(event: StreamResponse): void {
    // Before the task changes: its first event is the task as it was.
    const { log } = this;
    this.#text = undefined;
    this.#fold.apply(event);
    const record = new EventRecord(this.revision + 1, event);
    this.#record(log, record);
    if (record.state !== undefined && isAtRest(record.state)) this.#atRest();
  }

  /** A task that ends before anybody has had an event of it needs none: all that stays is the task. */
  #end(events: readonly StreamResponse[]): void {
    this.#first = this.#text = undefined;
    for (const event of events) this.#fold.apply(event);
    this.revision += events.length;
    this.#atRest();
  }

  #atRest(): void {
    this.restAt = this.revision;
    this.#rest = this.snapshot();
    this.#pipe.atRest(this.#rest);
  }

  #openLog(): EventLog<EventRecord | TextRecord> {
    const task = this.#first;
    const log = (this.#log = new EventLog(task === undefined ? this.revision : 0));
    if (task !== undefined) {
      this.#first = undefined;
      this.#birth = new LazySnapshot(task, this.agent);
      this.#record(log, new EventRecord(1, { task }));
    }
    return log;
  }

  #record(log: EventLog<EventRecord | TextRecord>, record: EventRecord | TextRecord): void {
    this.revision = record.n;
    this.#sinceTick += 1;
    log.push(record);
    this.#pipe.event(record);
  }

  #changed(): void {
    this.version += 1;
    this.touched = this.#host.now();
    this.#pipe.flush();
  }

  #letWatchersLeave(): void {
    this.#leaving = true;
    for (const watcher of [...this.#all]) watcher.leave?.();
    this.#leaving = false;
  }

  #notify(): void {
    const only = this.#watcher;
    only?.notify();
    if (this.#watchers === undefined) return;
    // It may have brought others.
    for (const watcher of this.#watchers) if (watcher !== only) watcher.notify();
  }
}
