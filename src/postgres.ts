/** `a2a-typed/postgres`: tasks in PostgreSQL, for many instances behind one address. */
export { postgresStore, type PostgresStoreOptions } from "./store/postgres/postgres-store.js";
export type { PgClient, PgPool, PgQuery, Row } from "./store/postgres/load-driver.js";
export type { TaskStore } from "./store/types.js";
