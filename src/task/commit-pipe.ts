import { A2AError } from "../errors.js";
import { atTickEnd } from "./after-tick.js";
import type {
  CommitEntry,
  CommitResult,
  LetterAnswer,
  MaybePromise,
  Snapshot,
  StoredConfig,
  StoredMessage,
  TaskHead,
} from "../store/types.js";
import type { EntrySource } from "./committer.js";
import type { EventRecord } from "./event-record.js";
import type { LiveTask } from "./live-task.js";
import { FIRST_RETRY, persist } from "./persist.js";
import type { TaskHost } from "./task-host.js";
import { TaskWebhooks } from "./task-webhooks.js";
import type { TextRecord } from "./text-record.js";

/** Characters of events between two snapshots of a running task, at least. */
const SNAPSHOT_SIZE = 64 * 1024;
/** Times the characters of the last snapshot, for the next: whoever reads a long task reads so much more than its snapshot. */
const SNAPSHOT_TIMES = 4;
/** The same where the store keeps events at no cost: events, at least. */
const SNAPSHOT_EVENTS = 10_000;
/** Times the events that the last snapshot holds, for the next: in all, snapshots cost no more per event in a long task. */
const SNAPSHOT_GROWTH = 1.5;

/** Events that are not kept waiting for more: half of those that hold the producer back. */
const GATHERED = 128;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const unavailable = (why: string, cause: unknown): A2AError =>
  new A2AError("UNAVAILABLE", `The task cannot go on here: ${why}; get the task to see how it stands`, {
    cause,
  });

/**
 * Brings the changes of one task into the store, in order: one entry at a time, which holds all that came up while
 * the one before was on its way.
 */
export class CommitPipe implements EntrySource {
  /** Revision that the store has. */
  committed: number;
  /** Changes of the task that the store has. */
  committedVersion = 0;
  /** The entry on its way. */
  inFlight: Promise<void> | undefined;
  /** The next entry holds a snapshot, for what the agent keeps. */
  snapshotWanted = false;

  readonly #live: LiveTask;
  readonly #host: TaskHost;
  readonly #keepsEvents: boolean;
  #head = true;
  #messages: StoredMessage[] | undefined;
  #configs: readonly StoredConfig[] | undefined;
  #answers: LetterAnswer[] | undefined;
  #webhooks: TaskWebhooks | undefined;
  /** The entry on its way, and how many changes of the task it brings the store up to. */
  #entry: CommitEntry | undefined;
  #entryVersion = 0;
  #unsavedSize = 0;
  #savedSize = 0;
  #savedAt: number;
  #snapshotDue: Snapshot | undefined;
  /** It will be flushed at the end of the tick. */
  #soon = false;
  /** What was handed over last may wait. */
  #patient = false;
  /** Ends the waiting of an entry that might wait. */
  #hurry: (() => void) | undefined;

  constructor(live: LiveTask, host: TaskHost, committed: number, keepsEvents: boolean) {
    this.#live = live;
    this.#host = host;
    this.#keepsEvents = keepsEvents;
    this.committed = this.#savedAt = committed;
  }

  /** An event was logged. */
  event(record: EventRecord | TextRecord): void {
    this.#unsavedSize += record.size;
    if (record.state !== undefined) this.#head = true;
    this.#webhooks?.event(record, this.#live);
  }

  /** The task came to rest: this is all that stays of it. */
  atRest(snapshot: Snapshot): void {
    this.#snapshotDue = snapshot;
  }

  message(message: StoredMessage): void {
    (this.#messages ??= []).push(message);
  }

  /** The next commit answers a letter. */
  answer(answer: LetterAnswer): void {
    (this.#answers ??= []).push(answer);
  }

  /** Webhooks to register with the next commit; they get what is logged from now on. */
  configs(configs: readonly StoredConfig[]): void {
    this.#configs = this.#configs === undefined ? configs : [...this.#configs, ...configs];
    for (const config of configs) this.addWebhook(config);
  }

  addWebhook(config: StoredConfig): void {
    (this.#webhooks ??= new TaskWebhooks(this.#host)).add(config);
  }

  removeWebhook(id: string): void {
    this.#webhooks?.remove(id);
  }

  /** Looks up the webhooks of a stored task. Commits wait for it: an event goes with its deliveries. */
  findWebhooks(look: () => MaybePromise<readonly StoredConfig[]>): void {
    let found: MaybePromise<readonly StoredConfig[]>;
    try {
      found = look();
    } catch (error) {
      found = Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    // A task that was live before may have others by now.
    this.#webhooks = undefined;
    if (!(found instanceof Promise)) {
      for (const config of found) this.addWebhook(config);
      return;
    }
    const webhooks = (this.#webhooks = new TaskWebhooks(this.#host));
    webhooks.loading = true;
    void this.#awaitWebhooks(webhooks, found, look);
  }

  async #awaitWebhooks(
    webhooks: TaskWebhooks,
    first: Promise<readonly StoredConfig[]>,
    look: () => MaybePromise<readonly StoredConfig[]>,
  ): Promise<void> {
    const live = this.#live;
    try {
      webhooks.loaded(
        await persist(this.#host, {
          what: `task ${live.id}: webhooks could not be looked up`,
          first,
          again: look,
          lost: () => live.lost,
        }),
      );
      if (this.committedVersion < live.version) this.flush();
    } catch (error) {
      live.lose(unavailable("the task store failed", error));
    }
  }

  /** Commits what has come up, unless an entry is on its way: then it goes with the next one. */
  flush(): void {
    this.#hurry?.();
    this.#hand(false);
  }

  /** `patient`: it is nothing but texts, so it may wait for more. */
  #hand(patient: boolean): void {
    if (this.inFlight !== undefined || this.#live.lost !== undefined) return;
    if (this.#webhooks?.loading === true) return;
    this.#patient = patient;
    let result: CommitResult | Promise<CommitResult>;
    try {
      result = this.#host.commit(this);
    } catch (error) {
      this.#host.report(`task ${this.#live.id}: commit failed`, error);
      result = this.#host.pause(FIRST_RETRY).then(() => this.#host.commit(this));
    }
    if (result instanceof Promise) this.inFlight = this.#settle(result);
    else this.#done(result);
  }

  /** Commits what has come up by the end of the tick, or, where the committer lets it wait for more, somewhat later. */
  flushSoon(): void {
    if (this.#hurry !== undefined && this.#live.revision - this.committed >= GATHERED) this.#hurry();
    if (this.#soon || this.inFlight !== undefined) return;
    this.#soon = true;
    atTickEnd(() => {
      this.#soon = false;
      if (this.committedVersion === this.#live.version) return;
      // Who made the task waits for the first commit.
      this.#hand(this.committed > 0);
      // Whoever looked whether it is at rest found that it was not.
      if (this.inFlight === undefined) this.#live.retireIfIdle();
    });
  }

  waits(hurry: () => void): boolean {
    if (this.#patient) this.#hurry = hurry;
    return this.#patient;
  }

  /** The entry to commit, built when its turn comes; what is tried again is the same entry. */
  entry(): CommitEntry {
    this.#hurry = undefined;
    if (this.#entry === undefined) {
      this.#entryVersion = this.#live.version;
      this.#entry = this.#build();
    }
    return this.#entry;
  }

  async #settle(first: Promise<CommitResult>): Promise<void> {
    let result: CommitResult;
    try {
      result = await persist(this.#host, {
        what: `task ${this.#live.id}: commit failed`,
        first,
        again: () => this.#host.commit(this),
        lost: () => this.#live.lost,
      });
    } catch (error) {
      this.inFlight = undefined;
      this.#live.lose(unavailable("the task store failed", error));
      return;
    }
    this.inFlight = undefined;
    this.#done(result);
    this.#live.retireIfIdle();
  }

  #done(result: CommitResult): void {
    const entry = this.#entry;
    this.#entry = undefined;
    if (result !== "ok") {
      this.#host.report(`task ${this.#live.id}: commit refused`, result);
      this.#live.lose(unavailable("another process took the task over", result));
      return;
    }
    this.committed = entry?.events.at(-1)?.n ?? Math.max(this.committed, entry?.snapshot?.at ?? 0);
    this.committedVersion = this.#entryVersion;
    if (entry !== undefined) this.#host.committed?.(entry);
    this.#live.onCommitted();
    if (entry?.outbox !== undefined) this.#host.outboxWritten();
    if (this.committedVersion < this.#live.version) this.flush();
  }

  #build(): CommitEntry {
    const live = this.#live;
    const expect = this.committed;
    // What nobody has seen nobody can ask to replay.
    const { ownership } = this.#host;
    // In a store that others read from, that is sure only of what it has not got yet.
    const unseen = live.terminal && !live.observed && (ownership === undefined || expect === 0);
    const entry: Mutable<CommitEntry> = {
      scope: live.scope,
      taskId: live.id,
      fence: live.fence,
      expect,
      events: unseen && expect === 0 ? [] : live.log.since(expect),
    };
    if (ownership !== undefined) Object.assign(entry, ownership.claim(live, expect === 0));
    if (this.#head) entry.head = headOf(live);
    if (this.#messages !== undefined) entry.messages = this.#messages;
    const snapshot = this.#snapshot(expect === 0);
    if (snapshot !== undefined) entry.snapshot = snapshot;
    if (unseen) entry.dropEvents = true;
    if (this.#configs !== undefined) entry.configs = this.#configs;
    if (this.#answers !== undefined) entry.answers = this.#answers;
    const outbox = this.#webhooks?.take();
    if (outbox !== undefined) entry.outbox = outbox;
    this.#head = false;
    this.#messages = this.#configs = this.#answers = undefined;
    return entry;
  }

  #snapshot(birth: boolean): Snapshot | undefined {
    const live = this.#live;
    const snapshot = this.snapshotWanted
      ? live.snapshot()
      : (this.#snapshotDue ?? (birth ? live.birth : this.#due() ? live.snapshot() : undefined));
    if (snapshot === undefined || snapshot === live.birth) return snapshot;
    this.#snapshotDue = undefined;
    this.snapshotWanted = false;
    this.#unsavedSize = 0;
    this.#savedSize = snapshot.text.length;
    this.#savedAt = snapshot.at;
    return snapshot;
  }

  #due(): boolean {
    return this.#keepsEvents
      ? this.#live.revision - this.#savedAt >= Math.max(SNAPSHOT_EVENTS, SNAPSHOT_GROWTH * this.#savedAt)
      : this.#unsavedSize > Math.max(SNAPSHOT_SIZE, SNAPSHOT_TIMES * this.#savedSize);
  }
}

function headOf({ task, contextId, terminal }: LiveTask): TaskHead {
  const { state, timestamp = "" } = task.status;
  return { contextId, state, timestamp, terminal };
}
