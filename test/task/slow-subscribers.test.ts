/**
 * A subscriber that does not keep up costs the others nothing: the task drops what only it needs, and it goes on from the
 * store, each event once and in order.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/store/memory-store.js";
import type { TaskStore } from "../../src/store/types.js";
import { TaskEngine } from "../../src/task/engine.js";
import type { LiveTask } from "../../src/task/live-task.js";
import { isTerminal } from "../../src/task/states.js";
import { Subscription } from "../../src/task/subscription.js";
import { TaskState } from "../../src/versions/pivot.js";
import { status, task, update } from "./events.js";
import { lateStore } from "./late-store.js";
import { turn } from "./slow-store.js";

const scope = { tenant: "", owner: "" };
const CHUNK = 64 * 1024;
const TEXT = "x".repeat(20_000);

function begin(store: TaskStore): { engine: TaskEngine; live: LiveTask; reports: string[] } {
  const reports: string[] = [];
  const engine = new TaskEngine({ store, sweepMs: 0, report: (message) => reports.push(message) });
  const live = engine.create(scope, task(), "c1");
  live.holds = 1;
  return { engine, live, reports };
}

const listen = (engine: TaskEngine, live: LiveTask, cursor = 0): Subscription =>
  new Subscription(live, {
    cursor,
    closes: ({ state }) => state !== undefined && isTerminal(state),
    limits: engine.limits,
  });

async function rest(stream: Subscription): Promise<number[]> {
  const ids: number[] = [];
  for await (const events of stream) ids.push(...events.map(({ id }) => id ?? -1));
  return ids;
}

/** Many events at a pace that others can follow. */
async function emit(live: LiveTask, count: number, text: string): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    live.emit([update("x", text, i > 0)]);
    if (i % 50 === 0) await turn();
  }
  await turn();
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

const stores: readonly (readonly [string, () => TaskStore])[] = [
  ["the memory store", () => memoryStore()],
  ["a store that answers late", () => lateStore(true)],
  ["a store that gives more than it is asked for", () => lateStore(false)],
];

describe.each(stores)("with %s", (_name, make) => {
  test("a slow subscriber among fast ones gets what they get", async () => {
    const anyStep = fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }).map((events) => ({ emit: events })) },
      { weight: 2, arbitrary: fc.constantFrom("take", "take both") },
      { weight: 2, arbitrary: fc.constantFrom("turn", "listen") },
    );
    let behind = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { engine, live } = begin(make());
        const fast = [rest(listen(engine, live))];
        const slow = [listen(engine, live), listen(engine, live)];
        const taken = slow.map((): Promise<readonly number[]>[] => []);
        const take = (who: number): void => {
          const next = slow[who]?.next();
          if (next !== undefined)
            taken[who]?.push(next.then(({ value }) => value?.map(({ id }) => id ?? -1) ?? []));
        };
        for (const step of steps) {
          if (typeof step === "object") {
            live.emit(Array.from({ length: step.emit }, () => update("x", TEXT, live.revision > 1)));
          } else if (step === "listen") fast.push(rest(listen(engine, live)));
          else if (step === "turn") await turn();
          else {
            await Promise.all(taken.flat());
            if (live.committed === slow[0]?.cursor) continue;
            take(0);
            if (step === "take both" && live.committed > (slow[1]?.cursor ?? 0)) take(1);
          }
          if (slow.some(({ cursor }) => !live.log.reaches(cursor))) behind += 1;
        }
        live.emit([status(TaskState.COMPLETED)]);
        const all = upTo(live.revision);
        for (const ids of fast) expect(await ids).toEqual(all);
        for (const [who, stream] of slow.entries()) {
          const first = (await Promise.all(taken[who] ?? [])).flat();
          expect([...first, ...(await rest(stream))]).toEqual(all);
        }
      }),
      { numRuns: 40 },
    );
    // Else nothing was shown.
    expect(behind).toBeGreaterThan(20);
  });

  test("one that reads late gets all, a little at a time, to the end of the task", async () => {
    const { engine, live, reports } = begin(make());
    const late = listen(engine, live);
    await emit(live, 3_000, "y".repeat(1_000));
    expect(live.log.reaches(0)).toBe(false);
    const ids: number[] = [];
    for await (const events of late) {
      ids.push(...events.map(({ id }) => id ?? -1));
      const size = events.reduce((sum, { text }) => sum + text.length, 0);
      expect(size).toBeLessThan(CHUNK + 2_000);
      // It comes to an end while the last are read.
      if (ids.length > 2_000 && !live.terminal) live.emit([status(TaskState.COMPLETED)]);
    }
    expect(ids).toEqual(upTo(3_002));
    expect(reports).toEqual([]);
  });

  test("one that reads late follows the task when it has caught up", async () => {
    const { engine, live } = begin(make());
    const late = listen(engine, live);
    await emit(live, 2_000, "y");
    const ids: number[] = [];
    while (ids.length < 2_001) {
      const { value } = await late.next();
      ids.push(...(value ?? []).map(({ id }) => id ?? -1));
    }
    const next = late.next();
    await turn();
    live.emit([update("x", "z", true)]);
    expect((await next).value?.map(({ id }) => id)).toEqual([2_002]);
    expect(ids).toEqual(upTo(2_001));
  });

  test("what the store keeps no longer ends the stream, so that it can be resumed", async () => {
    const store = make();
    const { engine, live, reports } = begin(store);
    const late = listen(engine, live);
    await late.next();
    await emit(live, 2_000, "y");
    await store.delete(scope, live.id);
    expect(await late.next()).toEqual({ done: true, value: undefined });
    expect(late.cursor).toBe(1);
    expect(reports).toEqual([]);
  });
});

test("of events that are kept in part, a stream gives none: there would be a gap", async () => {
  const { engine, live } = begin(memoryStore({ maxEvents: 1_500 }));
  const late = listen(engine, live);
  await late.next();
  await emit(live, 2_000, "y");
  // A snapshot, after which the store trims.
  live.emit([status(TaskState.INPUT_REQUIRED)]);
  expect(await rest(late)).toEqual([]);
  expect(await rest(listen(engine, live, 400))).toEqual([]);
});

describe("a store that fails", () => {
  const failures: readonly (readonly [string, TaskStore["read"]])[] = [
    [
      "at once",
      () => {
        throw new Error("disk");
      },
    ],
    ["later", () => turn().then(() => Promise.reject(new Error("disk")))],
  ];
  test.each(failures)("%s ends the stream, resumably, and is reported", async (_when, read) => {
    const store = memoryStore();
    const { engine, live, reports } = begin({ ...store, read });
    const late = listen(engine, live);
    const fast = rest(listen(engine, live));
    await late.next();
    await emit(live, 2_000, "y");
    expect(await rest(late)).toEqual([]);
    expect(late.cursor).toBe(1);
    expect(reports).toEqual(["task t1: a stream ends, its events could not be read"]);
    live.emit([status(TaskState.COMPLETED)]);
    expect(await fast).toEqual(upTo(2_002));
  });
});

describe("while the store is asked", () => {
  test("a stream can end", async () => {
    const { engine, live } = begin(lateStore(true));
    const late = listen(engine, live);
    await late.next();
    await emit(live, 2_000, "y");
    const next = late.next();
    await late.return();
    expect(await next).toEqual({ done: true, value: undefined });
    await turn();
    expect(live.watched).toBe(false);
  });

  test("news of the task do not ask it again", async () => {
    const store = lateStore(true);
    const { engine, live } = begin(store);
    const late = listen(engine, live);
    await late.next();
    await emit(live, 2_000, "y");
    const next = late.next();
    await emit(live, 1, "y");
    expect((await next).value?.[0]?.id).toBe(2);
    expect(store.replays).toHaveLength(1);
  });
});

test("a task that ended holds no more for a subscriber that does not read than one that goes on", async () => {
  const { engine, live } = begin(memoryStore());
  const stalled = listen(engine, live);
  await turn();
  const fast = rest(listen(engine, live));
  live.emit(Array.from({ length: 5_000 }, (_, i) => update("x", "y", i > 0)));
  live.emit([status(TaskState.COMPLETED)]);
  expect(await fast).toHaveLength(5_002);
  await turn();
  expect(live.log.length).toBeLessThanOrEqual(1_024);
  expect(await rest(stalled)).toEqual(upTo(5_002));
});
