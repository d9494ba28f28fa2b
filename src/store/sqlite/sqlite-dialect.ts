import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
} from "kysely";
import type { SqliteDatabase, SqliteValue } from "./sqlite-driver.js";

/** Kysely over an open file, for migrations. Transactions are IMMEDIATE, and closing it leaves the file open. */
export const sqliteKysely = (db: SqliteDatabase): Kysely<unknown> =>
  new Kysely({ dialect: sqliteDialect(db) });

/** As `sqliteKysely`; without a file for whoever only compiles. */
export function sqliteDialect(db?: SqliteDatabase): Dialect {
  const exec = (sql: string) => (): Promise<void> => {
    db?.exec(sql);
    return Promise.resolve();
  };
  return {
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createDriver: () => ({
      init: nothing,
      acquireConnection: () => Promise.resolve(connectionOf(db)),
      beginTransaction: exec("begin immediate"),
      commitTransaction: exec("commit"),
      rollbackTransaction: exec("rollback"),
      releaseConnection: nothing,
      destroy: nothing,
    }),
  };
}

/** SQLite takes changes of tables back like any other; Kysely leaves that out where others share the connection. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const connectionOf = (db: SqliteDatabase | undefined): DatabaseConnection => ({
  executeQuery<R>({ sql, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] }) {
    const statement = db?.prepare(sql);
    const values = parameters.map(bound);
    if (!/^\s*(select|with|pragma)\b/i.test(sql)) {
      statement?.run(...values);
      return Promise.resolve({ rows: [] });
    }
    // What a query gives is what its author says it is.
    return Promise.resolve({ rows: (statement?.all(...values) ?? []) as R[] });
  },
  // eslint-disable-next-line require-yield -- no migration streams
  async *streamQuery() {
    await nothing();
    throw new Error("a migration reads no stream");
  },
});

/** A migration binds texts and numbers. */
function bound(value: unknown): SqliteValue {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  throw new TypeError(`SQLite binds no ${typeof value}`);
}

const nothing = (): Promise<void> => Promise.resolve();
