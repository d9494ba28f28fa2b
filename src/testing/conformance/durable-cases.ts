import { deepEqual, equal, ok } from "node:assert/strict";
import {
  alice,
  append,
  birth,
  commit,
  COMPLETED,
  event,
  finish,
  head,
  msAt,
  numbers,
  snapshotAt,
  taskText,
  WORKING,
  type ConformanceCase,
} from "./fixtures.js";

/** Closing; and what is read back by another store on the same data, where the data outlive the store. */
export const durableCases: ConformanceCase[] = [
  {
    name: "close waits for the commits under way, and may be called again",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      const under = [[append("a", 2, 2), birth("b")], [append("a", 3, 3)]].map(async (batch) =>
        store.commit(batch),
      );
      await store.close?.();
      deepEqual((await Promise.all(under)).flat(), ["ok", "ok", "ok"]);
      await store.close?.();
      const again = await make.again(store);
      if (again === undefined) return;
      equal((await again.read(alice, "a"))?.revision, 3);
      equal((await again.read(alice, "b"))?.revision, 1);
    },
  },
  {
    name: "tasks are read back as they were, where data outlive the store: events, snapshots, messages, lists, counts",
    async run(make) {
      const store = await make({ replayWindow: 60_000, ttl: 3_600_000 });
      const agent = '{"turn":2}';
      await commit(store, birth("a", { head: head(WORKING, 1, "c1") }));
      await commit(store, append("a", 2, 4, { messages: [{ k: 1, after: 1, text: '{"m":1}' }] }));
      await commit(store, append("a", 5, 6, { snapshot: { ...snapshotAt("a", 5, 1), agent } }));
      await commit(store, append("a", 7, 8, { messages: [{ k: 2, after: 6, text: '{"m":2}' }] }));
      await commit(store, birth("b"));
      await commit(store, finish("b", 2, 2));
      await commit(store, birth("c", { head: head(COMPLETED, 3), events: [], snapshot: snapshotAt("c", 3) }));
      await commit(store, birth("gone"));
      await store.delete(alice, "gone");
      const before = await store.read(alice, "a", { after: 0 });
      const again = await make.again(store);
      if (again === undefined) return;
      const task = await again.read(alice, "a", { after: 0 });
      deepEqual(
        task?.events.map(({ n, text }) => ({ n, text })),
        [1, 2, 3, 4, 5, 6, 7, 8].map((n) => event(n)),
      );
      deepEqual([task.head, task.revision, task.replayFrom], [before?.head, 8, 0]);
      deepEqual([task.snapshot.at, task.snapshot.received, task.snapshot.agent], [5, 1, agent]);
      deepEqual(
        task.messages.map(({ k, after, text }) => [k, after, text]),
        [[2, 6, '{"m":2}']],
      );
      deepEqual(numbers(await again.read(alice, "b", { after: 0 })), [1, 2]);
      equal((await again.read(alice, "b"))?.snapshot.text, taskText("b", "done"));
      equal((await again.read(alice, "c"))?.revision, 3);
      equal(await again.read(alice, "gone"), undefined);
      const page = await again.list(alice, { pageSize: 2 });
      deepEqual([page.tasks.map(({ taskId }) => taskId), page.totalSize], [["c", "b"], 3]);
      equal((await again.list(alice, { pageSize: 2, state: COMPLETED })).totalSize, 2);
      equal(await commit(again, append("a", 9, 9)), "ok");
      equal(await commit(again, append("b", 3, 3)), "conflict");
      equal(await again.sweep(msAt(1_000), 10), 0);
      deepEqual(numbers(await again.read(alice, "b", { after: 0 })), []);
      equal(await again.sweep(msAt(10_000), 10), 2);
    },
  },
  {
    name: "leases, webhooks, deliveries and letters are read back as they were, where data outlive the store",
    async run(make) {
      const store = await make({});
      const config = (id: string): { id: string; text: string; version: string } => ({
        id,
        text: JSON.stringify({ id }),
        version: "0.3",
      });
      const outbox = [1, 2].map((n) => ({ configId: "y", n, text: String(n) }));
      const letter = { id: "1", scope: alice, taskId: "a", text: '{"letter":1}' };
      await commit(store, birth("a", { configs: [config("y"), config("x")], outbox }));
      await store.configs.put(alice, "a", { ...config("x"), disabled: true });
      await store.configs.put(alice, "a", config("w"));
      const lease = await store.lease.acquire(alice, "a", "me", msAt(0), 10_000);
      ok(lease);
      const [claimed] = await store.outbox.claim("me", msAt(0), 1_000, 10);
      ok(claimed);
      await store.outbox.ack(claimed, { retryAt: msAt(5) });
      for (const id of ["1", "2", "3"]) await store.mail.post({ ...letter, id });
      await store.mail.answer({ ...letter, id: "2" }, '{"answer":2}');
      const again = await make.again(store);
      if (again === undefined) return;
      const task = await again.read(alice, "a");
      deepEqual([{ ...task?.lease }, task?.fence], [{ ...lease }, lease.fence]);
      equal(await commit(again, append("a", 2, 2, { fence: 0 })), "fenced");
      const { configs } = await again.configs.list(alice, "a", { pageSize: 10 });
      deepEqual(
        configs.map((one) => ({ ...one })),
        [config("y"), { ...config("x"), disabled: true }, config("w")],
      );
      equal((await again.outbox.claim("you", msAt(4), 1_000, 10)).length, 0);
      const [delivery] = await again.outbox.claim("you", msAt(5), 1_000, 10);
      deepEqual([delivery?.n, delivery?.attempts, delivery?.text], [1, 1, "1"]);
      deepEqual(
        (await again.mail.waiting("me", 10)).map(({ id }) => id),
        ["1", "3"],
      );
      equal(await again.mail.collect({ ...letter, id: "2" }), '{"answer":2}');
      equal(await again.mail.collect({ ...letter, id: "1" }), undefined);
      deepEqual([...(await again.lease.renew([{ scope: alice, taskId: "a", lease }], msAt(60)))], [true]);
    },
  },
];
