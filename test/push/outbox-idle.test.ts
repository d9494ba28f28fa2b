/** What it costs to look for deliveries when there is nothing to do. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { DUE } from "../../src/store/sqlite/sqlite-outbox.js";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { hook, rows, storeWith, work, type TestStore } from "./support.js";

afterEach(() => {
  vi.useRealTimers();
});

test("an idle worker asks the store once each time it polls, and for the time no more often than that", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "performance"] });
  const asked = { claims: 0, times: 0, others: 0 };
  const inner = storeWith([hook("x", "http://127.0.0.1:1/")], rows("x", 0));
  const store: TestStore = {
    ...inner,
    clock: () => {
      asked.times += 1;
      return 0;
    },
    outbox: {
      claim(...args) {
        asked.claims += 1;
        return inner.outbox.claim(...args);
      },
      ack: () => {
        asked.others += 1;
      },
    },
    configs: {
      ...inner.configs,
      get: () => {
        asked.others += 1;
        return undefined;
      },
    },
  };
  await using worker = work(store, { pollMs: 30_000 });
  await worker.idle();
  expect(asked).toEqual({ claims: 1, times: 1, others: 0 });
  for (let i = 0; i < 10; i += 1) await vi.advanceTimersByTimeAsync(30_000);
  expect(asked.claims).toBe(11);
  expect(asked.times).toBeLessThanOrEqual(11);
  expect(asked.others).toBe(0);
});

test("a look at SQLite finds what is due by an index, in order", async () => {
  const dir = mkdtempSync(join(tmpdir(), "a2a-idle-"));
  onTestFinished(() => {
    rmSync(dir, { recursive: true });
  });
  const path = join(dir, "tasks.db");
  const store = await sqliteStore({ path });
  const db = new Database(path);
  const plan = (): string[] =>
    (db.prepare(`explain query plan ${DUE}`).all(0, 1, 1) as { detail: string }[]).map(
      ({ detail }) => detail,
    );
  const byIndex = [
    "SEARCH o USING INDEX a2a_outbox_due (due>? AND due<?)",
    expect.stringMatching(/^SEARCH t USING INDEX \S+ \(tenant=\? AND owner=\? AND id=\?\)$/),
  ];
  expect(plan()).toEqual(byIndex);
  db.exec(`with recursive r(i) as (select 0 union all select i + 1 from r where i < 19999)
    insert into a2a_outbox (tenant, owner, task, config_id, n, due, holder, attempts, text)
    select '', '', 't' || (i / 10), 'x', i % 10, iif(i % 10 = 0, 9000, null), '', 0, '{}' from r`);
  db.exec("analyze");
  expect(plan()).toEqual(byIndex);
  db.close();
  await store.close?.();
});
