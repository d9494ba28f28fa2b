import type { Dialect, Kysely } from "kysely";
import type { Flavor } from "../store/sql/flavor.js";
import { CliFailure } from "./failure.js";

/** The database of a store, open for migrations. */
export interface StoreDatabase {
  readonly db: Kysely<unknown>;
  readonly flavor: Flavor;
  /** For whoever only wants the SQL. */
  readonly dialect: Dialect;
}

/** Opens the database of a store URL, by its scheme, for as long as `work` takes. */
export async function withStoreDatabase<T>(
  url: string,
  work: (database: StoreDatabase) => Promise<T>,
): Promise<T> {
  const [kind = ""] = url.split(":", 1);
  switch (kind) {
    case "sqlite": {
      const { withSqliteMigrations } = await import("../store/sqlite/sqlite-migrate.js");
      return withSqliteMigrations(url, work);
    }
    case "postgres":
    case "postgresql":
      return withPostgres(url, work);
    default:
      throw new CliFailure(
        `there are no migrations of "${kind}"; a URL looks like sqlite:tasks.db or postgres://…`,
        2,
      );
  }
}

async function withPostgres<T>(url: string, work: (database: StoreDatabase) => Promise<T>): Promise<T> {
  const [{ openPool }, { withMigrations }, { postgresFlavor }, kysely] = await Promise.all([
    import("../store/postgres/open-pool.js"),
    import("../store/postgres/migration-connection.js"),
    import("../store/sql/flavor.js"),
    import("kysely"),
  ]);
  const pool = await openPool(url, 1);
  const dialect: Dialect = {
    createAdapter: () => new kysely.PostgresAdapter(),
    createQueryCompiler: () => new kysely.PostgresQueryCompiler(),
    createIntrospector: (db) => new kysely.PostgresIntrospector(db),
    createDriver: () => new kysely.DummyDriver(),
  };
  try {
    return (await withMigrations(pool, undefined, (db) => work({ db, flavor: postgresFlavor, dialect })))
      .result;
  } finally {
    await pool.end();
  }
}
