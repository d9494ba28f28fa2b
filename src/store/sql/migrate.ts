import { Migrator, sql, type Kysely } from "kysely";
import type { Flavor } from "./flavor.js";
import { migrationNames } from "./migration-names.js";
import { migrationsOf } from "./migrations.js";
import { refuseNewer } from "./refuse-newer.js";

/** A migration, and whether the database has it. */
export interface MigrationState {
  readonly name: (typeof migrationNames)[number];
  readonly applied: boolean;
}

/** Applies what is pending. Gives the names applied. Throws `CONFIG` where the database is of a newer version. */
export async function migrateUp(db: Kysely<unknown>, flavor: Flavor): Promise<readonly string[]> {
  await checkKnown(db);
  return run(() => migratorOf(db, flavor).migrateToLatest());
}

/** Takes the last migration back, with the data in its tables. Gives its name, or nothing where none is applied. */
export async function migrateDown(db: Kysely<unknown>, flavor: Flavor): Promise<readonly string[]> {
  await checkKnown(db);
  return run(() => migratorOf(db, flavor).migrateDown());
}

/** All migrations in their order. Changes nothing. */
export async function migrationStates(db: Kysely<unknown>): Promise<readonly MigrationState[]> {
  const applied = await checkKnown(db);
  return migrationNames.map((name) => ({ name, applied: applied.includes(name) }));
}

const migratorOf = (db: Kysely<unknown>, flavor: Flavor): Migrator =>
  new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrationsOf(flavor) }) } });

async function run(migrate: () => ReturnType<Migrator["migrateToLatest"]>): Promise<readonly string[]> {
  const { error, results = [] } = await migrate();
  if (error !== undefined)
    throw error instanceof Error ? error : new Error("migration failed", { cause: error });
  return results.map(({ migrationName }) => migrationName);
}

async function checkKnown(db: Kysely<unknown>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === "kysely_migration")) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const applied = rows.map(({ name }) => name);
  refuseNewer(applied);
  return applied;
}
