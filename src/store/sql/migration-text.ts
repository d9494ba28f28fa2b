import { Kysely, type CompiledQuery, type Dialect } from "kysely";
import type { Flavor } from "./flavor.js";
import type { migrationNames } from "./migration-names.js";
import { migrationsOf } from "./migrations.js";

/**
 * The SQL of migrations as one transaction, for whoever runs it by hand; it also keeps the books that
 * `a2a-typed store` reads. `dialect` is asked for no connection.
 */
export async function migrationText(
  dialect: Dialect,
  flavor: Flavor,
  names: readonly (typeof migrationNames)[number][],
  direction: "up" | "down",
): Promise<string> {
  const lines: string[] = ["begin;"];
  const db = new Kysely<unknown>({ dialect: recording(dialect, (query) => lines.push(`${query.sql};`)) });
  if (direction === "up") lines.push(BOOKS, LOCK, LOCK_ROW);
  const known = migrationsOf(flavor);
  for (const name of names) {
    lines.push(`-- ${name}`);
    await known[name][direction](db);
    lines.push(
      direction === "up"
        ? `insert into kysely_migration (name, timestamp) values ('${name}', '${new Date().toISOString()}');`
        : `delete from kysely_migration where name = '${name}';`,
    );
  }
  lines.push("commit;");
  return lines.join("\n") + "\n";
}

const BOOKS =
  "create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);";
const LOCK =
  "create table if not exists kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);";
const LOCK_ROW =
  "insert into kysely_migration_lock (id, is_locked) values ('migration_lock', 0) on conflict do nothing;";

/** A dialect whose statements go nowhere but to `record`. */
const recording = (dialect: Dialect, record: (query: CompiledQuery) => void): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createDriver: () => ({
    init: nothing,
    acquireConnection: () =>
      Promise.resolve({
        executeQuery(query) {
          record(query);
          return Promise.resolve({ rows: [] });
        },
        // eslint-disable-next-line require-yield -- no rows
        async *streamQuery() {
          await nothing();
          throw new Error("a migration reads no stream");
        },
      }),
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  }),
});

const nothing = (): Promise<void> => Promise.resolve();
