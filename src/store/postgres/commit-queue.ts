import type { CommitEntry, CommitResult } from "../types.js";

/** Entries of one transaction, at most; a single larger batch goes as it is. */
const MOST = 1_000;

interface Waiting {
  readonly batch: readonly CommitEntry[];
  readonly resolve: (results: CommitResult[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Takes batches, one transaction at a time. */
export interface CommitQueue {
  commit(batch: readonly CommitEntry[]): Promise<CommitResult[]>;
  /** Resolves when nothing waits; undefined where nothing does. */
  idle(): Promise<void> | undefined;
}

/**
 * Commits batches in the order in which they came: one transaction at a time, with all that came up while the one before
 * was on its way.
 */
export function inTurn(commit: (batch: readonly CommitEntry[]) => Promise<CommitResult[]>): CommitQueue {
  const waiting: Waiting[] = [];
  let busy: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const together = [next];
      let size = next.batch.length;
      while (waiting[0] !== undefined && size + waiting[0].batch.length <= MOST) {
        size += waiting[0].batch.length;
        together.push(...waiting.splice(0, 1));
      }
      try {
        const results = await commit(together.flatMap(({ batch }) => batch));
        let from = 0;
        for (const { batch, resolve } of together) resolve(results.slice(from, (from += batch.length)));
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    busy = undefined;
  };

  return {
    commit: (batch) =>
      new Promise((resolve, reject) => {
        waiting.push({ batch, resolve, reject });
        busy ??= drain();
      }),
    idle: () => busy,
  };
}
