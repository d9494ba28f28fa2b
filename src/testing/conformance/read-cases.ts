import { deepEqual, equal, ok } from "node:assert/strict";
import {
  alice,
  append,
  birth,
  bob,
  commit,
  finish,
  head,
  INPUT_REQUIRED,
  msAt,
  numbers,
  taskText,
  type ConformanceCase,
} from "./fixtures.js";

/** Snapshots, kept events, expiry. */
export const readCases: ConformanceCase[] = [
  {
    name: "a snapshot stands for the events up to it, and keeps what the agent keeps",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      const snapshot = { at: 3, received: 0, text: taskText("a", "paused"), agent: '{"turn":1}' };
      await commit(store, append("a", 2, 3, { snapshot, head: head(INPUT_REQUIRED, 1) }));
      await commit(store, append("a", 4, 5));
      const task = await store.read(alice, "a");
      equal(task?.snapshot.at, 3);
      equal(task.snapshot.text, taskText("a", "paused"));
      equal(task.snapshot.agent, '{"turn":1}');
      deepEqual(numbers(task), [4, 5]);
    },
  },
  {
    name: "`after` also gives kept events that a snapshot holds",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      await commit(store, append("a", 2, 6, { snapshot: { at: 6, received: 0, text: taskText("a") } }));
      const task = await store.read(alice, "a", { after: 2 });
      ok(task && task.replayFrom <= 2);
      deepEqual(numbers(task), [3, 4, 5, 6]);
      deepEqual(numbers(await store.read(alice, "a", { after: 6 })), []);
      deepEqual(numbers(await store.read(alice, "a")), []);
    },
  },
  {
    name: "events of a task that has ended are kept for the replay window, then dropped",
    async run(make) {
      const store = await make({ replayWindow: 60_000 });
      await commit(store, birth("a"));
      await commit(store, finish("a", 2, 10));
      await store.sweep(msAt(69), 100);
      deepEqual(numbers(await store.read(alice, "a", { after: 1 })), [2]);
      await store.sweep(msAt(71), 100);
      const task = await store.read(alice, "a", { after: 1 });
      deepEqual(numbers(task), []);
      equal(task?.replayFrom, 2);
      equal(task.snapshot.text, taskText("a", "done"));
    },
  },
  {
    name: "events that nobody needs are not kept for replay",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      await commit(store, finish("a", 2, 0, { dropEvents: true }));
      const task = await store.read(alice, "a", { after: 0 });
      deepEqual(numbers(task), []);
      equal(task?.replayFrom, 2);
    },
  },
  {
    name: "finished tasks go after their time, a few at once; live ones never",
    async run(make) {
      const store = await make({ ttl: 3_600_000 });
      for (const id of ["a", "b", "c"]) {
        await commit(store, birth(id));
        await commit(store, finish(id, 2, 10));
      }
      await commit(store, birth("live", { head: head(INPUT_REQUIRED, 0) }));
      equal(await store.sweep(msAt(3_609), 100), 0);
      equal(await store.sweep(msAt(3_611), 2), 2);
      equal((await store.list(alice, { pageSize: 10 })).totalSize, 2);
      equal(await store.sweep(msAt(3_611), 2), 1);
      equal(await store.sweep(msAt(1_000_000), 100), 0);
      equal((await store.read(alice, "live"))?.revision, 1);
    },
  },
  {
    name: "a deleted task is gone with all that belongs to it",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a", { configs: [{ id: "w", text: "{}", version: "1.0" }] }));
      equal(await store.delete(bob, "a"), false);
      equal(await store.delete(alice, "a"), true);
      equal(await store.delete(alice, "a"), false);
      equal(await store.read(alice, "a"), undefined);
      equal(await store.configs.get(alice, "a", "w"), undefined);
      deepEqual((await store.list(alice, { pageSize: 10 })).tasks, []);
      equal(await commit(store, append("a", 2, 2)), "conflict");
    },
  },
];
