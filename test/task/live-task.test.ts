import { describe, expect, test } from "vitest";
import { A2AError } from "../../src/errors.js";
import { memoryStore } from "../../src/store/memory-store.js";
import type { StoredTask, TaskStore } from "../../src/store/types.js";
import { TaskEngine, isLive } from "../../src/task/engine.js";
import type { LiveTask } from "../../src/task/live-task.js";
import { foldStored } from "../../src/task/load-task.js";
import { Subscription } from "../../src/task/subscription.js";
import { waitUntil } from "../../src/task/wait-until.js";
import type { Task } from "../../src/versions/pivot.js";
import { Role, TaskState } from "../../src/versions/pivot.js";
import { artifact, said, status, task, update } from "./events.js";
import { slowStore, turn } from "./slow-store.js";

const scope = { tenant: "", owner: "" };
const engineOn = (store: TaskStore): TaskEngine => new TaskEngine({ store, sweepMs: 0 });
const birth = (engine: TaskEngine): LiveTask => engine.create(scope, task(), "c1");

const listen = (engine: TaskEngine, live: LiveTask, cursor = 0): Subscription =>
  new Subscription(live, {
    cursor,
    closes: ({ state }) => state === TaskState.COMPLETED,
    limits: engine.limits,
  });

async function rest(stream: Subscription): Promise<number[]> {
  const ids: number[] = [];
  for await (const events of stream) ids.push(...events.map(({ id }) => id ?? -1));
  return ids;
}

describe("commits", () => {
  test("nobody sees an event before the store has it", async () => {
    const store = slowStore();
    const engine = engineOn(store);
    const live = birth(engine);
    const stream = listen(engine, live);
    const first = stream.next();
    let seen = false;
    void first.then(() => (seen = true));
    await turn();
    expect(seen).toBe(false);
    expect(live.committed).toBe(0);
    await store.pass();
    expect((await first).value?.map(({ id }) => id)).toEqual([1]);
  });

  test("what comes up while a commit is on its way goes with the next one", async () => {
    const store = slowStore();
    const live = birth(engineOn(store));
    live.emit([update("a", "1")]);
    live.emit([update("a", "2", true)]);
    live.receive(said("u2", Role.USER), [], []);
    expect(store.batches).toHaveLength(1);
    await store.pass();
    expect(store.batches).toHaveLength(2);
    const [entry] = store.batches[1] ?? [];
    expect(entry?.expect).toBe(1);
    expect(entry?.events.map(({ n }) => n)).toEqual([2, 3]);
    expect(entry?.messages?.map(({ k, after }) => [k, after])).toEqual([[1, 3]]);
    await store.pass();
    expect(live.settled).toBe(true);
    const stored = (await store.read(scope, "t1")) as StoredTask;
    expect(foldStored(stored).task).toEqual(live.task);
  });

  test("what is stored folds in the order it happened, messages between events", async () => {
    const store = memoryStore();
    const live = birth(engineOn(store));
    live.emit([status(TaskState.WORKING, "s2")]);
    live.receive(said("m1", Role.USER), [], []);
    live.receive(said("m2", Role.USER), [status(TaskState.WORKING, "s3")], []);
    live.receive(said("m3", Role.USER), [], []);
    const stored = (await store.read(scope, "t1")) as StoredTask;
    expect(stored.messages.map(({ k, after }) => [k, after])).toEqual([
      [1, 2],
      [2, 2],
      [3, 3],
    ]);
    expect(foldStored(stored).task.history?.map(({ messageId }) => messageId)).toEqual([
      "s2",
      "m1",
      "m2",
      "s3",
      "m3",
    ]);
    expect(foldStored(stored).task).toEqual(live.task);
  });

  test("entries of a tick go in one batch where the store wants it", async () => {
    const store = slowStore({ group: true });
    const engine = engineOn(store);
    engine.create(scope, task({ id: "a" }), "c1");
    engine.create(scope, task({ id: "b" }), "c1");
    await turn();
    expect(store.batches.map((batch) => batch.map(({ taskId }) => taskId))).toEqual([["a", "b"]]);
  });

  test("a task that is created and finished before its first commit is one row without events", async () => {
    const store = slowStore({ group: true });
    const live = birth(engineOn(store));
    live.emit([update("a", "1"), status(TaskState.COMPLETED)]);
    await turn();
    await store.pass();
    const [entry] = store.batches[0] ?? [];
    expect(store.batches).toHaveLength(1);
    expect(entry?.events).toEqual([]);
    expect(entry?.snapshot?.at).toBe(3);
    expect(live.rest?.text).toBe(JSON.stringify(live.task));
  });

  test("a commit that fails is tried again", async () => {
    const store = slowStore();
    const live = birth(engineOn(store));
    const done = waitUntil(live, () => (live.committed === 1 ? "committed" : undefined));
    await store.pass(new Error("disk"));
    while (store.waiting === 0) await turn();
    await store.pass();
    expect(await done).toBe("committed");
  });

  test("when another writer was first, nothing more is written here and waiters are told", async () => {
    const store = memoryStore();
    const engine = engineOn(store);
    const lost: string[] = [];
    const here = new TaskEngine({ store, sweepMs: 0, onLost: ({ id }) => lost.push(id) });
    const live = birth(here);
    const stream = rest(listen(here, live));
    const waiting = waitUntil(live, () => live.rest);
    await engine.visit(scope, "t1", (task) => {
      (task as LiveTask).emit([status(TaskState.CANCELED)]);
    });
    live.emit([status(TaskState.WORKING)]);
    await expect(waiting).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    expect(await stream).toEqual([1]);
    expect(lost).toEqual(["t1"]);
    expect(live.refuses(status(TaskState.WORKING))).toContain("another process");
    expect(here.peek(scope, "t1")).toBeUndefined();
    expect(JSON.parse((await here.text(scope, "t1")) ?? "")).toMatchObject({
      status: { state: TaskState.CANCELED },
    });
  });
});

describe("snapshots", () => {
  test("a long stream is stored in size proportional to it", async () => {
    const store = memoryStore();
    let eventSize = 0;
    let snapshotSize = 0;
    let snapshots = 0;
    const counting: TaskStore = {
      ...store,
      hints: {},
      commit(batch) {
        for (const { events, snapshot } of batch) {
          eventSize += events.reduce((sum, { text }) => sum + text.length, 0);
          snapshotSize += snapshot?.text.length ?? 0;
          if (snapshot) snapshots += 1;
        }
        return store.commit(batch);
      },
    };
    for (const chunks of [2_000, 4_000, 8_000]) {
      eventSize = snapshotSize = snapshots = 0;
      const live = engineOn(counting).create(scope, task({ id: String(chunks) }), "c1");
      for (let i = 0; i < chunks; i += 1) {
        live.emit([
          {
            artifactUpdate: {
              taskId: live.id,
              contextId: "c1",
              artifact: artifact("a", "token"),
              append: true,
            },
          },
        ]);
      }
      expect(snapshots).toBeGreaterThan(3);
      // However long the stream: the snapshots cost no more than the events between them.
      expect(snapshotSize).toBeLessThan(2 * eventSize);
      const stored = (await store.read(scope, live.id)) as StoredTask;
      expect(foldStored(stored).task).toEqual(live.task);
    }
  });

  test("a paused task is its snapshot, with what the agent keeps; it is forgotten here and comes back as it was", async () => {
    const store = memoryStore();
    const engine = engineOn(store);
    const live = birth(engine);
    live.session = { kept: '{"turn":1}', goesOn: false };
    live.emit([update("a", "x"), status(TaskState.INPUT_REQUIRED, "which?")]);
    live.retireIfIdle();
    expect(engine.peek(scope, "t1")).toBeUndefined();
    const found = await engine.find(scope, "t1");
    if (found === undefined || isLive(found)) throw new Error("expected it from the store");
    expect(found.snapshot.at).toBe(3);
    expect(found.events).toEqual([]);
    await engine.visit(scope, "t1", (again) => {
      if (again === undefined || !isLive(again)) throw new Error("expected it to be live");
      expect(again.task).toEqual(live.task);
      expect([again.revision, again.agent]).toEqual([3, '{"turn":1}']);
      again.receive(said("u2", Role.USER), [status(TaskState.WORKING)], []);
      again.emit([status(TaskState.COMPLETED)]);
    });
    const stored = JSON.parse((await engine.text(scope, "t1")) ?? "") as Task;
    expect(stored.history?.map(({ messageId }) => messageId)).toEqual(["which?", "u2"]);
  });

  test("a task is of its scope only", async () => {
    const engine = engineOn(memoryStore());
    birth(engine);
    const other = { tenant: "", owner: "bob" };
    expect(await engine.find(other, "t1")).toBeUndefined();
    expect(await engine.text(other, "t1")).toBeUndefined();
    expect(await engine.find({ tenant: "", owner: "" }, "t1")).toBeDefined();
  });
});

describe("subscribers", () => {
  test("all get the same events in the same order; one that leaves does not disturb the others (A2A-3.5.2)", async () => {
    const engine = engineOn(memoryStore());
    const live = birth(engine);
    const [a, b, leaving] = [rest(listen(engine, live)), rest(listen(engine, live, 1)), listen(engine, live)];
    live.emit([status(TaskState.WORKING)]);
    expect((await leaving.next()).value?.length).toBeGreaterThan(0);
    await leaving.return();
    expect(await leaving.next()).toEqual({ done: true, value: undefined });
    live.emit([update("x", "1")]);
    await turn();
    live.emit([status(TaskState.COMPLETED)]);
    expect(await a).toEqual([1, 2, 3, 4]);
    expect(await b).toEqual([2, 3, 4]);
  });

  test("events of a tick come together", async () => {
    const engine = engineOn(memoryStore());
    const live = birth(engine);
    const stream = listen(engine, live, 1);
    const next = stream.next();
    for (let i = 0; i < 50; i += 1) {
      live.emit([update("x", String(i), i > 0)]);
      await Promise.resolve();
    }
    expect((await next).value).toHaveLength(50);
  });

  test("what is handed over at a time is bounded, so a socket that takes nothing holds little", async () => {
    const engine = engineOn(memoryStore());
    const live = birth(engine);
    const stream = listen(engine, live, 1);
    for (let i = 0; i < 10; i += 1) live.emit([update("x", "y".repeat(20_000), i > 0)]);
    const sizes: number[] = [];
    for (let i = 0; i < 3; i += 1) sizes.push((await stream.next()).value?.length ?? 0);
    expect(sizes).toEqual([4, 4, 2]);
  });

  test("return() ends a next() that waits", async () => {
    const engine = engineOn(memoryStore());
    const stream = listen(engine, birth(engine), 1);
    const next = stream.next();
    await stream.return();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test("one that takes nothing is cut, after its time and beyond a limit only; it goes on where it was", async () => {
    const engine = new TaskEngine({
      store: memoryStore(),
      sweepMs: 0,
      limits: { events: 10, stallMs: 5_000 },
    });
    const live = birth(engine);
    const stalled = listen(engine, live);
    const slow = listen(engine, live);
    const idle = listen(engine, live, 1);
    const pending = idle.next();
    expect((await stalled.next()).value).toHaveLength(1);
    for (let i = 0; i < 11; i += 1) live.emit([update("x", "1", true)]);
    await engine.sweep(1_000);
    await engine.sweep(5_999);
    await slow.next();
    await engine.sweep(6_000);
    expect(await stalled.next()).toEqual({ done: true, value: undefined });
    expect((await pending).value).toHaveLength(11);
    for (let i = 0; i < 11; i += 1) live.emit([update("x", "2", true)]);
    expect((await slow.next()).value?.at(-1)?.id).toBe(23);
    const resumed = listen(engine, live, stalled.cursor);
    live.emit([status(TaskState.COMPLETED)]);
    expect(await rest(resumed)).toEqual(Array.from({ length: 23 }, (_, i) => i + 2));
  });

  test("one within the limits may wait as long as it likes", async () => {
    const engine = new TaskEngine({
      store: memoryStore(),
      sweepMs: 0,
      limits: { events: 10, stallMs: 5_000 },
    });
    const live = birth(engine);
    const stream = listen(engine, live);
    await stream.next();
    for (let i = 0; i < 10; i += 1) live.emit([update("x", "1", true)]);
    await engine.sweep(1_000);
    await engine.sweep(1_000_000);
    expect((await stream.next()).value).toHaveLength(10);
  });

  test("a task keeps its newest events only, however far behind a subscriber is that does not read", async () => {
    const engine = engineOn(memoryStore());
    const live = birth(engine);
    live.holds = 1;
    const behind = listen(engine, live, 1);
    for (let i = 0; i < 25_000; i += 1) live.emit([update("x", "1", i > 0)]);
    await turn();
    expect(live.log.length).toBeLessThanOrEqual(1_280);
    expect(live.log.start + live.log.length).toBe(live.revision + 1);
    await behind.return();
    for (let i = 0; i < 100; i += 1) live.emit([update("x", "y".repeat(10_000), true)]);
    expect(live.log.length).toBeLessThanOrEqual(33);
  });

  test("one that reads gets all that are made in one go", async () => {
    const engine = engineOn(memoryStore({ maxEvents: 10 }));
    const live = birth(engine);
    const ids = rest(listen(engine, live));
    for (let i = 0; i < 25_000; i += 1) live.emit([update("x", "1", i > 0)]);
    live.emit([status(TaskState.COMPLETED)]);
    expect(await ids).toEqual(Array.from({ length: 25_002 }, (_, i) => i + 1));
    expect(live.log.length).toBeLessThanOrEqual(1_280);
  });
});

describe("waiting", () => {
  test("a caller that goes away stops waiting; the task goes on", async () => {
    const engine = engineOn(memoryStore());
    const live = birth(engine);
    const controller = new AbortController();
    const waiting = waitUntil(live, () => live.rest, controller);
    await turn();
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ reason: "ABORTED" });
    expect(live.watched).toBe(false);
    live.emit([status(TaskState.COMPLETED)]);
    expect(live.rest?.at).toBe(2);
  });

  test("closing the engine ends streams and answers who waits", async () => {
    const engine = engineOn(memoryStore());
    const live = birth(engine);
    const stream = rest(listen(engine, live));
    const waiting = expect(waitUntil(live, () => live.rest)).rejects.toBeInstanceOf(A2AError);
    await turn();
    await engine.close();
    expect(await stream).toEqual([1]);
    await waiting;
  });

  test("a producer that never lets others run is held back", async () => {
    const engine = engineOn(memoryStore());
    const live = birth(engine);
    let pauses = 0;
    for (let i = 0; i < 1_000; i += 1) {
      live.emit([update("x", "1", true)]);
      const pause = live.ready();
      if (pause === undefined) continue;
      pauses += 1;
      await pause;
    }
    expect(pauses).toBe(3);
  });
});

test("the engine sweeps its store by itself, from the first task on, until it is closed", async () => {
  const store = memoryStore();
  let sweeps = 0;
  const counting: TaskStore = {
    ...store,
    sweep(now, limit) {
      sweeps += 1;
      if (sweeps === 1) throw new Error("locked");
      return store.sweep(now, limit);
    },
  };
  const reports: string[] = [];
  const swept = new Promise<void>((resolve) => {
    const engine = new TaskEngine({
      store: counting,
      sweepMs: 1,
      report: (message) => reports.push(message),
      onSweep: () => {
        if (sweeps < 2) return;
        void engine.close().then(resolve);
      },
    });
    birth(engine);
  });
  await swept;
  expect(reports).toEqual(["sweeping the task store failed"]);
});
