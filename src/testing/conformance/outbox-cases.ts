import { deepEqual, equal, ok } from "node:assert/strict";
import type { Delivery, NewDelivery, TaskStore } from "../../store/types.js";
import { alice, append, birth, bob, commit, finish, msAt, type ConformanceCase } from "./fixtures.js";

const row = (configId: string, n: number): NewDelivery => ({ configId, n, text: JSON.stringify({ n }) });

const claim = async (store: TaskStore, holder: string, seconds: number, limit = 10): Promise<Delivery[]> => [
  ...(await store.outbox.claim(holder, msAt(seconds), 10_000, limit)),
];

const names = (deliveries: readonly Delivery[]): string[] =>
  deliveries.map(({ taskId, configId, n }) => `${taskId}${configId}${String(n)}`).toSorted();

/** Order, claims and retries of deliveries. */
export const outboxCases: ConformanceCase[] = [
  {
    name: "deliveries of a registration go out in the order of their commits, whoever takes them",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a", { outbox: [row("x", 1)] }));
      await commit(store, append("a", 2, 3, { outbox: [row("x", 2), row("x", 3)] }));
      await commit(store, finish("a", 4, 0, { outbox: [row("x", 4)] }));
      const order: number[] = [];
      for (let i = 0; i < 4; i += 1) {
        const [first, ...more] = await claim(store, `holder${String(i)}`, i);
        ok(first);
        equal(more.length, 0);
        equal(first.holder, `holder${String(i)}`);
        equal((await claim(store, "other", i)).length, 0);
        order.push(first.n);
        await store.outbox.ack(first);
      }
      deepEqual(order, [1, 2, 3, 4]);
      equal((await claim(store, "me", 99)).length, 0);
    },
  },
  {
    name: "a claim that ran out starts again with the same delivery; a late ack of the old holder removes it",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a", { outbox: [row("x", 1), row("x", 2)] }));
      const [old] = await claim(store, "old", 0);
      deepEqual(names(await claim(store, "now", 9)), []);
      const [now] = await claim(store, "now", 11);
      ok(old && now);
      deepEqual([now.n, now.attempts, now.holder], [1, 0, "now"]);
      await store.outbox.ack(old, { retryAt: msAt(12) });
      deepEqual(names(await claim(store, "third", 13)), []);
      await store.outbox.ack(old);
      deepEqual(names(await claim(store, "third", 14)), ["ax2"]);
      await store.outbox.ack(now);
      await store.outbox.ack(now, { retryAt: msAt(15) });
      deepEqual(names(await claim(store, "fourth", 15)), []);
      deepEqual(names(await claim(store, "fourth", 25)), ["ax2"]);
    },
  },
  {
    name: "what is put off holds back what comes after it, of its registration alone",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a", { outbox: [row("x", 1), row("x", 2), row("y", 1)] }));
      for (const delivery of await claim(store, "me", 0)) {
        if (delivery.configId === "x") await store.outbox.ack(delivery, { retryAt: msAt(60) });
        else await store.outbox.ack(delivery);
      }
      await commit(store, append("a", 2, 2, { outbox: [row("x", 3), row("y", 3)] }));
      deepEqual(names(await claim(store, "me", 1)), ["ay3"]);
      const [late] = (await claim(store, "me", 60)).filter(({ configId }) => configId === "x");
      deepEqual([late?.n, late?.attempts], [1, 1]);
      ok(late);
      await store.outbox.ack(late, { retryAt: msAt(70) });
      const again = (await claim(store, "me", 70)).find(({ configId }) => configId === "x");
      deepEqual([again?.n, again?.attempts], [1, 2]);
    },
  },
  {
    name: "no more deliveries are claimed than asked for, and those left over come next",
    async run(make) {
      const store = await make({});
      for (const id of ["a", "b", "c"]) {
        await commit(store, birth(id, { outbox: [row("x", 1), row("x", 2), row("y", 1)] }));
      }
      const first = await claim(store, "me", 0, 4);
      const second = await claim(store, "you", 0, 4);
      deepEqual([first.length, second.length], [4, 2]);
      deepEqual(names([...first, ...second]), ["ax1", "ay1", "bx1", "by1", "cx1", "cy1"]);
    },
  },
  {
    name: "what was put off, or left by one who died, has its turn while there is always more that is new",
    async run(make) {
      const store = await make({});
      await commit(store, birth("later", { outbox: [row("x", 1)] }));
      await commit(store, birth("dead", { outbox: [row("x", 1)] }));
      for (const delivery of await claim(store, "dead", 0))
        if (delivery.taskId === "later") await store.outbox.ack(delivery, { retryAt: msAt(9) });
      const taken: string[] = [];
      for (let i = 0; i < 20; i += 1) {
        const ids = [`new${String(2 * i)}`, `new${String(2 * i + 1)}`];
        await store.commit(ids.map((id) => birth(id, { outbox: [row("x", 1), row("x", 2)] })));
        for (const delivery of await claim(store, "me", 20 + i, 1)) {
          taken.push(delivery.taskId);
          await store.outbox.ack(delivery);
        }
      }
      equal(taken.length, 20);
      deepEqual(taken.filter((id) => !id.startsWith("new")).toSorted(), ["dead", "later"]);
      // What is new is not kept waiting for it either.
      ok(taken.includes("new0"));
    },
  },
  {
    name: "two who claim at the same time never get the same delivery",
    async run(make) {
      const store = await make({});
      const ids = Array.from({ length: 10 }, (_, i) => `t${String(i)}`);
      await store.commit(ids.map((id) => birth(id, { outbox: [row("x", 1), row("x", 2)] })));
      const claims = await Promise.all(["a", "b", "c"].map((holder) => claim(store, holder, 0, 20)));
      // Which of them gets what is open, and whether all is taken at once: nothing twice, and the rest is still there.
      const taken = names([...claims.flat(), ...(await claim(store, "d", 0, 20))]);
      deepEqual(
        taken,
        ids.map((id) => `${id}x1`),
      );
    },
  },
  {
    name: "deliveries go with their task, and belong to their scope",
    async run(make) {
      const store = await make({ ttl: 1_000 });
      await commit(store, birth("a", { outbox: [row("x", 1)] }));
      await commit(store, birth("a", { scope: bob, outbox: [row("x", 1)] }));
      await commit(store, birth("b", { outbox: [row("x", 1), row("x", 2)] }));
      await commit(store, finish("b", 2));
      const [kept] = (await claim(store, "me", 0)).filter(({ taskId }) => taskId === "b");
      ok(kept);
      await store.delete(alice, "a");
      await store.sweep(msAt(20), 10);
      const left = await claim(store, "me", 20);
      deepEqual(
        left.map(({ scope, taskId }) => [scope.owner, taskId]),
        [["bob", "a"]],
      );
      // Its task is gone: nothing to do.
      await store.outbox.ack(kept, { retryAt: msAt(21) });
      await store.outbox.ack(kept);
      deepEqual(names(await claim(store, "me", 25)), []);
    },
  },
];
