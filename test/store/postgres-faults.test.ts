import { describe, expect, test } from "vitest";
import { postgresStore } from "../../src/postgres.js";
import type { CommitEntry, CommitResult, TaskStore } from "../../src/store/types.js";
import { postgresBin, startPostgres } from "../services/postgres.js";
import { serviceUrl } from "../services/service-url.js";
import { ask, newSchema } from "./postgres-fixture.js";

const url = serviceUrl("postgres", "PostgreSQL with several writers") ?? "";
const scope = { tenant: "", owner: "" };
const head = {
  contextId: "c",
  state: "TASK_STATE_WORKING",
  timestamp: "2030-01-01T00:00:00.000Z",
  terminal: false,
};
const event = (n: number, by: string): CommitEntry["events"][number] => ({ n, text: `${by} ${String(n)}` });
const birth = (taskId: string): CommitEntry => ({
  ...{ scope, taskId, expect: 0, fence: 0, head, events: [event(1, "birth")] },
  snapshot: { at: 1, received: 0, text: "{}" },
});
const append = (taskId: string, n: number, by: string): CommitEntry => ({
  ...{ scope, taskId, expect: n - 1, fence: 0 },
  events: [event(n, by)],
});

const COUNTERS = `select coalesce(c.n, 0)::int as counted, coalesce(t.n, 0)::int as there
  from a2a_counts c full join (select state, count(*) as n from a2a_tasks group by state) t using (state)`;

describe.skipIf(url === "")("several instances on one PostgreSQL", () => {
  test("of two that append to one task each event is kept once, or refused", async () => {
    const schema = newSchema();
    // They start at once: one of them makes the tables.
    const stores = await Promise.all([1, 2, 3].map(() => postgresStore({ url, schema, max: 2 })));
    const [first] = stores;
    await first?.commit([birth("t")]);
    const kept: string[] = [];
    const write = async (store: TaskStore, by: string): Promise<void> => {
      for (let written = 0; written < 200;) {
        const n = ((await store.read(scope, "t"))?.revision ?? 0) + 1;
        const [result] = await store.commit([append("t", n, by)]);
        if (result !== "ok") continue;
        kept.push(event(n, by).text);
        written += 1;
      }
    };
    await Promise.all(stores.slice(0, 2).map((store, i) => write(store, `w${String(i)}`)));
    const task = await first?.read(scope, "t", { after: 1 });
    expect(task?.revision).toBe(401);
    expect(task?.events.map(({ n }) => n)).toEqual(Array.from({ length: 400 }, (_, i) => i + 2));
    expect(new Set(task?.events.map(({ text }) => text))).toEqual(new Set(kept));
    for (const store of stores) await store.close?.();
  }, 60_000);

  test("batches of the same tasks in any order do not wait for each other in a ring, and all is counted", async () => {
    const schema = newSchema();
    const stores = [await postgresStore({ url, schema }), await postgresStore({ url, schema })];
    const ids = Array.from({ length: 20 }, (_, i) => `t${String(i)}`);
    const results = await Promise.all(
      stores.map(async (store, i) => {
        const order = i === 0 ? ids : ids.toReversed();
        const found: CommitResult[][] = [await store.commit(order.map(birth))];
        for (let n = 2; n < 12; n += 1) found.push(await store.commit(order.map((id) => append(id, n, "w"))));
        return found.flat();
      }),
    );
    const ok = results.flat().filter((result) => result === "ok");
    const rows = await ask(url, schema, "select sum(revision)::int as n from a2a_tasks");
    expect(rows).toEqual([{ n: ok.length }]);
    for (const { counted, there } of await ask(url, schema, COUNTERS)) expect(counted).toBe(there);
    for (const store of stores) await store.close?.();
  }, 60_000);
});

describe.skipIf(postgresBin() === undefined)("PostgreSQL that is killed", () => {
  test("loses no acknowledged event and repeats none", async () => {
    await using server = await startPostgres();
    const store = await postgresStore({ url: server.url });
    const tasks = ["a", "b", "c", "d"];
    await store.commit(tasks.map(birth));
    const acknowledged = new Map<string, number>();
    let done = false;
    const write = async (id: string): Promise<void> => {
      for (let n = 2; !done; n += 1) {
        const entry = append(id, n, "w");
        let result: CommitResult | undefined;
        // Like the engine: the same entry until there is an answer.
        while (result === undefined) {
          result = await Promise.resolve(store.commit([entry])).then(
            ([found]) => found,
            () => new Promise<undefined>((resolve) => setTimeout(resolve, 20)),
          );
        }
        expect(result).toBe("ok");
        acknowledged.set(id, n);
      }
    };
    const writers = Promise.all(tasks.map(write));
    const past = async (n: number): Promise<void> => {
      while ((acknowledged.get("a") ?? 0) < n) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    for (let kills = 1; kills <= 3; kills += 1) {
      await past((acknowledged.get("a") ?? 0) + 10);
      await server.kill();
      await server.start();
    }
    await past((acknowledged.get("a") ?? 0) + 10);
    done = true;
    await writers;
    for (const id of tasks) {
      const last = acknowledged.get(id) ?? 0;
      const task = await store.read(scope, id, { after: 0 });
      expect(task?.revision).toBe(last);
      expect(task?.events.map(({ n }) => n)).toEqual(Array.from({ length: last }, (_, i) => i + 1));
    }
    for (const { counted, there } of await ask(server.url, "public", COUNTERS)) expect(counted).toBe(there);
    await store.close?.();
  }, 60_000);
});
