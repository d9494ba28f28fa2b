import type * as KyselyPackage from "kysely";
import type { Dialect, Kysely } from "kysely";
import { A2AError } from "../../errors.js";
import { connect, fail } from "./database.js";
import { text } from "./row.js";
import type { PgClient, PgPool } from "./load-driver.js";

/** Whoever changes the tables holds it: instances that start at once wait for one another. */
const LOCK = "select pg_advisory_lock(hashtextextended('a2a-typed ' || $1, 0))";
const UNLOCK = "select pg_advisory_unlock(hashtextextended('a2a-typed ' || $1, 0))";

/**
 * Runs `work` on one connection whose tables are those of `schema` (made where it is missing; absent: the first of the
 * user's search path), alone among all who do so. Gives the schema besides.
 */
export async function withMigrations<T>(
  pool: PgPool,
  schema: string | undefined,
  work: (db: Kysely<unknown>) => Promise<T>,
): Promise<{ readonly schema: string; readonly result: T }> {
  const { Kysely } = await loadKysely();
  const client = await connect(pool);
  const query: Ask = (sql, values = []) => client.query({ text: sql, values }).catch(fail);
  let broken: Error | undefined;
  const lost = (error: Error): void => {
    broken = error;
  };
  client.on("error", lost);
  try {
    const name = schema ?? (await currentSchema(query));
    await query(LOCK, [name]);
    try {
      if (schema !== undefined) {
        await query(`create schema if not exists ${quoted(schema)}`);
        await query(`set search_path to ${quoted(schema)}`);
      }
      const db = new Kysely<unknown>({ dialect: await dialectOn(query, name) });
      return { schema: name, result: await work(db) };
    } finally {
      if (schema !== undefined) await query("reset search_path");
      await query(UNLOCK, [name]);
    }
  } finally {
    client.off("error", lost);
    client.release(broken);
  }
}

/** A name as SQL has it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

type Ask = (sql: string, values?: unknown[]) => ReturnType<PgClient["query"]>;

async function currentSchema(query: Ask): Promise<string> {
  const { rows } = await query("select current_schema() as name");
  const [row] = rows;
  if (row?.["name"] == null) {
    throw new A2AError(
      "CONFIG",
      "store: no schema of the search path exists; name one with the option schema",
    );
  }
  return text(row, "name");
}

/** Kysely on one connection, which sees the tables of one schema. */
async function dialectOn(query: Ask, schema: string): Promise<Dialect> {
  const { PostgresDialect } = await loadKysely();
  const dialect = new PostgresDialect({
    pool: {
      connect: () =>
        Promise.resolve({
          // Kysely asks for a cursor in streams only; a migration has none.
          query: ((sql: string, values: readonly unknown[]) => query(sql, [...values])) as never,
          release: () => undefined,
        }),
      end: () => Promise.resolve(),
    },
  });
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => dialect.createDriver(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector(db) {
      const all = dialect.createIntrospector(db);
      return {
        getSchemas: () => all.getSchemas(),
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- the interface asks for it
        getMetadata: all.getMetadata.bind(all),
        // All that a migrator wants to know is which tables there are. Asking for columns of every schema, as Kysely
        // does, fails where somebody drops another one meanwhile.
        async getTables() {
          const { rows } = await query("select tablename as name from pg_tables where schemaname = $1", [
            schema,
          ]);
          return rows.map((row) => ({ name: text(row, "name"), schema, isView: false, columns: [] }));
        },
      };
    },
  };
}

async function loadKysely(): Promise<typeof KyselyPackage> {
  try {
    return await import("kysely");
  } catch (cause) {
    throw new A2AError("CONFIG", "store: PostgreSQL needs the package kysely; run: npm install kysely@0.28", {
      cause,
    });
  }
}
