import { A2AError, isA2AError } from "../../errors.js";
import { migrationNames } from "../sql/migration-names.js";
import { refuseNewer } from "../sql/refuse-newer.js";
import type * as Migrate from "./sqlite-migrate.js";
import { openSqlite, type SqliteDatabase, type SqliteStatement, type SqliteValue } from "./sqlite-driver.js";

/** How sure a commit is when the machine (not the process) fails: NORMAL may lose the last ones, FULL none. */
export type SqliteSynchronous = "NORMAL" | "FULL" | "OFF" | "EXTRA";

/** Milliseconds that a commit waits for another process; then it is tried again later. */
const BUSY_MS = 2_000;

/** An open file with the tables of this version; statements are prepared once. */
export class SqliteFile {
  readonly #db: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #begin: SqliteStatement;
  readonly #view: SqliteStatement;
  readonly #commit: SqliteStatement;
  readonly #rollback: SqliteStatement;
  #closed = false;

  constructor(db: SqliteDatabase) {
    this.#db = db;
    this.#begin = db.prepare("begin immediate");
    this.#view = db.prepare("begin");
    this.#commit = db.prepare("commit");
    this.#rollback = db.prepare("rollback");
  }

  run(sql: string, ...values: SqliteValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** The first row; what it holds is what the statement selects. */
  get<Row>(sql: string, ...values: SqliteValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SqliteValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** All that `work` writes or nothing, alone among all processes. */
  write<T>(work: () => T): T {
    return this.#within(this.#begin, work);
  }

  /** What `work` reads is of one moment. */
  view<T>(work: () => T): T {
    return this.#within(this.#view, work);
  }

  get isOpen(): boolean {
    return !this.#closed;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#db.close();
  }

  #statement(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #within<T>(begin: SqliteStatement, work: () => T): T {
    begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (error) {
      try {
        this.#rollback.run();
      } catch {
        // A full disk has taken it back already.
      }
      throw error;
    }
  }
}

/** Opens a file and applies pending migrations. Throws `CONFIG` where it cannot be had or is of a newer version. */
export async function openFile(path: string, synchronous: SqliteSynchronous): Promise<SqliteFile> {
  const db = await openSqlite(path);
  try {
    configure(db, synchronous);
    await migrate(db);
    return new SqliteFile(db);
  } catch (error) {
    db.close();
    if (isA2AError(error)) throw error;
    const message = `store: ${path} cannot be used as a store: ${String(error)}`;
    throw new A2AError("CONFIG", message, { cause: error });
  }
}

/** Sets up a connection. */
export function configure(db: SqliteDatabase, synchronous: SqliteSynchronous): void {
  db.exec(`pragma busy_timeout = ${String(BUSY_MS)}`);
  db.exec("pragma journal_mode = wal");
  db.exec(`pragma synchronous = ${synchronous}`);
}

async function migrate(db: SqliteDatabase): Promise<void> {
  const books = db
    .prepare("select 1 from sqlite_master where type = 'table' and name = 'kysely_migration'")
    .get();
  if (books !== undefined) {
    const rows = db.prepare("select name from kysely_migration").all() as { name: string }[];
    refuseNewer(rows.map(({ name }) => name));
    // Nothing to do: what migrates is not even loaded.
    if (rows.length === migrationNames.length) return;
  }
  const { migrateFile } = await loadMigrations();
  await migrateFile(db);
}

/** Loads what migrates. Throws `CONFIG` where Kysely is not installed. */
export async function loadMigrations(): Promise<typeof Migrate> {
  try {
    return await import("./sqlite-migrate.js");
  } catch (cause) {
    const needs = "a database without its tables needs the package kysely";
    throw new A2AError("CONFIG", `store: ${needs}; run: npm install kysely@0.28`, { cause });
  }
}
