import type { CommitEntry, TaskStore } from "../store/types.js";

/** The writing side of a store, which tells how many events it is given. */
export function countingStore(
  store: TaskStore,
  count: (events: number) => void,
): Pick<TaskStore, "hints" | "commit"> {
  return {
    ...(store.hints && { hints: store.hints }),
    commit(batch) {
      const events = batch.reduce((sum, entry) => sum + eventsOf(entry), 0);
      if (events > 0) count(events);
      return store.commit(batch);
    },
  };
}

/** Events that nobody saw are not written: the snapshot counts them. */
const eventsOf = ({ expect, events, snapshot }: CommitEntry): number =>
  expect === undefined ? 0 : Math.max(0, Math.max(events.at(-1)?.n ?? 0, snapshot?.at ?? 0) - expect);
