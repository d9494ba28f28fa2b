import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { filterOf, pageSql } from "../../src/store/sqlite/sqlite-list.js";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import type { ListQuery } from "../../src/store/types.js";
import {
  alice,
  append,
  at,
  birth,
  bob,
  COMPLETED,
  finish,
  head,
  msAt,
  snapshotAt,
  WORKING,
} from "../../src/testing/conformance/fixtures.js";

const dir = mkdtempSync(join(tmpdir(), "a2a-sqlite-"));
afterAll(() => {
  rmSync(dir, { recursive: true });
});
let files = 0;
const newPath = (): string => join(dir, `${String((files += 1))}.db`);

/** Looks at a file beside its store. */
function look<T>(path: string, use: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

describe("a file of SQLite", () => {
  it("two connections on one file see and refuse each other's commits", async () => {
    const path = newPath();
    const [one, other] = await Promise.all([sqliteStore({ path }), sqliteStore({ path })]);
    expect(await one.commit([birth("a")])).toEqual(["ok"]);
    expect(await other.commit([append("a", 2, 2)])).toEqual(["ok"]);
    expect(await one.commit([append("a", 2, 2)])).toEqual(["conflict"]);
    expect((await one.read(alice, "a"))?.revision).toBe(2);
    await one.close?.();
    await other.close?.();
  });

  it("answers synchronously, with a row of events for each commit", async () => {
    const path = newPath();
    const store = await sqliteStore({ path });
    expect(store.commit([birth("a")])).toEqual(["ok"]);
    expect(store.commit([append("a", 2, 50)])).toEqual(["ok"]);
    expect(store.read(alice, "a", { after: 0 })).toMatchObject({ revision: 50 });
    expect(look(path, (db) => db.prepare("select first, last from a2a_events").all())).toEqual([
      { first: 1, last: 1 },
      { first: 2, last: 50 },
    ]);
    await store.close?.();
  });

  it("lists by index: no page is sorted, none reads what does not match its scope", async () => {
    const path = newPath();
    await (await sqliteStore({ path })).close?.();
    const queries: [ListQuery, since: string, index: string][] = [
      [{ pageSize: 1 }, "", "a2a_tasks_list"],
      [{ pageSize: 1 }, at(5), "a2a_tasks_list"],
      [{ pageSize: 1, contextId: "c1" }, "", "a2a_tasks_context"],
      [{ pageSize: 1, contextId: "c1", state: WORKING }, at(5), "a2a_tasks_context"],
      [{ pageSize: 1, state: WORKING }, "", "a2a_tasks_state"],
      [{ pageSize: 1, state: WORKING }, at(5), "a2a_tasks_state"],
    ];
    for (const [query, since, index] of queries) {
      for (const after of [undefined, { ts: at(9), id: "x" }]) {
        const { sql, values } = pageSql(filterOf(alice, query, since), after);
        const plan = look(path, (db) => db.prepare(`explain query plan ${sql}`).all(...values, 10));
        const details = (plan as { detail: string }[]).map(({ detail }) => detail).join("\n");
        expect(details).toMatch(new RegExp(`^SEARCH a2a_tasks USING INDEX ${index} \\([^\\n]*\\)$`));
      }
    }
  });

  it("reads no more events than asked for, but the first", async () => {
    const store = await sqliteStore({ path: newPath() });
    await store.commit([birth("a")]);
    for (let n = 2; n <= 200; n += 1) await store.commit([append("a", n, n)]);
    const count = async (size: number): Promise<number | undefined> =>
      (await store.read(alice, "a", { after: 1, size }))?.events.length;
    expect([await count(1), await count(100_000)]).toEqual([1, 199]);
    expect(await count(500)).toBeGreaterThan(32);
    expect(await count(500)).toBeLessThan(60);
    await store.close?.();
  });

  it("its counters equal what is counted", async () => {
    const path = newPath();
    const store = await sqliteStore({ path, ttl: 1_000 });
    for (let i = 0; i < 60; i += 1) {
      const scope = i % 3 === 0 ? bob : alice;
      const id = `t${String(i)}`;
      await store.commit([birth(id, { scope })]);
      if (i % 2 === 0) await store.commit([append(id, 2, 2, { scope, head: head(WORKING, i) })]);
      if (i % 4 === 0) await store.commit([finish(id, 3, i, { scope }), finish(id, 3, i, { scope })]);
      if (i % 5 === 0) await store.delete(scope, id);
    }
    await store.sweep(msAt(30), 100);
    const [kept, counted] = look(path, (db) => [
      db.prepare("select tenant, owner, state, n from a2a_counts order by 1, 2, 3").all(),
      db
        .prepare(
          "select tenant, owner, state, count(*) as n from a2a_tasks group by 1, 2, 3 order by 1, 2, 3",
        )
        .all(),
    ]);
    expect(kept).toEqual(counted);
    expect(kept.length).toBeGreaterThan(4);
    expect((await store.list(alice, { pageSize: 1, state: COMPLETED })).totalSize).toBeGreaterThan(0);
    await store.close?.();
  });

  it("a chunk costs what it is long, the 10,000th as much as the first", async () => {
    const path = newPath();
    const store = await sqliteStore({ path });
    await store.commit([birth("a")]);
    const text = JSON.stringify({ chunk: "x".repeat(200) });
    const write = (from: number, to: number): void => {
      for (let n = from; n <= to; n += 1) {
        void store.commit([append("a", n, n, { events: [{ n, text }] })]);
      }
    };
    const pages = (): number => look(path, (db) => Number(db.pragma("page_count", { simple: true })) * 4_096);
    const before = pages();
    write(2, 5_001);
    const half = pages();
    write(5_002, 10_001);
    const whole = pages();
    expect(whole - half).toBeLessThan(1.2 * (half - before));
    expect(whole - before).toBeLessThan(2 * 10_000 * text.length);
    await store.close?.();
  });

  it("a commit costs the same whatever the size of the snapshot", async () => {
    const store = await sqliteStore({ path: newPath() });
    const long = "x".repeat(4_000_000);
    const snapshot = { at: 1, received: 0, text: "{}" };
    await store.commit([
      birth("small", { snapshot }),
      birth("large", { snapshot: { ...snapshot, text: JSON.stringify({ long }) } }),
    ]);
    const times = { small: [] as number[], large: [] as number[] };
    for (let n = 2; n < 60; n += 1) {
      for (const id of ["small", "large"] as const) {
        const start = performance.now();
        // Every other one changes the row of the task, too.
        expect(store.commit([append(id, n, n, n % 2 === 0 ? {} : { head: head(WORKING, n) })])).toEqual([
          "ok",
        ]);
        times[id].push(performance.now() - start);
      }
    }
    const low = (all: number[]): number => all.sort((a, b) => a - b)[Math.floor(all.length * 0.75)] ?? 0;
    expect(low(times.large)).toBeLessThan(5 * low(times.small));
    expect(store.read(alice, "large")).toMatchObject({
      revision: 59,
      snapshot: { text: `{"long":"${long}"}` },
    });
    await store.commit([append("large", 60, 60, { snapshot: { at: 60, received: 0, text: `"short"` } })]);
    expect(store.read(alice, "large")).toMatchObject({
      revision: 60,
      snapshot: { text: `"short"` },
      events: [],
    });
    await store.close?.();
  });

  it("a commit that meets an error is taken back whole, and can be tried again", async () => {
    const path = newPath();
    const store = await sqliteStore({ path });
    await store.commit([birth("a")]);
    // The file may not grow: what a full disk does.
    look(path, (db) =>
      db.exec("create trigger full before insert on a2a_events begin select raise(abort, 'full'); end"),
    );
    const batch = [birth("b", { events: [], snapshot: snapshotAt("b", 1) }), append("a", 2, 2)];
    expect(() => store.commit(batch)).toThrow("full");
    expect(await store.read(alice, "b")).toBeUndefined();
    expect((await store.list(alice, { pageSize: 5 })).totalSize).toBe(1);
    look(path, (db) => db.exec("drop trigger full"));
    expect(await store.commit(batch)).toEqual(["ok", "ok"]);
    await store.close?.();
  });

  it("refuses a path that cannot be had, a file that is none, and one of a newer version", async () => {
    const refused = { reason: "CONFIG" };
    await expect(sqliteStore({ path: join(dir, "missing", "x.db") })).rejects.toMatchObject(refused);
    await expect(sqliteStore({ path: "" })).rejects.toMatchObject(refused);
    const text = newPath();
    writeFileSync(text, "no database at all, but some text ".repeat(100));
    await expect(sqliteStore({ path: text })).rejects.toMatchObject(refused);
    const newer = newPath();
    await (await sqliteStore({ path: newer })).close?.();
    look(newer, (db) => db.exec("insert into kysely_migration values ('9999-future', '')"));
    await expect(sqliteStore({ path: newer })).rejects.toMatchObject(refused);
  });
});
