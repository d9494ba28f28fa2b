import { A2AError } from "../errors.js";
import { memoryStore } from "../store/memory-store.js";
import type { TaskStore } from "../store/types.js";
import { urlPath } from "../store/url-path.js";
import { lazyStore, type LazyStore } from "./lazy-store.js";

/** A store, and what opens it before its first use; that rejects with `CONFIG` where it cannot be opened. */
export interface OpenedStore {
  readonly store: TaskStore;
  readonly ready: () => Promise<void>;
}

/** The store that an option names. Throws `CONFIG` for a URL that no store here understands. */
export function openStore(store: TaskStore | string | undefined): OpenedStore {
  if (store === undefined || store === "memory" || store === "memory:") return atHand(memoryStore());
  if (typeof store !== "string") return atHand(store);
  // A URL may hold a password: only its scheme is repeated.
  const [kind = ""] = store.split(":", 1);
  const lazy = named(kind, store);
  if (lazy !== undefined) return { store: lazy, ready: () => lazy.open() };
  throw new A2AError(
    "CONFIG",
    `store: there is no "${kind}" store; use memory, files:folder, sqlite:tasks.db or postgres://…, or pass a TaskStore object`,
  );
}

const atHand = (store: TaskStore): OpenedStore => ({ store, ready: () => Promise.resolve() });

/** The store of a URL; what it needs is loaded when it is opened. */
function named(kind: string, url: string): LazyStore | undefined {
  switch (kind) {
    case "sqlite":
      return lazyStore(
        async () => (await import("../store/sqlite/sqlite-store.js")).sqliteStore({ path: urlPath(url) }),
        { group: true, durable: true },
      );
    case "files":
      return lazyStore(
        async () => (await import("../store/files/file-store.js")).fileStore({ dir: urlPath(url) }),
        { durable: true, alone: true },
      );
    case "postgres":
    case "postgresql":
      return lazyStore(
        async () => (await import("../store/postgres/postgres-store.js")).postgresStore({ url }),
        { group: true, durable: true },
        true,
      );
    default:
      return undefined;
  }
}
