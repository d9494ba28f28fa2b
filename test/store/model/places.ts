/** Where the stores of a model test keep their data: one place for many sequences, for making one costs more than a sequence. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { fileStore } from "../../../src/files.js";
import { postgresStore } from "../../../src/postgres.js";
import { memoryStore, type TaskStore } from "../../../src/server.js";
import { sqliteStore } from "../../../src/sqlite.js";
import { ask, newSchema } from "../postgres-fixture.js";

/** How long the stores keep what has ended, in ms. */
export interface Bounds {
  readonly ttl: number;
  readonly replayWindow: number;
}

/** One place. */
export interface Place {
  /** Opens what is there. */
  open(): Promise<TaskStore>;
  /** The data outlive the store. */
  readonly lasts: boolean;
  /** It may be open several times at once. */
  readonly shared: boolean;
  /** Claims of deliveries end with the store. */
  readonly forgetsClaims: boolean;
  /** Opening it takes so long that a sequence does it once at most. */
  readonly opensSlowly?: true;
  /** Removes it with all that is in it. */
  remove(): Promise<void>;
}

/** A disk that costs nothing, where there is one. */
const root = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

function inFolder(open: (dir: string) => TaskStore | Promise<TaskStore>, shared: boolean): Place {
  const dir = mkdtempSync(join(root, "a2a-model-"));
  return {
    open: async () => open(dir),
    lasts: true,
    shared,
    forgetsClaims: !shared,
    remove() {
      rmSync(dir, { recursive: true });
      return Promise.resolve();
    },
  };
}

/** How a place of each store is made. */
export function places(bounds: Bounds, postgres: string | undefined): Record<string, () => Place> {
  return {
    memory: () => ({
      open: () => Promise.resolve(memoryStore(bounds)),
      lasts: false,
      shared: false,
      forgetsClaims: false,
      remove: () => Promise.resolve(),
    }),
    files: () => inFolder((dir) => fileStore({ dir, ...bounds }), false),
    SQLite: () => inFolder((dir) => sqliteStore({ path: join(dir, "tasks.db"), ...bounds }), true),
    ...(postgres !== undefined && { PostgreSQL: () => inSchema(postgres, bounds) }),
  };
}

function inSchema(url: string, bounds: Bounds): Place {
  const schema = newSchema();
  // It outlives the stores on it: connecting takes longer than most sequences. What is lost with the server need not be synced.
  const pool = new pg.Pool({ connectionString: url, max: 4, options: "-c synchronous_commit=off" });
  return {
    open: () => postgresStore({ pool, schema, ...bounds }),
    lasts: true,
    shared: true,
    forgetsClaims: false,
    opensSlowly: true,
    async remove() {
      await pool.end();
      await ask(url, schema, `drop schema if exists ${schema} cascade`);
    },
  };
}
