import { Migrator, sql, type Kysely } from "kysely";
import { A2AError } from "../../errors.js";
import type { Flavor } from "./flavor.js";
import { migrationsOf } from "./migrations.js";

/** A migration, and whether the database has it. */
export interface MigrationState {
  readonly name: string;
  readonly applied: boolean;
}

/** Applies what is pending. Gives the names applied. Throws `CONFIG` where the database is of a newer version. */
export async function migrateUp(db: Kysely<unknown>, flavor: Flavor): Promise<readonly string[]> {
  await checkKnown(db, flavor);
  return run(() => migratorOf(db, flavor).migrateToLatest());
}

/** Takes the last migration back, with the data in its tables. Gives its name, or nothing where none is applied. */
export async function migrateDown(db: Kysely<unknown>, flavor: Flavor): Promise<readonly string[]> {
  await checkKnown(db, flavor);
  return run(() => migratorOf(db, flavor).migrateDown());
}

/** All migrations in their order. Changes nothing. */
export async function migrationStates(
  db: Kysely<unknown>,
  flavor: Flavor,
): Promise<readonly MigrationState[]> {
  const applied = await checkKnown(db, flavor);
  return Object.keys(migrationsOf(flavor)).map((name) => ({ name, applied: applied.includes(name) }));
}

/** Throws `CONFIG` where a name is not of a migration known here: a newer version wrote it. */
export function refuseNewer(applied: readonly string[], flavor: Flavor): void {
  const known = migrationsOf(flavor);
  const strange = applied.find((name) => !Object.hasOwn(known, name));
  if (strange === undefined) return;
  throw new A2AError(
    "CONFIG",
    `store: the database has the migration ${strange}, which this version of a2a-typed does not know; update a2a-typed`,
  );
}

const migratorOf = (db: Kysely<unknown>, flavor: Flavor): Migrator =>
  new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrationsOf(flavor) }) } });

async function run(migrate: () => ReturnType<Migrator["migrateToLatest"]>): Promise<readonly string[]> {
  const { error, results = [] } = await migrate();
  if (error !== undefined)
    throw error instanceof Error ? error : new Error("migration failed", { cause: error });
  return results.map(({ migrationName }) => migrationName);
}

async function checkKnown(db: Kysely<unknown>, flavor: Flavor): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === "kysely_migration")) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const applied = rows.map(({ name }) => name);
  refuseNewer(applied, flavor);
  return applied;
}
