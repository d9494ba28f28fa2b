/**
 * The task store contract. A task is a snapshot plus numbered events; the engine folds, the store keeps.
 * Every call names a scope: what is not in it does not exist.
 */

/** Whose tasks: both `""` without auth. */
export interface Scope {
  readonly tenant: string;
  readonly owner: string;
}

/** One StreamResponse of a task, encoded in the pivot version. `n` is the revision after it; the first event is 1. */
export interface StoredEvent {
  readonly n: number;
  readonly text: string;
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
  /** RFC 3339 UTC time of the current status. */
  readonly timestamp: string;
  /** Nothing leaves a terminal state; its TTL runs from the status time. */
  readonly terminal: boolean;
}

/** A folded task: everything up to revision `at` and received message `received`. */
export interface Snapshot {
  readonly at: number;
  readonly received: number;
  /** The whole Task as JSON in the pivot version: history and artifacts included. */
  readonly text: string;
  /** JSON of what the agent keeps with the task (`ctx.state`, `turn`); never sent to clients. */
  readonly agent?: string;
}

/** Who runs a task, until when (ms since the epoch), and the fencing token of that ownership. */
export interface Lease {
  readonly holder: string;
  readonly expires: number;
  readonly fence: number;
}

/** One webhook delivery, written in the commit of its event. */
export interface OutboxRow {
  readonly taskId: string;
  readonly configId: string;
  readonly n: number;
  readonly text: string;
}

/** One task's part of a commit. */
export interface CommitEntry {
  readonly scope: Scope;
  readonly taskId: string;
  /** The revision it builds on; 0 creates the task. Checked where `events` is not empty. */
  readonly expect: number;
  /** Fencing token of the writer's lease; a smaller one than the store has seen is `fenced`. 0 without leases. */
  readonly fence: number;
  readonly head: TaskHead;
  readonly events: readonly StoredEvent[];
  readonly messages?: readonly StoredMessage[];
  readonly snapshot?: Snapshot;
  readonly outbox?: readonly OutboxRow[];
  /** Takes or renews the lease with the commit; `null` releases it. */
  readonly lease?: Lease | null;
}

/** `conflict`: the stored revision is not `expect`. `fenced`: another owner took over. Nothing of the entry was written then. */
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
  readonly messages: readonly StoredMessage[];
  readonly lease?: Lease;
  /** Smallest `n` that `read({ after })` can still replay from, minus one; equals `revision` when no events are kept. */
  readonly replayFrom: number;
}

export interface ListQuery {
  readonly contextId?: string;
  readonly state?: string;
  /** Inclusive. */
  readonly statusTimestampAfter?: string;
  /** 1–100. */
  readonly pageSize: number;
  /** From an earlier `nextPageToken`; a foreign one throws `INVALID_PARAMS`. */
  readonly pageToken?: string;
}

export interface ListPage {
  /** Newest status first, ties by id. */
  readonly tasks: readonly StoredTask[];
  /** `""` on the last page. */
  readonly nextPageToken: string;
  /** All that match, before paging. */
  readonly totalSize: number;
}

/** A webhook registration; `text` is the TaskPushNotificationConfig in the pivot version. */
export interface StoredConfig {
  readonly id: string;
  readonly text: string;
  /** Protocol version (`Major.Minor`) that registered it: its deliveries use it. */
  readonly version: string;
}

export type MaybePromise<T> = T | Promise<T>;

/** What every store implements. A store may answer synchronously; the engine awaits only promises. */
export interface TaskStore {
  /** The only write of tasks. All of an entry or nothing; the entries of a batch are independent. */
  commit(batch: readonly CommitEntry[]): MaybePromise<CommitResult[]>;
  /** `after`: also return kept events with `n > after`, even when a newer snapshot holds them. */
  read(scope: Scope, taskId: string, options?: { after?: number }): MaybePromise<StoredTask | undefined>;
  list(scope: Scope, query: ListQuery): MaybePromise<ListPage>;
  /** Removes a task with its events, configs and outbox rows. */
  delete(scope: Scope, taskId: string): MaybePromise<boolean>;
  /** Drops expired events and finished tasks past their TTL; at most `limit` tasks. Returns how many tasks went. */
  sweep(now: number, limit: number): MaybePromise<number>;
  readonly configs: {
    put(scope: Scope, taskId: string, config: StoredConfig): MaybePromise<void>;
    get(scope: Scope, taskId: string, id: string): MaybePromise<StoredConfig | undefined>;
    /** In order of creation. */
    list(
      scope: Scope,
      taskId: string,
      page: { pageSize: number; pageToken?: string },
    ): MaybePromise<{ configs: readonly StoredConfig[]; nextPageToken: string }>;
    delete(scope: Scope, taskId: string, id: string): MaybePromise<boolean>;
  };
  readonly outbox: {
    /** Rows due for delivery, the oldest of each config only; invisible to others until `now + ttl`. */
    claim(holder: string, now: number, ttl: number, limit: number): MaybePromise<readonly OutboxRow[]>;
    /** Delivered or given up: removes the row. With `retryAt`: keeps it until then. */
    ack(row: OutboxRow, options?: { retryAt?: number }): MaybePromise<void>;
  };
  readonly lease: {
    /** Takes a free or expired lease; the fence grows with every take. Undefined where another holds it. */
    acquire(scope: Scope, taskId: string, holder: string, now: number, ttl: number): MaybePromise<Lease | undefined>;
    renew(scope: Scope, taskId: string, lease: Lease, expires: number): MaybePromise<boolean>;
    /** Running tasks whose lease ended before `now`. */
    expired(now: number, limit: number): MaybePromise<readonly { scope: Scope; taskId: string }[]>;
  };
  close?(): MaybePromise<void>;
}
