import type { Kysely } from "kysely";
import { sqliteFlavor, type Flavor } from "../sql/flavor.js";
import { migrateUp } from "../sql/migrate.js";
import { urlPath } from "../url-path.js";
import { sqliteKysely } from "./sqlite-dialect.js";
import { openSqlite, type SqliteDatabase } from "./sqlite-driver.js";

let last: Promise<unknown> = Promise.resolve();

/**
 * Applies what is pending to an open file; of several processes at once, one does. Within a process one file comes after
 * the other: waiting for a lock stops everything here, also whoever has the lock.
 */
export function migrateFile(db: SqliteDatabase): Promise<readonly string[]> {
  const done = last.then(() => migrateUp(sqliteKysely(db), sqliteFlavor));
  last = done.catch(() => undefined);
  return done;
}

/** Opens the file of `sqlite:tasks.db` for migrations, as long as `work` takes. */
export async function withSqliteMigrations<T>(
  url: string,
  work: (database: { readonly db: Kysely<unknown>; readonly flavor: Flavor }) => Promise<T>,
): Promise<T> {
  const file = await openSqlite(urlPath(url));
  try {
    file.exec("pragma busy_timeout = 10000");
    return await work({ db: sqliteKysely(file), flavor: sqliteFlavor });
  } finally {
    file.close();
  }
}
