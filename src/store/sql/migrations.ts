import type { Flavor, SqlMigration } from "./flavor.js";
import type { migrationNames } from "./migration-names.js";
import { tasks0001 } from "./migrations/tasks-0001.js";

/** All migrations by name, in their order. */
export const migrationsOf = (
  flavor: Flavor,
): Readonly<Record<(typeof migrationNames)[number], SqlMigration>> => ({
  "0001-tasks": tasks0001(flavor),
});
