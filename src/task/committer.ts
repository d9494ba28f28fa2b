import type { CommitEntry, CommitResult, MaybePromise, TaskStore } from "../store/types.js";
import { afterTick } from "./after-tick.js";

/** Milliseconds between commits of what may wait: whoever follows gets it about so much later at most. */
const GATHER_MS = 1;

/** Entries that are not kept waiting for more. */
const MOST = 64;

/**
 * Hands entries to a store: as they come, or, where the store asks for it, those of a tick together, with those of the ticks
 * after it for as long as each brings more, a millisecond at most: a commit costs much, and callers who come at once are
 * taken in over several ticks. Those that may wait go at most once a millisecond: the first at once, what follows it
 * closely with the next. An entry is built when it is handed over, so that it holds all that came up until then.
 */
export interface Committer {
  commit(source: EntrySource): MaybePromise<CommitResult>;
  /** The store answered the last commit at once, so that nothing is gained by an early one. */
  readonly instant: boolean;
}

/** What has an entry to commit. */
export interface EntrySource {
  /** Built when it is asked for. */
  entry(): CommitEntry;
  /** Whether it may wait for more to come up; it calls `hurry` when it may not any longer. */
  waits?(hurry: () => void): boolean;
}

/** What of a store is needed. */
type WritableStore = Pick<TaskStore, "hints" | "commit">;

interface Waiting {
  readonly source: EntrySource;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (cause: unknown) => void;
}

/** The committer that fits a store. A task has one entry on its way at a time, so batches never race for a task. */
export function createCommitter(store: WritableStore): Committer {
  return store.hints?.group === true ? grouped(store) : direct(store);
}

function direct(store: WritableStore): Committer {
  let instant = false;
  return {
    get instant() {
      return instant;
    },
    commit(source) {
      const results = store.commit([source.entry()]);
      instant = !(results instanceof Promise);
      return results instanceof Promise ? results.then(first) : first(results);
    },
  };
}

function grouped(store: WritableStore): Committer {
  let waiting: Waiting[] = [];
  /** All that waits is handed over soon. */
  let soon = false;
  /** Less than a millisecond ago something was handed over that might have waited. */
  let gathering = false;

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      const results = await store.commit(batch.map(({ source }) => source.entry()));
      batch.forEach(({ resolve, reject }, i) => {
        const result = results[i];
        if (result === undefined) reject(missing());
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function flushSoon(): void {
    if (soon) return;
    soon = true;
    flushUnlessMore(waiting.length, performance.now() + GATHER_MS);
  }

  /** At the end of the tick, or of the first one that brings no more than there are. */
  function flushUnlessMore(known: number, until: number): void {
    afterTick(() => {
      if (waiting.length > known && waiting.length < MOST && performance.now() < until) {
        flushUnlessMore(waiting.length, until);
        return;
      }
      soon = false;
      void flush();
    });
  }

  function gather(): void {
    gathering = true;
    setTimeout(() => {
      gathering = waiting.length > 0;
      if (!gathering) return;
      gather();
      void flush();
    }, GATHER_MS);
  }

  return {
    instant: false,
    commit(source) {
      return new Promise((resolve, reject) => {
        waiting.push({ source, resolve, reject });
        if (source.waits?.(flushSoon) === true) {
          if (gathering) return;
          gather();
        }
        flushSoon();
      });
    },
  };
}

function first(results: readonly CommitResult[]): CommitResult {
  const [result] = results;
  if (result === undefined) throw missing();
  return result;
}

const missing = (): Error => new Error("The task store did not answer for every entry of a commit");
