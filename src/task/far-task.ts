import type { MaybePromise, Scope, StoredEvent, StoredTask, TaskStore } from "../store/types.js";
import type { TaskState } from "../versions/pivot.js";
import { EventLog } from "./event-log.js";
import type { FollowedEvent } from "./followed-event.js";
import type { FollowedTask } from "./followed-task.js";
import { taskGone } from "./task-gone.js";
import { isAtRest, isTerminal } from "./states.js";
import { StoredRecord } from "./stored-record.js";
import { trimLog } from "./trim-log.js";
import type { Watcher } from "./watcher.js";

/** Characters of events that are read at a time. */
const READ = 256 * 1024;

/** What a far task needs around it. */
export interface FarTaskHost {
  readonly store: Pick<TaskStore, "read">;
  replay(task: FollowedTask, after: number, size: number): MaybePromise<readonly FollowedEvent[] | undefined>;
  /** Nobody watches it any more, or nothing more will come. */
  forget(task: FarTask): void;
  report(message: string, details: unknown): void;
}

/**
 * A task that goes on elsewhere, or may: followed by what the store has, read as soon as there are news of it. All who
 * follow it in this process share it.
 */
export class FarTask implements FollowedTask {
  readonly scope: Scope;
  readonly id: string;
  readonly log: EventLog;
  committed: number;
  terminal = false;
  /** Revision at which it last came to rest, or later; 0 where that is not known. */
  rest = 0;
  lost: Error | undefined;
  observed = true;
  readonly settled = true;
  readonly version = 0;
  readonly committedVersion = 0;
  readonly #host: FarTaskHost;
  readonly #watchers = new Set<Watcher>();
  #looking: Promise<void> | undefined;
  #again = false;
  #failing = false;

  /** `revision`: what is known of it, which those who follow it have seen. */
  constructor(host: FarTaskHost, scope: Scope, id: string, revision: number) {
    this.#host = host;
    this.scope = scope;
    this.id = id;
    this.committed = revision;
    this.log = new EventLog(revision);
  }

  get watched(): boolean {
    return this.#watchers.size > 0;
  }

  watch(watcher: Watcher): void {
    this.#watchers.add(watcher);
  }

  /** Keeps it, for somebody who will watch it later, until the result is called. */
  hold(): () => void {
    const watcher: Watcher = { notify: () => undefined };
    this.watch(watcher);
    return () => {
      this.unwatch(watcher);
    };
  }

  unwatch(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher)) return;
    if (this.#watchers.size === 0) this.#host.forget(this);
    else if (this.log.long) trimLog(this, this.#watchers);
  }

  replay(after: number, size: number): MaybePromise<readonly FollowedEvent[] | undefined> {
    return this.#host.replay(this, after, size);
  }

  tick(now: number): void {
    for (const watcher of this.#watchers) watcher.tick?.(now);
    trimLog(this, this.#watchers);
  }

  notify(): void {
    for (const watcher of this.#watchers) watcher.notify();
  }

  /** The task as it was read a moment ago, without events. */
  standsAt({ head, revision }: Pick<StoredTask, "head" | "revision">): void {
    if (revision >= this.committed) this.#reached(head.state as TaskState, revision);
  }

  /** There are news: the store has it at `revision` now, after these events where they were told. */
  heard(revision: number, events: readonly (StoredEvent | FollowedEvent)[] | undefined): void {
    if (revision <= this.committed) return;
    const first = events?.[0]?.n;
    if (events === undefined || first === undefined || first > this.committed + 1) void this.look();
    else {
      if (this.#push(events)) this.notify();
      if (this.committed < revision) void this.look();
    }
  }

  /** Reads what is new in the store; one read at a time. Never rejects: what fails is tried again with the next look. */
  look(): Promise<void> {
    if (this.#looking === undefined) this.#looking = this.#look();
    else this.#again = true;
    return this.#looking;
  }

  /** Nothing more will come here. */
  lose(reason: Error): void {
    if (this.lost !== undefined) return;
    this.lost = reason;
    this.#host.forget(this);
    this.notify();
  }

  async #look(): Promise<void> {
    try {
      do {
        this.#again = false;
        const wanted = { after: this.committed, size: READ, bare: true };
        const stored = await this.#host.store.read(this.scope, this.id, wanted);
        this.#failing = false;
        this.#read(stored);
      } while (this.#more());
    } catch (error) {
      if (!this.#failing)
        this.#host.report(`task ${this.id}: what another instance does cannot be read`, error);
      this.#failing = true;
    } finally {
      this.#looking = undefined;
    }
  }

  #more(): boolean {
    return this.#again && this.lost === undefined;
  }

  #read(stored: StoredTask | undefined): void {
    if (stored === undefined) {
      this.lose(taskGone(this.id));
      return;
    }
    const { committed: before, rest } = this;
    const { revision, head } = stored;
    if (revision > before && !this.#push(stored.events)) {
      // Its events are kept no longer: whoever wants them ends, and begins anew with the task as it is.
      this.log.skipTo(revision);
      this.committed = revision;
    }
    if (this.committed >= revision) this.#reached(head.state as TaskState, revision);
    else this.#again = true;
    if (this.committed > before || this.rest > rest || this.terminal) this.notify();
  }

  /** Takes the events that follow on what is known; false where there are none. */
  #push(events: readonly (StoredEvent | FollowedEvent)[]): boolean {
    let any = false;
    for (const event of events) {
      if (event.n !== this.committed + 1) continue;
      const record = isFollowed(event) ? event : new StoredRecord(event);
      this.log.push(record);
      this.committed = event.n;
      any = true;
      if (record.state !== undefined) this.#reached(record.state, event.n);
    }
    if (any && this.log.full) trimLog(this, this.#watchers);
    return any;
  }

  #reached(state: TaskState, revision: number): void {
    // A read may be overtaken by news.
    if (isAtRest(state)) this.rest = Math.max(this.rest, revision);
    if (isTerminal(state)) this.terminal = true;
  }
}

const isFollowed = (event: StoredEvent | FollowedEvent): event is FollowedEvent => "size" in event;
