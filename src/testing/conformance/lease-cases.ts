import { deepEqual, equal, ok } from "node:assert/strict";
import type { CommitEntry } from "../../store/types.js";
import { alice, append, birth, bob, commit, finish, msAt, type ConformanceCase } from "./fixtures.js";

const TTL = 10_000;

/** Who may write a task. */
export const leaseCases: ConformanceCase[] = [
  {
    name: "a lease belongs to one holder until it ends; every take has a greater fence",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      const mine = await store.lease.acquire(alice, "a", "me", msAt(0), TTL);
      ok(mine);
      equal(mine.expires, msAt(10));
      equal(await store.lease.acquire(alice, "a", "you", msAt(9), TTL), undefined);
      const yours = await store.lease.acquire(alice, "a", "you", msAt(11), TTL);
      ok(yours && yours.fence > mine.fence);
      const renewals = [mine, yours].map((lease) => ({ scope: alice, taskId: "a", lease }));
      deepEqual([...(await store.lease.renew(renewals, msAt(30)))], [false, true]);
      equal((await store.read(alice, "a"))?.lease?.expires, msAt(30));
      equal(await store.lease.acquire(alice, "missing", "me", msAt(0), TTL), undefined);
    },
  },
  {
    name: "the writes of a holder that lost its lease are fenced and leave no trace",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      const old = await store.lease.acquire(alice, "a", "old", msAt(0), TTL);
      const now = await store.lease.acquire(alice, "a", "now", msAt(20), TTL);
      ok(old && now);
      equal(await commit(store, append("a", 2, 2, { fence: old.fence })), "fenced");
      equal((await store.read(alice, "a"))?.revision, 1);
      equal(await commit(store, append("a", 2, 2, { fence: now.fence })), "ok");
    },
  },
  {
    name: "a commit can take, renew and release the lease",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a", { fence: 1, lease: { holder: "me", expires: msAt(10), fence: 1 } }));
      equal(await store.lease.acquire(alice, "a", "you", msAt(5), TTL), undefined);
      await commit(
        store,
        append("a", 2, 2, { fence: 1, lease: { holder: "me", expires: msAt(20), fence: 1 } }),
      );
      equal((await store.read(alice, "a"))?.lease?.expires, msAt(20));
      await commit(store, append("a", 3, 3, { fence: 1, lease: null }));
      equal((await store.read(alice, "a"))?.lease, undefined);
      const yours = await store.lease.acquire(alice, "a", "you", msAt(5), TTL);
      ok(yours && yours.fence > 1);
    },
  },
  {
    name: "leases that ended are found, of live tasks only",
    async run(make) {
      const store = await make({});
      for (const id of ["a", "b", "c"]) {
        await commit(store, birth(id));
        await store.lease.acquire(alice, id, "me", msAt(id === "b" ? 60 : 0), TTL);
      }
      const fence = (await store.read(alice, "c"))?.lease?.fence ?? 0;
      await commit(store, finish("c", 2, 0, { fence }));
      const expired = await store.lease.expired(msAt(30), 10);
      deepEqual(
        expired.map(({ scope, taskId }) => ({ scope: { ...scope }, taskId })),
        [{ scope: alice, taskId: "a" }],
      );
    },
  },
  {
    name: "leases are renewed together; an end in the past lets go of them; a task that ended has none",
    async run(make) {
      const store = await make({});
      const leases = [];
      for (const taskId of ["a", "b", "c"]) {
        await commit(store, birth(taskId));
        const lease = await store.lease.acquire(alice, taskId, "me", msAt(0), TTL);
        ok(lease);
        leases.push({ scope: alice, taskId, lease });
      }
      const [a, b, c] = leases;
      ok(a && b && c);
      await commit(store, finish("c", 2, 0, { fence: c.lease.fence }));
      const strange = { scope: bob, taskId: "a", lease: a.lease };
      const missing = { scope: alice, taskId: "missing", lease: a.lease };
      const other = { scope: alice, taskId: "b", lease: { ...b.lease, holder: "you" } };
      const renewed = await store.lease.renew([a, c, strange, b, missing, other], msAt(20));
      deepEqual([...renewed], [true, false, false, true, false, false]);
      equal(await store.lease.acquire(alice, "a", "you", msAt(15), TTL), undefined);
      deepEqual([...(await store.lease.renew([a], msAt(14)))], [true]);
      const yours = await store.lease.acquire(alice, "a", "you", msAt(15), TTL);
      ok(yours && yours.fence > a.lease.fence);
      equal(await store.lease.acquire(alice, "b", "you", msAt(15), TTL), undefined);
      equal((await store.read(alice, "c"))?.lease, undefined);
      deepEqual([...(await store.lease.renew([], msAt(20)))], []);
    },
  },
  {
    name: "a lease that nobody holds may be taken by anyone, before it ends",
    async run(make) {
      const store = await make({});
      const nobody = { holder: "", expires: msAt(60), fence: 1 };
      await commit(store, birth("a", { fence: 1, lease: nobody }));
      await commit(store, birth("b", { fence: 1, lease: nobody }));
      const mine = await store.lease.acquire(alice, "a", "me", msAt(1), TTL);
      ok(mine && mine.fence > 1);
      equal(await store.lease.acquire(alice, "a", "you", msAt(1), TTL), undefined);
      const lease = { holder: "me", expires: msAt(60), fence: 2 };
      equal(await commit(store, append("b", 2, 2, { fence: 2, lease })), "ok");
      deepEqual({ ...(await store.read(alice, "b"))?.lease }, lease);
      // It is given up at its end, like any other.
      await commit(store, birth("c", { fence: 1, lease: nobody }));
      const given = await store.lease.expired(msAt(61), 10);
      deepEqual(given.map(({ taskId }) => taskId).toSorted(), ["a", "b", "c"]);
    },
  },
  {
    name: "whoever has a lease may leave the task to nobody, with the fence it has",
    async run(make) {
      const store = await make({});
      const lease = { holder: "me", expires: msAt(60), fence: 1 };
      await commit(store, birth("a", { fence: 1, lease }));
      const nobody = { ...lease, holder: "" };
      equal(await commit(store, append("a", 2, 2, { fence: 1, lease: nobody })), "ok");
      deepEqual({ ...(await store.read(alice, "a"))?.lease }, nobody);
      const mine = await store.lease.acquire(alice, "a", "you", msAt(1), TTL);
      ok(mine);
      // Who had it before can give away nothing.
      const left = { scope: alice, taskId: "a", events: [], lease: nobody };
      equal(await commit(store, { ...left, fence: 1 }), "fenced");
      equal(
        await commit(store, { ...left, fence: mine.fence, lease: { ...nobody, fence: mine.fence } }),
        "ok",
      );
      ok(await store.lease.acquire(alice, "a", "me", msAt(1), TTL));
    },
  },
  {
    name: "a task tells the greatest fence so far, also when nobody holds it",
    async run(make) {
      const store = await make({});
      const fence = async (): Promise<number | undefined> => (await store.read(alice, "a"))?.fence;
      await commit(store, birth("a"));
      equal(await fence(), 0);
      const lease = await store.lease.acquire(alice, "a", "me", msAt(0), TTL);
      ok(lease);
      equal(await fence(), lease.fence);
      await commit(store, append("a", 2, 2, { fence: 7 }));
      equal(await fence(), 7);
      await commit(store, append("a", 3, 3, { fence: 7, lease: null }));
      equal(await fence(), 7);
      equal((await store.list(alice, { pageSize: 1 })).tasks[0]?.fence, 7);
      equal(await commit(store, append("a", 4, 4, { fence: 6 })), "fenced");
      equal(await commit(store, append("a", 9, 9, { fence: 6 })), "fenced");
    },
  },
  {
    name: "of two instances that take a task with one fence, one gets it; a greater fence takes over",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      const taken = (holder: string, fence: number): CommitEntry => ({
        scope: alice,
        taskId: "a",
        fence,
        events: [],
        lease: { holder, expires: msAt(60), fence },
      });
      const results = await Promise.all([commit(store, taken("me", 1)), commit(store, taken("you", 1))]);
      deepEqual(results.toSorted(), ["fenced", "ok"]);
      const holder = (await store.read(alice, "a"))?.lease?.holder;
      equal(holder, results[0] === "ok" ? "me" : "you");
      equal(await commit(store, taken(holder, 1)), "ok");
      equal(await commit(store, taken("third", 2)), "ok");
      equal((await store.read(alice, "a"))?.lease?.holder, "third");
      equal(await commit(store, taken(holder, 1)), "fenced");
    },
  },
  {
    name: "leases that ended are found longest ago first, no more than asked for; those let go count",
    async run(make) {
      const store = await make({});
      for (const [id, seconds] of [
        ["a", 3],
        ["b", 1],
        ["c", 2],
        ["d", 50],
      ] as const) {
        await commit(store, birth(id, { scope: id === "c" ? bob : alice }));
        await store.lease.acquire(id === "c" ? bob : alice, id, "me", msAt(seconds), TTL);
      }
      const expired = async (seconds: number, limit: number): Promise<string[]> =>
        (await store.lease.expired(msAt(seconds), limit)).map(({ taskId }) => taskId);
      deepEqual(await expired(5, 10), []);
      deepEqual(await expired(30, 10), ["b", "c", "a"]);
      deepEqual(await expired(30, 2), ["b", "c"]);
      equal((await store.lease.expired(msAt(12.5), 10))[1]?.scope.owner, "bob");
      const lease = (await store.read(alice, "d"))?.lease;
      ok(lease);
      await store.lease.renew([{ scope: alice, taskId: "d", lease }], msAt(0));
      deepEqual(await expired(30, 10), ["d", "b", "c", "a"]);
      await commit(store, append("b", 2, 2, { fence: 1, lease: null }));
      await store.delete(alice, "a");
      deepEqual(await expired(30, 10), ["d", "c"]);
    },
  },
];
