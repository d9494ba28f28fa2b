import { memoryStore, type MemoryStoreOptions } from "../../src/store/memory-store.js";
import type { StoredEvent, TaskStore } from "../../src/store/types.js";
import { turn } from "./slow-store.js";

/** A store that is asked across a network: its answers come later, and are copies. */
export interface LateStore extends TaskStore {
  /** Reads of events so far: after which revision, and how many came. */
  readonly replays: { readonly after: number; readonly events: number }[];
}

/** `bounded`: it gives no more events than it is asked for. */
export function lateStore(bounded: boolean, options?: MemoryStoreOptions): LateStore {
  const inner = memoryStore(options);
  const replays: LateStore["replays"] = [];
  return {
    ...inner,
    hints: {},
    replays,
    async read(scope, taskId, options = {}) {
      const { after, size = Number.POSITIVE_INFINITY } = options;
      await turn();
      const stored = await inner.read(scope, taskId, options);
      if (stored === undefined) return undefined;
      const events: StoredEvent[] = [];
      let sum = 0;
      for (const { n, text } of stored.events) {
        if (bounded && sum >= size) break;
        events.push({ n, text });
        sum += text.length;
      }
      if (after !== undefined) replays.push({ after, events: events.length });
      return { ...stored, events };
    },
  };
}
