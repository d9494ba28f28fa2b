/** `a2a-typed/postgres`: tasks in PostgreSQL, for many instances behind one address, which may tell each other of them. */
export { postgresStore, type PostgresStoreOptions } from "./store/postgres/postgres-store.js";
export { postgresBus, type PostgresBusOptions } from "./bus/postgres-bus.js";
export type { BusListener, EventBus, News } from "./bus/types.js";
export type { PgClient, PgPool, PgQuery, Row } from "./store/postgres/load-driver.js";
export type { TaskStore } from "./store/types.js";
