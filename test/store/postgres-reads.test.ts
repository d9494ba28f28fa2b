import { afterAll, describe, expect, test } from "vitest";
import { postgresStore } from "../../src/postgres.js";
import type { StoredTask } from "../../src/store/types.js";
import { alice, append, birth } from "../../src/testing/conformance/fixtures.js";
import { serviceUrl } from "../services/service-url.js";
import { newSchema } from "./postgres-fixture.js";
import { recordingPool } from "./recording-pool.js";

const url = serviceUrl("postgres", "what reads of PostgreSQL cost") ?? "";
const KB = 1_024;
const revisions = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe.skipIf(url === "")("a read of PostgreSQL", () => {
  const schema = newSchema();
  const { pool, received, end } = recordingPool(url);
  afterAll(end);

  const cost = async (
    read: () => Promise<StoredTask | undefined>,
  ): Promise<[StoredTask | undefined, number]> => {
    const before = received();
    return [await read(), received() - before];
  };

  test("takes no more of the events than asked for, but the first, and all in a few turns", async () => {
    const store = await postgresStore({ pool, schema });
    await store.commit([birth("a")]);
    const text = `"${"é".repeat(10_000)}"`;
    await store.commit(revisions(2, 201).map((n) => append("a", n, n, { events: [{ n, text }] })));
    const read = (after: number, size?: number): Promise<[StoredTask | undefined, number]> =>
      cost(async () => store.read(alice, "a", { after, ...(size !== undefined && { size }) }));
    const [whole, all] = await read(1);
    expect(whole?.events.length).toBe(200);
    expect(all).toBeGreaterThan(200 * 20_000);
    const [some, part] = await read(1, 256 * KB);
    expect(part).toBeLessThan(300 * KB);
    expect(some?.events.map(({ n }) => n)).toEqual(revisions(2, 15));
    const [one] = await read(100, 1);
    expect(one?.events).toEqual([{ n: 101, text }]);
    const seen: number[] = [];
    for (let after = 1; after < 201; after = seen.at(-1) ?? 201) {
      const [next] = await read(after, 256 * KB);
      seen.push(...(next?.events ?? []).map(({ n }) => n));
    }
    expect(seen).toEqual(revisions(2, 201));
  });

  test("takes parts of a commit too, where that is very long", async () => {
    const store = await postgresStore({ pool, schema });
    await store.commit([birth("b")]);
    const text = `"${"x".repeat(10_000)}"`;
    const events = revisions(2, 401).map((n) => ({ n, text }));
    await store.commit([append("b", 2, 401, { events })]);
    const [task, bytes] = await cost(async () => store.read(alice, "b", { after: 5, size: 100 * KB }));
    expect(task?.events[0]?.n).toBe(6);
    expect(bytes).toBeLessThan(300 * KB);
    expect((await store.read(alice, "b", { after: 1 }))?.events).toEqual(events);
  });

  test("costs next to nothing at the current revision, however long the task is", async () => {
    const store = await postgresStore({ pool, schema });
    const text = JSON.stringify("x".repeat(1_000 * KB));
    await store.commit([birth("c", { snapshot: { at: 1, received: 0, text, agent: text } })]);
    await store.commit(revisions(2, 2_001).map((n) => append("c", n, n)));
    const [task, bytes] = await cost(async () =>
      store.read(alice, "c", { after: 2_001, size: 1, bare: true }),
    );
    expect(task).toMatchObject({ revision: 2_001, events: [], messages: [] });
    expect(bytes).toBeLessThan(2 * KB);
    const [last, little] = await cost(async () =>
      store.read(alice, "c", { after: 2_000, size: 1, bare: true }),
    );
    expect(last?.events.map(({ n }) => n)).toEqual([2_001]);
    expect(little).toBeLessThan(2 * KB);
    const [full] = await cost(async () => store.read(alice, "c", { after: 2_001 }));
    expect(full?.snapshot).toMatchObject({ text, agent: text });
  });

  test("gives the whole task where the events are gone", async () => {
    const store = await postgresStore({ pool, schema });
    await store.commit([birth("d")]);
    const snapshot = { at: 3, received: 0, text: '"fold"', agent: '"agent"' };
    await store.commit([append("d", 2, 3, { snapshot, dropEvents: true })]);
    const task = await store.read(alice, "d", { after: 1, size: 1, bare: true });
    expect(task).toMatchObject({ snapshot, events: [], revision: 3, replayFrom: 3 });
  });
});
