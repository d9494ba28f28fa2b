import { A2AError } from "../errors.js";
import { memoryStore } from "../store/memory-store.js";
import type { TaskStore } from "../store/types.js";

/** The store that an option names. Throws `CONFIG` for a URL that no store here understands. */
export function openStore(store: TaskStore | string | undefined): TaskStore {
  if (store === undefined || store === "memory" || store === "memory:") return memoryStore();
  if (typeof store !== "string") return store;
  // A URL may hold a password: only its scheme is repeated.
  const [kind = ""] = store.split(":", 1);
  throw new A2AError(
    "CONFIG",
    `store: there is no "${kind}" store in this version of a2a-typed; use "memory", or pass a TaskStore object`,
  );
}
