import { deepEqual, equal } from "node:assert/strict";
import type { TaskStore } from "../../store/types.js";
import {
  alice,
  append,
  at,
  birth,
  bob,
  commit,
  COMPLETED,
  finish,
  head,
  INPUT_REQUIRED,
  msAt,
  put,
  WORKING,
  type ConformanceCase,
} from "./fixtures.js";

/** `totalSize` of all, of each state, of a context, and of a time. */
async function counts(store: TaskStore): Promise<number[]> {
  const found = [];
  for (const query of [
    {},
    { state: WORKING },
    { state: INPUT_REQUIRED },
    { state: COMPLETED },
    { contextId: "c1" },
    { statusTimestampAfter: at(5) },
  ]) {
    found.push((await store.list(alice, { pageSize: 1, ...query })).totalSize);
  }
  return found;
}

/** `totalSize` after every kind of change. */
export const countCases: ConformanceCase[] = [
  {
    name: "totalSize follows births, changes of state and context, ends, deletes and sweeps",
    async run(make) {
      const store = await make({ ttl: 3_600_000 });
      deepEqual(await counts(store), [0, 0, 0, 0, 0, 0]);
      await store.commit([
        birth("a", { head: head(WORKING, 1) }),
        birth("b", { head: head(WORKING, 2, "c2") }),
        birth("c", { head: head(COMPLETED, 3) }),
      ]);
      deepEqual(await counts(store), [3, 2, 0, 1, 2, 0]);
      await commit(store, append("a", 2, 2, { head: head(INPUT_REQUIRED, 6) }));
      deepEqual(await counts(store), [3, 1, 1, 1, 2, 1]);
      await commit(store, append("a", 3, 3));
      await commit(store, append("a", 4, 4, { head: head(INPUT_REQUIRED, 7, "c2") }));
      deepEqual(await counts(store), [3, 1, 1, 1, 1, 1]);
      // What is refused counts nothing.
      await store.commit([append("a", 9, 9, { head: head(COMPLETED, 9) }), birth("b"), append("x", 2, 2)]);
      deepEqual(await counts(store), [3, 1, 1, 1, 1, 1]);
      await commit(store, finish("a", 5, 8));
      deepEqual(await counts(store), [3, 1, 0, 2, 2, 1]);
      await store.delete(alice, "b");
      await store.delete(alice, "missing");
      deepEqual(await counts(store), [2, 0, 0, 2, 2, 1]);
      equal(await store.sweep(msAt(3_604), 10), 1);
      deepEqual(await counts(store), [1, 0, 0, 1, 1, 1]);
      await commit(store, birth("c", { head: head(WORKING, 9) }));
      deepEqual(await counts(store), [2, 1, 0, 1, 2, 2]);
    },
  },
  {
    name: "one batch that creates, changes and ends tasks is counted entry by entry, each scope for itself",
    async run(make) {
      const store = await make({});
      await store.commit([
        birth("a", { head: head(WORKING) }),
        append("a", 2, 2, { head: head(INPUT_REQUIRED, 1) }),
        finish("a", 3, 2),
        birth("b", { head: head(WORKING) }),
        birth("b", { head: head(WORKING) }),
        birth("a", { scope: bob, head: head(WORKING) }),
      ]);
      deepEqual(await counts(store), [2, 1, 0, 1, 2, 0]);
      equal((await store.list(bob, { pageSize: 1, state: WORKING })).totalSize, 1);
      equal((await store.list(bob, { pageSize: 1, state: COMPLETED })).totalSize, 0);
    },
  },
  {
    name: "commits at the same time are all counted",
    async run(make) {
      const store = await make({});
      const ids = Array.from({ length: 20 }, (_, i) => `t${String(i)}`);
      await Promise.all(ids.map((id) => put(store, id, WORKING, 1)));
      await Promise.all(ids.map((id, i) => commit(store, i % 2 ? finish(id, 2, 2) : append(id, 2, 2))));
      deepEqual(await counts(store), [20, 10, 0, 10, 20, 0]);
    },
  },
];
