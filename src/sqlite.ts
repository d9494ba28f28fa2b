export { sqliteStore, type SqliteStoreOptions } from "./store/sqlite/sqlite-store.js";
export type { SqliteSynchronous } from "./store/sqlite/sqlite-file.js";
export type { TaskStore } from "./store/types.js";
