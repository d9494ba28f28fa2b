import { A2AError } from "../../errors.js";
import { postgresFlavor } from "../sql/flavor.js";
import type { TaskStore } from "../types.js";
import { committer } from "./commit-batch.js";
import { inTurn } from "./commit-queue.js";
import { Database } from "./database.js";
import type { PgPool } from "./load-driver.js";
import { quoted, withMigrations } from "./migration-connection.js";
import { hearConnections, openPool } from "./open-pool.js";
import { postgresConfigs } from "./postgres-configs.js";
import { postgresLeases } from "./postgres-leases.js";
import { postgresMail } from "./postgres-mail.js";
import { postgresOutbox } from "./postgres-outbox.js";
import { lister, reader } from "./read-tasks.js";
import { remover, sweeper } from "./remove-tasks.js";
import { number } from "./row.js";
import { statement } from "./statement.js";

/** Where a PostgreSQL store keeps its tasks, and how long. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`. */
  readonly url?: string;
  /** A `Pool` of `pg` of your own, instead of `url`; `close` leaves it open. */
  readonly pool?: PgPool;
  /** Schema of the tables; made where it is missing. Default: the first of the search path, as a rule `public`. */
  readonly schema?: string;
  /** Connections at most, with `url`. Default 10. */
  readonly max?: number;
  /** Milliseconds that a finished task is kept. Default 7 days. */
  readonly ttl?: number;
  /** Milliseconds that the events of a finished task are kept for those who resume a stream. Default 60,000. */
  readonly replayWindow?: number;
  /** Events kept of one task. Default 10,000. */
  readonly maxEvents?: number;
}

const DAY = 24 * 60 * 60 * 1_000;

const CLOCK = statement("clock", "select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms");

/**
 * Tasks in PostgreSQL, for any number of instances. Connects and brings the tables up to date before it resolves. Throws
 * `CONFIG` where an option is wrong or a package (`pg`, `kysely`) is missing.
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<TaskStore> {
  const pool = hearConnections(await poolOf(options));
  const own = options.pool === undefined;
  try {
    // Only who brings the tables up to date needs Kysely.
    const { schema } = await withMigrations(pool, options.schema, async (db) => {
      const { migrateUp } = await import("../sql/migrate.js");
      return migrateUp(db, postgresFlavor);
    });
    return storeOn(new Database(pool, quoted(schema), own ? () => pool.end() : undefined), options);
  } catch (error) {
    if (own) await pool.end();
    throw error;
  }
}

function poolOf({ url, pool, max = 10 }: PostgresStoreOptions): PgPool | Promise<PgPool> {
  if (pool !== undefined && url === undefined) return pool;
  if (url !== undefined && pool === undefined) return openPool(url, max);
  throw new A2AError("CONFIG", "store: postgresStore takes either url or pool");
}

function storeOn(database: Database, options: PostgresStoreOptions): TaskStore {
  const queue = inTurn(committer(database, options.maxEvents ?? 10_000));
  return {
    hints: { group: true, durable: true },
    commit: (batch) => queue.commit(batch),
    read: reader(database),
    list: lister(database),
    delete: remover(database),
    sweep: sweeper(database, options.ttl ?? 7 * DAY, options.replayWindow ?? 60_000),
    configs: postgresConfigs(database),
    outbox: postgresOutbox(database),
    lease: postgresLeases(database),
    mail: postgresMail(database),
    async clock() {
      const [row] = await database.query(CLOCK);
      return row === undefined ? Date.now() : number(row, "ms");
    },
    async close() {
      await queue.idle();
      await database.close();
    },
  };
}
