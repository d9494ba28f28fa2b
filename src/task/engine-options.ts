import type { Scope, StoredTask, TaskStore } from "../store/types.js";
import type { Clock } from "./clock.js";
import type { ClusterOptions } from "./cluster.js";
import type { LiveTask } from "./live-task.js";
import type { LeaseOptions } from "./ownership.js";
import type { SubscriberLimits } from "./subscriber-limits.js";
import type { Orphan } from "./take-task.js";
import type { Wanted } from "./task-host.js";

/** How an engine works. */
export interface TaskEngineOptions {
  readonly store: TaskStore;
  /** Default `Date.now`. */
  readonly now?: Clock;
  /** Told of what went wrong behind the scenes. */
  readonly report?: (message: string, details: unknown) => void;
  readonly limits?: Partial<SubscriberLimits>;
  /** Milliseconds between looks at stalled subscribers and expired tasks. Default 1,000; 0: never by itself. */
  readonly sweepMs?: number;
  /** Told of a task that this process may no longer write: another writer, a failing store, the end of the server. */
  readonly onLost?: (live: LiveTask, reason: Error) => void;
  /** Called with each look. */
  readonly onSweep?: (now: number) => void;
  /** Who delivers to webhooks; without it, nobody looks for those of stored tasks. */
  readonly push?: OutboxReader;
  /** For stores with the hint `durable`; default: leases of 15 s, detached tasks 24 h. */
  readonly leases?: LeaseOptions;
  /** For the same stores: how instances hear of each other. */
  readonly cluster?: ClusterOptions;
  /** Goes on with, or ends, a task that nobody works on any more. It is live and its lease is ours. */
  readonly recover?: (live: LiveTask, stored: StoredTask, why: Orphan) => void;
}

/** Who takes deliveries from the outbox of the store. */
export interface OutboxReader {
  /** Which events are written; absent: all. */
  readonly wanted?: Wanted | undefined;
  /** A commit wrote some. */
  wake(): void;
  /** A registration was deleted. */
  dropped(scope: Scope, taskId: string, configId: string): void;
}
