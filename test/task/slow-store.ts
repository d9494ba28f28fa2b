import { memoryStore } from "../../src/store/memory-store.js";
import type { CommitEntry, CommitResult, StoreHints, TaskStore } from "../../src/store/types.js";

/** A memory store whose commits wait until they are let through: what any store across a network does. */
export interface SlowStore extends TaskStore {
  /** Batches that were committed or wait, in order. */
  readonly batches: (readonly CommitEntry[])[];
  /** Lets the oldest waiting batch through, or fails it. Resolves when its writer knows. */
  pass(failure?: Error): Promise<void>;
  readonly waiting: number;
}

export function slowStore(hints: StoreHints = {}): SlowStore {
  const inner = memoryStore();
  const queue: {
    batch: readonly CommitEntry[];
    resolve: (r: CommitResult[]) => void;
    reject: (e: Error) => void;
  }[] = [];
  const batches: (readonly CommitEntry[])[] = [];
  return {
    ...inner,
    hints,
    batches,
    get waiting() {
      return queue.length;
    },
    commit(batch) {
      batches.push(batch);
      return new Promise((resolve, reject) => queue.push({ batch, resolve, reject }));
    },
    async pass(failure) {
      const next = queue.shift();
      if (next === undefined) throw new Error("no commit waits");
      if (failure) next.reject(failure);
      else next.resolve(await inner.commit(next.batch));
      await turn();
    },
  };
}

/** Lets everything that is ready run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
