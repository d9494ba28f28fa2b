import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStore, type CommitEntry, type TaskStore } from "../../src/server.js";

const scope = { tenant: "", owner: "" };
const SECOND = 1_000;
const start = Date.UTC(2030, 0, 1);

function entry(id: string, n: number, state: string, ms: number): CommitEntry {
  const terminal = state === "DONE";
  return {
    scope,
    taskId: id,
    expect: n - 1,
    fence: 0,
    head: {
      contextId: `c${String(id.length % 3)}`,
      state,
      timestamp: new Date(start + ms).toISOString(),
      terminal,
    },
    events: [{ n, text: "{}" }],
    ...((n === 1 || terminal) && { snapshot: { at: n, received: 0, text: `{"id":"${id}"}` } }),
  };
}

const listed = async (store: TaskStore): Promise<string[]> =>
  (await store.list(scope, { pageSize: 100 })).tasks.map(({ taskId }) => taskId);

describe("bounds of the memory store", () => {
  test("beyond maxTasks those that ended first go; live ones stay however many (A2A-3.4.1-i)", async () => {
    const store = memoryStore({ maxTasks: 3 });
    for (let i = 0; i < 3; i += 1) {
      await store.commit([entry(`live${String(i)}`, 1, "OPEN", i)]);
      await store.commit([
        entry(`done${String(i)}`, 1, "OPEN", i),
        entry(`done${String(i)}`, 2, "DONE", 10 + i),
      ]);
    }
    // The newest finished one stays until another task needs the place.
    expect(await listed(store)).toEqual(["done2", "live2", "live1", "live0"]);
    await store.commit([entry("live3", 1, "OPEN", 99)]);
    expect(await listed(store)).toEqual(["live3", "live2", "live1", "live0"]);
  });

  test("nothing is kept of scopes that were only asked about: callers name whatever tenant they like", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const held = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const store = memoryStore();
    const before = held();
    for (let i = 0; i < 300; i += 1) {
      const tenant = Buffer.alloc(100_000, `${String(i)}.`).toString("latin1");
      expect((await store.list({ tenant, owner: "" }, { pageSize: 1 })).totalSize).toBe(0);
    }
    expect(held() - before).toBeLessThan(10_000_000);
    expect(await listed(store)).toEqual([]);
  });

  test("one whose webhooks still wait goes last", async () => {
    const store = memoryStore({ maxTasks: 2 });
    const outbox = [{ configId: "w", n: 2, text: "{}" }];
    await store.commit([entry("waits", 1, "OPEN", 0)]);
    await store.commit([{ ...entry("waits", 2, "DONE", 0), outbox }]);
    for (const id of ["a", "b", "c"]) await store.commit([entry(id, 1, "OPEN", 1), entry(id, 2, "DONE", 1)]);
    expect(await listed(store)).toContain("waits");
    const [delivery] = await store.outbox.claim("me", 0, 1, 1);
    if (delivery) await store.outbox.ack(delivery);
    for (const id of ["d", "e"]) await store.commit([entry(id, 1, "OPEN", 2), entry(id, 2, "DONE", 2)]);
    expect(await listed(store)).toEqual(["e", "d"]);
  });

  test("questions that nobody answers do not pile up beyond a quarter more than the bound; the longest waiting go first", async () => {
    const store = memoryStore({ maxTasks: 4 });
    const pause = async (id: string, n: number, ms: number): Promise<void> => {
      expect(await store.commit([entry(id, n, "TASK_STATE_INPUT_REQUIRED", ms)])).toEqual(["ok"]);
    };
    await store.commit([entry("works", 1, "TASK_STATE_WORKING", 0)]);
    for (let i = 0; i < 4; i += 1) await pause(`p${String(i)}`, 1, i);
    // It was answered, and asks again: now it waits for the shortest time.
    await store.commit([entry("p0", 2, "TASK_STATE_WORKING", 10)]);
    await pause("p0", 3, 11);
    expect(await listed(store)).toEqual(["p0", "p3", "p2", "p1", "works"]);
    for (let i = 4; i < 6; i += 1) await pause(`p${String(i)}`, 1, 20 + i);
    expect(await listed(store)).toEqual(["p5", "p4", "p0", "p3", "works"]);
  });

  test("webhooks that take nothing do not let finished tasks pile up beyond a quarter more than the bound", async () => {
    const store = memoryStore({ maxTasks: 5 });
    for (let i = 0; i < 50; i += 1) {
      const id = `t${String(i)}`;
      await store.commit([entry(id, 1, "OPEN", i)]);
      await store.commit([{ ...entry(id, 2, "DONE", i), outbox: [{ configId: "w", n: 2, text: "{}" }] }]);
    }
    const kept = await listed(store);
    expect(kept.length).toBe(7);
    expect(kept).toContain("t49");
    // Those that stay are delivered still, those that went are not.
    const claimed = await store.outbox.claim("me", 0, 1, 100);
    expect(claimed.map(({ taskId }) => taskId).toSorted()).toEqual(kept.toSorted());
  });

  test("of deliveries that nobody takes the newest stay, and the one that is on its way", async () => {
    const store = memoryStore({ maxEvents: 3 });
    const rows = [1, 2, 3, 4, 5, 6].map((n) => ({ configId: "w", n, text: "{}" }));
    await store.commit([{ ...entry("t", 1, "OPEN", 0), outbox: rows }]);
    const taken: number[] = [];
    for (;;) {
      const [delivery] = await store.outbox.claim("me", 0, 1, 1);
      if (delivery === undefined) break;
      taken.push(delivery.n);
      await store.outbox.ack(delivery);
    }
    expect(taken).toEqual([1, 5, 6]);
  });

  test("the newest finished task is still there right after it ended", async () => {
    const store = memoryStore({ maxTasks: 2 });
    for (let i = 0; i < 5; i += 1) {
      await store.commit([entry(`t${String(i)}`, 1, "OPEN", i)]);
      await store.commit([entry(`t${String(i)}`, 2, "DONE", i)]);
    }
    expect(await listed(store)).toEqual(["t4", "t3"]);
  });

  test("of a finished task at most maxEvents are kept for replay", async () => {
    const store = memoryStore({ maxEvents: 2 });
    for (let n = 1; n <= 5; n += 1) await store.commit([entry("a", n, n === 5 ? "DONE" : "OPEN", n)]);
    const task = await store.read(scope, "a", { after: 3 });
    expect(task?.events.map(({ n }) => n)).toEqual([4, 5]);
    expect(task?.replayFrom).toBe(3);
  });

  test("an emptied scope leaves nothing behind", async () => {
    const store = memoryStore({ ttl: SECOND });
    const owner = { tenant: "x", owner: "y" };
    await store.commit([{ ...entry("a", 1, "OPEN", 0), scope: owner }]);
    await store.commit([{ ...entry("a", 2, "DONE", 0), scope: owner }]);
    expect(await store.sweep(start + 2 * SECOND, 10)).toBe(1);
    expect(await store.read(owner, "a")).toBeUndefined();
    expect(store.commit([{ ...entry("a", 1, "OPEN", 5), scope: owner }])).toEqual(["ok"]);
  });

  test("lists agree with sorting and filtering all tasks, whatever was done before", () => {
    const ids = fc.constantFrom("a", "bb", "ccc", "dddd", "eeeee", "ffffff");
    const step = fc.record({
      id: ids,
      state: fc.constantFrom("OPEN", "PAUSED", "DONE"),
      ms: fc.nat(5),
      drop: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const store = memoryStore();
        const model = new Map<string, { id: string; n: number; entry: CommitEntry }>();
        for (const { id, state, ms, drop } of steps) {
          if (drop === 0) {
            expect(store.delete(scope, id)).toBe(model.delete(id));
            continue;
          }
          const known = model.get(id);
          const next = entry(id, (known?.n ?? 0) + 1, state, ms);
          const over = known?.entry.head?.terminal === true;
          expect(store.commit([next])).toEqual([over ? "conflict" : "ok"]);
          if (!over) model.set(id, { id, n: (known?.n ?? 0) + 1, entry: next });
        }
        const all = [...model.values()].sort((a, b) => {
          const [x, y] = [a.entry.head?.timestamp ?? "", b.entry.head?.timestamp ?? ""];
          return x === y ? (a.id > b.id ? -1 : 1) : x > y ? -1 : 1;
        });
        for (const query of [
          {},
          { state: "OPEN" },
          { state: "DONE" },
          { contextId: "c1" },
          { contextId: "c2", state: "PAUSED" },
        ]) {
          const expected = all.filter(
            ({ entry: { head } }) =>
              (!("state" in query) || head?.state === query.state) &&
              (!("contextId" in query) || head?.contextId === query.contextId),
          );
          const found: string[] = [];
          let pageToken = "";
          do {
            const page = store.list(scope, { pageSize: 2, ...query, ...(pageToken && { pageToken }) });
            if (page instanceof Promise) throw new Error("the memory store answers at once");
            expect(page.totalSize).toBe(expected.length);
            found.push(...page.tasks.map(({ taskId }) => taskId));
            pageToken = page.nextPageToken;
          } while (pageToken !== "");
          expect(found).toEqual(expected.map(({ id }) => id));
        }
      }),
      { numRuns: 300 },
    );
  });
});
