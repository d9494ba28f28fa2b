import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { postgresStore } from "../../src/postgres.js";
import { sqliteStore } from "../../src/sqlite.js";
import { openSqlite } from "../../src/store/sqlite/sqlite-driver.js";
import type { TaskStore } from "../../src/store/types.js";
import type { Settings } from "./processes/settings.js";

/** Tasks in each state, as a store counts them and as they are. */
export interface Counted {
  readonly state: string;
  readonly counted: number;
  readonly there: number;
}

/** Where the tasks of a fault are, seen without any instance. */
export interface Place extends AsyncDisposable {
  readonly settings: Settings["store"];
  readonly store: TaskStore;
  /** Counter rows beside `count(*)`. */
  counts(): Promise<readonly Counted[]>;
}

const COUNTS = `select coalesce(c.state, t.state) as state, coalesce(c.n, 0) as counted, coalesce(t.n, 0) as there
  from (select state, sum(n) as n from a2a_counts group by state) c
  full join (select state, count(*) as n from a2a_tasks group by state) t on c.state = t.state`;

/** A file of SQLite in a folder of its own, or in the one that is given. */
export async function sqlitePlace(folder?: string): Promise<Place> {
  const dir = folder ?? mkdtempSync(join(tmpdir(), "a2a-faults-"));
  const path = join(dir, "tasks.db");
  const store = await sqliteStore({ path, replayWindow: 600_000 });
  return {
    settings: { kind: "sqlite", path },
    store,
    async counts() {
      const db = await openSqlite(path);
      const rows = db.prepare(COUNTS).all();
      db.close();
      return rows.map(numbers);
    },
    async [Symbol.asyncDispose]() {
      await store.close?.();
      if (folder === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

let databases = 0;

/** A new database of a server. */
export async function postgresPlace(server: string): Promise<Place> {
  const name = `faults_${String(process.pid)}_${String((databases += 1))}`;
  await ask(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const store = await postgresStore({ url: url.href, replayWindow: 600_000, max: 2 });
  return {
    settings: { kind: "postgres", url: url.href },
    store,
    counts: async () => (await ask(url.href, COUNTS)).map(numbers),
    [Symbol.asyncDispose]: async () => store.close?.(),
  };
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const numbers = (row: unknown): Counted => {
  const { state, counted, there } = row as Record<string, unknown>;
  return { state: String(state), counted: Number(counted), there: Number(there) };
};
