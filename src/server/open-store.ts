import { A2AError } from "../errors.js";
import { memoryStore } from "../store/memory-store.js";
import type { TaskStore } from "../store/types.js";

/** The store that an option names. Throws `CONFIG` for a URL that no store here understands. */
export function openStore(store: TaskStore | string | undefined): TaskStore {
  if (store === undefined || store === "memory" || store === "memory:") return memoryStore();
  if (typeof store !== "string") return store;
  throw new A2AError(
    "CONFIG",
    `store: "${store}" is not supported by this version of a2a-typed; use "memory", or pass a TaskStore object`,
  );
}
