import { A2AError } from "../../errors.js";

/** What is bound to a statement. */
export type SqliteValue = string | number | null;

/** A prepared statement: the same in `node:sqlite` and `better-sqlite3`. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

/** An open file: the same in both. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/** Opens a file with `node:sqlite`, else `better-sqlite3`. Throws `CONFIG` where neither is there or the file cannot be had. */
export async function openSqlite(path: string): Promise<SqliteDatabase> {
  const Database = await loadDriver();
  try {
    return new Database(path);
  } catch (cause) {
    throw new A2AError("CONFIG", `store: SQLite cannot open ${path}: ${String(cause)}`, { cause });
  }
}

async function loadDriver(): Promise<new (path: string) => SqliteDatabase> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  // Before, it wants a flag.
  if (major > 22 || (major === 22 && minor >= 13)) {
    const builtin = process.getBuiltinModule("node:sqlite");
    if (hasDatabase(builtin)) return builtin.DatabaseSync;
  }
  try {
    const { default: Database } = await import("better-sqlite3");
    return Database;
  } catch (cause) {
    const needs = "SQLite needs Node.js 22.13 or later, or the package better-sqlite3";
    throw new A2AError("CONFIG", `store: ${needs}; run: npm install better-sqlite3@12`, { cause });
  }
}

const hasDatabase = (
  loaded: object | undefined,
): loaded is { DatabaseSync: new (path: string) => SqliteDatabase } =>
  loaded !== undefined && "DatabaseSync" in loaded;
