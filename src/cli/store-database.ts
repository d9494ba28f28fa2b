import type * as KyselyPackage from "kysely";
import type { Dialect, Kysely } from "kysely";
import type { Flavor } from "../store/sql/flavor.js";
import { CliFailure } from "./failure.js";

/** A kind of database, for whoever only wants the SQL. */
export interface StoreDialect {
  readonly flavor: Flavor;
  readonly dialect: Dialect;
}

/** The database of a store, open for migrations. */
export interface StoreDatabase {
  readonly db: Kysely<unknown>;
  readonly flavor: Flavor;
}

/** The kind of database that a store URL names. Nothing is opened. */
export async function storeDialect(url: string): Promise<StoreDialect> {
  const [{ sqliteFlavor, postgresFlavor }, kysely] = await Promise.all([
    import("../store/sql/flavor.js"),
    loadKysely(),
  ]);
  const kind = kindOf(url);
  if (kind === "sqlite") {
    const { sqliteDialect } = await import("../store/sqlite/sqlite-dialect.js");
    return { flavor: sqliteFlavor, dialect: sqliteDialect() };
  }
  return {
    flavor: postgresFlavor,
    dialect: {
      createAdapter: () => new kysely.PostgresAdapter(),
      createQueryCompiler: () => new kysely.PostgresQueryCompiler(),
      createIntrospector: (db) => new kysely.PostgresIntrospector(db),
      createDriver: () => new kysely.DummyDriver(),
    },
  };
}

/** Opens the database of a store URL, by its scheme, for as long as `work` takes. */
export async function withStoreDatabase<T>(
  url: string,
  work: (database: StoreDatabase) => Promise<T>,
): Promise<T> {
  if (kindOf(url) === "postgres") return withPostgres(url, work);
  const { withSqliteMigrations } = await import("../store/sqlite/sqlite-migrate.js");
  return withSqliteMigrations(url, work);
}

function kindOf(url: string): "sqlite" | "postgres" {
  const [kind = ""] = url.split(":", 1);
  if (kind === "sqlite") return kind;
  if (kind === "postgres" || kind === "postgresql") return "postgres";
  throw new CliFailure(
    `there are no migrations of "${kind}"; a URL looks like sqlite:tasks.db or postgres://…`,
    2,
  );
}

async function loadKysely(): Promise<typeof KyselyPackage> {
  try {
    return await import("kysely");
  } catch {
    throw new CliFailure("the SQL of a store needs the package kysely; run: npm install kysely@0.28", 2);
  }
}

async function withPostgres<T>(url: string, work: (database: StoreDatabase) => Promise<T>): Promise<T> {
  const [{ hearConnections, openPool }, { withMigrations }, { postgresFlavor }] = await Promise.all([
    import("../store/postgres/open-pool.js"),
    import("../store/postgres/migration-connection.js"),
    import("../store/sql/flavor.js"),
  ]);
  const pool = hearConnections(await openPool(url, 1));
  try {
    return (await withMigrations(pool, undefined, (db) => work({ db, flavor: postgresFlavor }))).result;
  } finally {
    await pool.end();
  }
}
