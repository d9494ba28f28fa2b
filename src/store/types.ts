/**
 * The task store contract. A task is a snapshot plus numbered events; the engine folds, the store keeps.
 * Every call names a scope: what is not in it does not exist.
 */

/** Whose tasks: both `""` without auth. */
export interface Scope {
  readonly tenant: string;
  readonly owner: string;
}

/**
 * One StreamResponse of a task, encoded in the pivot version. `n` is the revision after it; the first event is 1.
 * `text` may be a getter that encodes on first use: a store that keeps the object need not read it.
 */
export interface StoredEvent {
  readonly n: number;
  readonly text: string;
  /** Where events differ in one place only: what is around it, one object for all of them. A store may write it once. */
  readonly frame?: EventFrame;
  /** What stands there: `text` is `frame.head + part + frame.tail`. It is there if `frame` is. */
  readonly part?: string;
}

/** What events have in common. */
export interface EventFrame {
  readonly head: string;
  readonly tail: string;
}

/** A received message; it follows revision `after` in the order of the history. `k` counts them from 1. */
export interface StoredMessage {
  readonly k: number;
  readonly after: number;
  readonly text: string;
}

/** What listing and lookups filter by, kept current by every commit. */
export interface TaskHead {
  readonly contextId: string;
  /** Name of the pivot's task state. */
  readonly state: string;
  /** RFC 3339 UTC time of the current status, milliseconds and `Z`, so that text order is time order. */
  readonly timestamp: string;
  /** Nothing leaves a terminal state; its TTL runs from the status time. */
  readonly terminal: boolean;
}

/** Where the optional members lie in the text of a snapshot, so that replies can leave them out without parsing. */
export interface SnapshotLayout {
  /** Offset of `,"history":[…]`; the same as `artifacts` where there is no history. */
  readonly history: number;
  /** Offset of `,"artifacts":[…]`; the last character of the text where there are none. */
  readonly artifacts: number;
  /** Number of messages in the history. */
  readonly messages: number;
}

/** A folded task: everything up to revision `at` and received message `received`. */
export interface Snapshot {
  readonly at: number;
  readonly received: number;
  /** The whole Task as JSON in the pivot version: history and artifacts included, in this order and last. */
  readonly text: string;
  /** A store may keep it with the text or drop it. */
  readonly layout?: SnapshotLayout;
  /** JSON of what the agent keeps with the task (`ctx.state`, `turn`); never sent to clients. */
  readonly agent?: string;
}

/** Who runs a task, until when (ms since the epoch), and the fencing token of that ownership. */
export interface Lease {
  /** The instance that works on it; `""`: nobody does, whoever likes may take it, and `expires` is when it is given up. */
  readonly holder: string;
  readonly expires: number;
  readonly fence: number;
}

/** One webhook delivery, written in the commit of its event. */
export interface NewDelivery {
  readonly configId: string;
  readonly n: number;
  readonly text: string;
}

/** A delivery as claimed. */
export interface Delivery extends NewDelivery {
  readonly scope: Scope;
  readonly taskId: string;
  /** Tries so far that were put off with `retryAt`. */
  readonly attempts: number;
  /** Who claimed it. */
  readonly holder: string;
}

/** A webhook registration; `text` is the TaskPushNotificationConfig in the pivot version. */
export interface StoredConfig {
  readonly id: string;
  readonly text: string;
  /** Protocol version (`Major.Minor`) that registered it: its deliveries use it. */
  readonly version: string;
  /** Too much was given up: nothing is delivered until it is registered anew. */
  readonly disabled?: boolean;
}

/** What another instance asks of the owner of a task: a message, a cancel, a look at the webhooks. */
export interface Letter {
  /** Unique; chosen by the sender. */
  readonly id: string;
  readonly scope: Scope;
  readonly taskId: string;
  /** JSON that the engine reads. */
  readonly text: string;
}

/** The answer to a letter, by the letter's id. */
export interface LetterAnswer {
  readonly id: string;
  readonly text: string;
}

/** One task's part of a commit. The task's revision after it is the last event's `n`, or `snapshot.at` where that is more. */
export interface CommitEntry {
  readonly scope: Scope;
  readonly taskId: string;
  /** The revision it builds on; 0 creates the task. Absent: any, for entries with neither events nor snapshot. */
  readonly expect?: number;
  /** Fencing token of the writer's lease; a smaller one than the store has seen is `fenced`. 0 without leases. */
  readonly fence: number;
  /** Absent: as it was. */
  readonly head?: TaskHead;
  /** `n` runs on from `expect` without gap. Empty where a task was created and finished in one commit. */
  readonly events: readonly StoredEvent[];
  /** `k` runs on from the last stored message, else `conflict`. */
  readonly messages?: readonly StoredMessage[];
  readonly snapshot?: Snapshot;
  /** Nobody has seen an event of the task: none, of this entry or earlier, need be kept for replay. Needs `snapshot`. */
  readonly dropEvents?: true;
  /** Webhooks registered with the commit; one with a known id replaces it. */
  readonly configs?: readonly StoredConfig[];
  readonly outbox?: readonly NewDelivery[];
  /**
   * Takes or renews the lease with the commit; `null` releases it. Its fence is that of the entry. `fenced` where another
   * holder has a lease with this fence or a greater one, unless the entry leaves the task to nobody (holder `""`).
   */
  readonly lease?: Lease | null;
  /** Answers to letters, by id: written with what the letters led to, so that no letter is followed twice. */
  readonly answers?: readonly LetterAnswer[];
}

/**
 * `conflict`: the stored revision is not `expect`, a message number is taken, or the task is terminal (nothing but
 * a lease is written to one) or gone. `fenced`: another owner took over. Nothing of the entry was written then.
 */
export type CommitResult = "ok" | "conflict" | "fenced";

/** A task as stored: fold `events` and `messages` over `snapshot`. */
export interface StoredTask {
  readonly taskId: string;
  readonly head: TaskHead;
  /** Current revision. */
  readonly revision: number;
  readonly snapshot: Snapshot;
  /** Events after `snapshot.at`, or after `after` where asked and still kept; `[]` for a task at rest. */
  readonly events: readonly StoredEvent[];
  /** Received messages after `snapshot.received`. */
  readonly messages: readonly StoredMessage[];
  readonly lease?: Lease;
  /** The greatest fencing token so far; 0 where nobody ever held a lease. */
  readonly fence: number;
  /** The smallest `after` that `read` can still replay from; equals `revision` when no events are kept. */
  readonly replayFrom: number;
}

/** Filters of a listing; they apply together. */
export interface ListQuery {
  readonly contextId?: string;
  readonly state?: string;
  /** Inclusive; RFC 3339 UTC with any number of fractional digits. */
  readonly statusTimestampAfter?: string;
  /** 1–100. */
  readonly pageSize: number;
  /** From an earlier `nextPageToken`; a foreign one throws `INVALID_PARAMS`. */
  readonly pageToken?: string;
}

/** A page of a listing. */
export interface ListPage {
  /** Newest status first, ties by descending id. */
  readonly tasks: readonly StoredTask[];
  /** `""` on the last page. */
  readonly nextPageToken: string;
  /** All that match, before paging. */
  readonly totalSize: number;
}

/** What may answer at once or later: stores in memory need no promise. */
export type MaybePromise<T> = T | Promise<T>;

/** What the engine may do differently for a store. */
export interface StoreHints {
  /** One commit of many entries is much cheaper than many commits: entries of a tick are collected, across tasks. */
  readonly group?: true;
  /** The events of a live task cost nothing to keep: no snapshots are needed while it runs. */
  readonly keepsEvents?: true;
  /**
   * What it holds outlives the process, and others may write to it unless it is `alone`: tasks have leases, and tasks
   * whose handlers a shutdown cuts stay WORKING, to be recovered.
   */
  readonly durable?: true;
  /** No other process can write to it: nobody needs to look whether another did. */
  readonly alone?: true;
}

/** What every store implements. A store may answer synchronously; the engine awaits only promises. */
export interface TaskStore {
  readonly hints?: StoreHints;
  /** The only write of tasks. All of an entry or nothing; the entries of a batch are independent. */
  commit(batch: readonly CommitEntry[]): MaybePromise<CommitResult[]>;
  /**
   * `after`: also return kept events with `n > after`, even when a newer snapshot holds them. `size`: so many characters of
   * them are enough for now, so a store may leave out later ones, but not the first. `bare`: what to fold them over is not
   * wanted, so a store may leave out messages, `agent` and the text of the snapshot (`""`) where it replays from `after`.
   */
  read(
    scope: Scope,
    taskId: string,
    options?: { after?: number; size?: number; bare?: boolean },
  ): MaybePromise<StoredTask | undefined>;
  list(scope: Scope, query: ListQuery): MaybePromise<ListPage>;
  /** Removes a task with its events, configs and deliveries. */
  delete(scope: Scope, taskId: string): MaybePromise<boolean>;
  /** Drops expired events and finished tasks past their TTL; at most `limit` tasks. Returns how many tasks went. */
  sweep(now: number, limit: number): MaybePromise<number>;
  readonly configs: {
    /** Registers, or replaces one with the same id in its place; false where the task is gone. */
    put(scope: Scope, taskId: string, config: StoredConfig): MaybePromise<boolean>;
    get(scope: Scope, taskId: string, id: string): MaybePromise<StoredConfig | undefined>;
    /** In order of creation. A foreign `pageToken` throws `INVALID_PARAMS`. */
    list(
      scope: Scope,
      taskId: string,
      page: { pageSize: number; pageToken?: string },
    ): MaybePromise<{ configs: readonly StoredConfig[]; nextPageToken: string }>;
    /** Drops its deliveries too. */
    delete(scope: Scope, taskId: string, id: string): MaybePromise<boolean>;
  };
  readonly outbox: {
    /**
     * Deliveries that are due, the oldest of each config only; invisible to others until `now + ttl`. None waits for ever
     * because there is always more than `limit`.
     */
    claim(holder: string, now: number, ttl: number, limit: number): MaybePromise<readonly Delivery[]>;
    /** Delivered or given up: removes it. With `retryAt`: keeps it until then, if the claim is still the holder's. */
    ack(delivery: Delivery, options?: { retryAt?: number }): MaybePromise<void>;
  };
  readonly lease: {
    /** Takes a free or expired lease of a live task; the fence grows with every take. Undefined where another holds it. */
    acquire(
      scope: Scope,
      taskId: string,
      holder: string,
      now: number,
      ttl: number,
    ): MaybePromise<Lease | undefined>;
    /**
     * Sets the end of leases; one in the past lets go of them. False where a lease is no longer this one (same holder and
     * fence), or the task has ended.
     */
    renew(
      leases: readonly { readonly scope: Scope; readonly taskId: string; readonly lease: Lease }[],
      expires: number,
    ): MaybePromise<readonly boolean[]>;
    /** Live tasks whose lease ended before `now`, the longest ago first. */
    expired(now: number, limit: number): MaybePromise<readonly { scope: Scope; taskId: string }[]>;
  };
  /** Letters between instances. They go with their task. */
  readonly mail: {
    /** Leaves a letter; false where the task is gone or has ended. An id that is there already changes nothing. */
    post(letter: Letter): MaybePromise<boolean>;
    /** Letters without an answer, oldest first: of tasks whose lease `holder` has (whether or not it ended). */
    waiting(holder: string, limit: number): MaybePromise<readonly Letter[]>;
    /** Answers a letter that led to no commit; false where it is gone or answered. */
    answer(letter: Letter, text: string): MaybePromise<boolean>;
    /**
     * Takes an answer away with its letter; undefined where there is none yet. `keep`: leaves both where they are, so that an
     * answer that does not get through can be asked for again.
     */
    collect(letter: Letter, options?: { keep?: boolean }): MaybePromise<string | undefined>;
  };
  /**
   * Milliseconds since the epoch by the one clock that all who share the store go by; leases are measured with it. Absent:
   * they all run on one machine.
   */
  clock?(): MaybePromise<number>;
  /** Waits for what is under way and frees what it holds. */
  close?(): MaybePromise<void>;
}
