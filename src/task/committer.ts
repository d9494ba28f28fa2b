import type { CommitEntry, CommitResult, MaybePromise, TaskStore } from "../store/types.js";
import { afterTick } from "./after-tick.js";

/**
 * Hands entries to a store: as they come, or, where the store asks for it, those of a tick together. An entry is built
 * when it is handed over, so that it holds all that came up until then.
 */
export interface Committer {
  commit(source: EntrySource): MaybePromise<CommitResult>;
}

/** What has an entry to commit. */
export interface EntrySource {
  /** Built when it is asked for. */
  entry(): CommitEntry;
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

const direct = (store: WritableStore): Committer => ({
  commit(source) {
    const results = store.commit([source.entry()]);
    return results instanceof Promise ? results.then(first) : first(results);
  },
});

function grouped(store: WritableStore): Committer {
  let waiting: Waiting[] = [];

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
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

  return {
    commit(source) {
      return new Promise((resolve, reject) => {
        waiting.push({ source, resolve, reject });
        if (waiting.length === 1) afterTick(() => void flush());
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
