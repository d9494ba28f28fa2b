import { deepEqual, equal, ok } from "node:assert/strict";
import { alice, append, birth, commit, finish, msAt, type ConformanceCase } from "./fixtures.js";

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
];
