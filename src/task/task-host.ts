import type { CommitEntry, CommitResult, MaybePromise } from "../store/types.js";
import type { StreamResponse, Task } from "../versions/pivot.js";
import type { EntrySource } from "./committer.js";
import type { FollowedEvent } from "./followed-event.js";
import type { FollowedTask } from "./followed-task.js";
import type { LiveTask } from "./live-task.js";
import type { Ownership } from "./ownership.js";

/** What a live task needs of the engine around it. */
export interface TaskHost {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Hands an entry to the store, built when its turn comes. */
  commit(source: EntrySource): MaybePromise<CommitResult>;
  /** The leases of this instance, where others write to the store. */
  readonly ownership?: Ownership | undefined;
  /** A commit is in the store: whoever follows the task elsewhere is told. */
  committed?(entry: CommitEntry): void;
  /** The task is over or at rest: the process may forget it. */
  retire(live: LiveTask): void;
  /** The task may no longer be written here. */
  lost(live: LiveTask, reason: Error): void;
  /** A commit that the store refused or could not do. */
  report(message: string, details: unknown): void;
  /** Which events are written for webhooks; undefined: all. */
  readonly wanted: Wanted | undefined;
  /** A commit wrote deliveries to webhooks. */
  outboxWritten(): void;
  /** Reads committed events of a task from the store, as `FollowedTask.replay`. */
  replay(task: FollowedTask, after: number, size: number): MaybePromise<readonly FollowedEvent[] | undefined>;
  /** Waits, for a repeated commit. */
  pause(ms: number): Promise<void>;
}

/** Whether an event is written for webhooks; told the task as the event left it, which it only reads. */
export type Wanted = (event: StreamResponse, task: Task) => boolean;
