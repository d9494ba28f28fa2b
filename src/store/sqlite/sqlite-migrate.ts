import { sqliteFlavor } from "../sql/flavor.js";
import { migrateUp } from "../sql/migrate.js";
import { sqliteKysely } from "./sqlite-dialect.js";
import type { SqliteDatabase } from "./sqlite-driver.js";

/** Applies what is pending to an open file; of several processes at once, one does. */
export const migrateFile = (db: SqliteDatabase): Promise<readonly string[]> =>
  migrateUp(sqliteKysely(db), sqliteFlavor);
