import type { MaybePromise, Scope } from "../store/types.js";
import type { EventLog } from "./event-log.js";
import type { FollowedEvent } from "./followed-event.js";
import type { Watcher } from "./watcher.js";

/** What a subscription needs of a task, wherever it runs: its newest events, those before them, and when it is over. */
export interface FollowedTask {
  readonly scope: Scope;
  readonly id: string;
  /** The newest events. It drops those that only slow readers need. */
  readonly log: EventLog;
  /** Changes so far: events and received messages. */
  readonly version: number;
  /** Revision up to which events may be shown. */
  readonly committed: number;
  /** Changes that may be shown. */
  readonly committedVersion: number;
  readonly terminal: boolean;
  /** Everything that was applied may be shown. */
  readonly settled: boolean;
  /** Why nothing more comes here. */
  readonly lost: Error | undefined;
  /** Someone listens to its events, or did. */
  observed: boolean;
  watch(watcher: Watcher): void;
  unwatch(watcher: Watcher): void;
  /**
   * Events that the log has no longer: those right after `after` and up to `committed`, some `size` characters of them, at
   * least one. Undefined: they are kept no longer, or could not be read, which was reported. Never rejects.
   */
  replay(after: number, size: number): MaybePromise<readonly FollowedEvent[] | undefined>;
}
