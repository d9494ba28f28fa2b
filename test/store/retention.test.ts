/** What is past its time goes in batches, found by index, and requests are answered meanwhile. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { fileStore } from "../../src/files.js";
import { postgresStore } from "../../src/postgres.js";
import { memoryStore, type TaskStore } from "../../src/server.js";
import { sqliteStore } from "../../src/sqlite.js";
import { openSqlite } from "../../src/store/sqlite/sqlite-driver.js";
import { alice, append, birth, finish, msAt } from "../../src/testing/conformance/fixtures.js";
import { serviceUrl } from "../services/service-url.js";
import { ask, newSchema } from "./postgres-fixture.js";

const TASKS = 230;
/** Tasks that go before others have their turn. */
const SLICE = 50;
const bounds = { ttl: 60_000, replayWindow: 10_000 };
const url = serviceUrl("postgres", "the retention of the PostgreSQL store");
const schema = newSchema();

const after: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of after.splice(0).toReversed()) await one();
});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "a2a-retention-"));
  after.push(() => rmSync(dir, { recursive: true }));
  return dir;
}

const stores: Record<string, () => TaskStore | Promise<TaskStore>> = {
  memory: () => memoryStore(bounds),
  files: () => fileStore({ dir: folder(), ...bounds }),
  SQLite: () => sqliteStore({ path: join(folder(), "tasks.db"), ...bounds }),
  ...(url !== undefined && {
    PostgreSQL() {
      after.push(() => ask(url, schema, `drop schema ${schema} cascade`));
      return postgresStore({ url, schema, max: 2, ...bounds });
    },
  }),
};

/** Tasks with events that all ended at the same time, and one that goes on. */
async function filled(open: () => TaskStore | Promise<TaskStore>): Promise<TaskStore> {
  const store = await open();
  after.push(() => store.close?.());
  const ids = Array.from({ length: TASKS }, (_, i) => String(i));
  await store.commit([...ids, "live"].map((id) => birth(id)));
  await store.commit([...ids, "live"].map((id) => append(id, 2, 3)));
  await store.commit(ids.map((id) => finish(id, 4)));
  return store;
}

const sizeOf = async (store: TaskStore): Promise<number> =>
  (await store.list(alice, { pageSize: 1 })).totalSize;

/** Sizes that requests find, one after the other, until something is over. */
async function sizesDuring(store: TaskStore, sweep: Promise<unknown>): Promise<number[]> {
  const sizes: number[] = [];
  let over = false;
  const ended = sweep.finally(() => {
    over = true;
  });
  while (!over) {
    sizes.push(await sizeOf(store));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  return sizes;
}

/** In the place of `test` where a store does it another way. */
const noTest = (_name: string, _run: () => Promise<void>): void => undefined;

describe.each(Object.entries(stores))("%s", { timeout: 30_000 }, (name, open) => {
  const inSlices = name === "files" || name === "SQLite" ? test : noTest;
  const inTransaction = name === "PostgreSQL" ? test : noTest;

  test("no more tasks go at once than asked for, and none that goes on", async () => {
    const store = await filled(open);
    const gone: number[] = [];
    for (const limit of [60, 70, 1_000, 1_000]) gone.push(await store.sweep(msAt(61), limit));
    expect(gone).toEqual([60, 70, TASKS - 130, 0]);
    expect(await sizeOf(store)).toBe(1);
    expect((await store.read(alice, "live", { after: 0 }))?.events).toHaveLength(3);
  });

  test("events go before tasks do", async () => {
    const store = await filled(open);
    const kept = async (): Promise<number> =>
      (await store.read(alice, "7", { after: 0 }))?.events.length ?? Number.NaN;
    expect([await store.sweep(msAt(9), 1_000), await kept()]).toEqual([0, 4]);
    expect([await store.sweep(msAt(11), 1_000), await kept()]).toEqual([0, 0]);
    expect(await sizeOf(store)).toBe(TASKS + 1);
  });

  // What runs in this process must let go now and then.
  inSlices("requests are answered while a large sweep runs", async () => {
    const store = await filled(open);
    const sizes = await sizesDuring(store, Promise.resolve(store.sweep(msAt(61), 1_000)));
    expect(await sizeOf(store)).toBe(1);
    const steps = sizes.slice(1).map((size, i) => (sizes[i] ?? size) - size);
    expect(Math.max(...steps)).toBeLessThanOrEqual(SLICE);
    expect(sizes.length).toBeGreaterThanOrEqual(Math.floor(TASKS / SLICE));
  });

  inTransaction("requests are answered while a sweep is in its transaction", async () => {
    const store = await filled(open);
    const holder = new pg.Client(url);
    await holder.connect();
    after.push(() => holder.end());
    await holder.query(`begin; select * from ${schema}.a2a_counts for update`);
    let over = false;
    const sweep = Promise.resolve(store.sweep(msAt(61), 1_000)).finally(() => {
      over = true;
    });
    expect([await sizeOf(store), over]).toEqual([TASKS + 1, false]);
    await holder.query("commit");
    expect([await sweep, await sizeOf(store)]).toEqual([TASKS, 1]);
  });

  inSlices("a store that is closed meanwhile keeps the rest", async () => {
    const store = await filled(open);
    const sweep = Promise.resolve(store.sweep(msAt(61), 1_000));
    await store.close?.();
    expect(await sweep).toBeLessThanOrEqual(TASKS);
  });
});

describe("SQLite finds by index", () => {
  test.each([
    ["tasks past their time", "ended_at is not null and ended_at <= ?", "a2a_tasks_ended"],
    [
      "events past their time",
      "ended_at is not null and replay_from < revision and ended_at <= ?",
      "a2a_tasks_replay",
    ],
  ])("%s", async (_, where, index) => {
    const path = join(folder(), "tasks.db");
    await (await sqliteStore({ path })).close?.();
    const db = await openSqlite(path);
    after.push(() => db.close());
    const sql = `select tenant, owner, id from a2a_tasks where ${where} order by ended_at limit ?`;
    const plan = db.prepare(`explain query plan ${sql}`).all(1, 1) as { detail: string }[];
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining(index)]);
  });
});
