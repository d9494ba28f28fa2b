import { deepEqual, equal } from "node:assert/strict";
import type { CommitEntry, StoredMessage } from "../../store/types.js";
import {
  alice,
  append,
  birth,
  bob,
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

/** What `commit` writes, and what it refuses. */
export const commitCases: ConformanceCase[] = [
  {
    name: "a commit with expect 0 creates a task, within its scope only",
    async run(make) {
      const store = await make({});
      equal(await commit(store, birth("a")), "ok");
      const task = await store.read(alice, "a");
      deepEqual(task?.head, birth("a").head);
      equal(task?.revision, 1);
      equal(task.snapshot.text, taskText("a"));
      equal(await store.read(bob, "a"), undefined);
      equal(await store.read({ tenant: "t2", owner: "alice" }, "a"), undefined);
      equal(await store.read(alice, "b"), undefined);
    },
  },
  {
    name: "events are kept in order and raise the revision; the head stays where none is given",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      equal(await commit(store, append("a", 2, 4, { head: head(WORKING, 1) })), "ok");
      equal(await commit(store, append("a", 5, 5)), "ok");
      const task = await store.read(alice, "a");
      equal(task?.revision, 5);
      deepEqual(task.head, head(WORKING, 1));
      deepEqual(
        task.events.map(({ n, text }) => ({ n, text })),
        [2, 3, 4, 5].map((n) => event(n)),
      );
    },
  },
  {
    name: "a commit that does not build on the stored revision is a conflict and writes nothing",
    async run(make) {
      const store = await make({});
      equal(await commit(store, append("a", 2, 2)), "conflict");
      await commit(store, birth("a"));
      equal(await commit(store, birth("a", { head: head(WORKING) })), "conflict");
      equal(await commit(store, append("a", 3, 3, { head: head(COMPLETED) })), "conflict");
      await commit(store, append("a", 2, 2));
      equal(await commit(store, append("a", 2, 2, { head: head(COMPLETED) })), "conflict");
      const task = await store.read(alice, "a");
      equal(task?.revision, 2);
      deepEqual(task.head, birth("a").head);
    },
  },
  {
    name: "the entries of a batch are independent and answered in order",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      const results = await store.commit([append("a", 2, 2), append("missing", 2, 2), birth("b")]);
      deepEqual([...results], ["ok", "conflict", "ok"]);
      equal((await store.read(alice, "a"))?.revision, 2);
      equal((await store.read(alice, "b"))?.revision, 1);
    },
  },
  {
    name: "of two writers that build on one revision, one wins",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      const results = await Promise.all([commit(store, append("a", 2, 2)), commit(store, append("a", 2, 3))]);
      deepEqual(results.toSorted(), ["conflict", "ok"]);
    },
  },
  {
    name: "nothing is written to a task that has ended",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      await commit(store, finish("a", 2));
      equal(await commit(store, append("a", 3, 3)), "conflict");
      const late = { k: 1, after: 2, text: "{}" };
      equal(
        await commit(store, { scope: alice, taskId: "a", fence: 0, events: [], messages: [late] }),
        "conflict",
      );
      const task = await store.read(alice, "a");
      equal(task?.revision, 2);
      deepEqual(task.messages, []);
    },
  },
  {
    name: "a task created and finished in one commit needs no events",
    async run(make) {
      const store = await make({});
      const snapshot = { at: 3, received: 0, text: taskText("a", "done") };
      equal(await commit(store, birth("a", { head: head(COMPLETED), events: [], snapshot })), "ok");
      const task = await store.read(alice, "a", { after: 1 });
      equal(task?.revision, 3);
      equal(task.snapshot.text, taskText("a", "done"));
      deepEqual([...task.events], []);
      equal(task.replayFrom, 3);
    },
  },
  {
    name: "received messages are numbered; a number that is taken is a conflict",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      const message = (k: number, after = 1): { k: number; after: number; text: string } => ({
        k,
        after,
        text: `{"k":${String(k)}}`,
      });
      const entry = { scope: alice, taskId: "a", fence: 0, events: [] };
      equal(await commit(store, { ...entry, messages: [message(1), message(2)] }), "ok");
      equal(await commit(store, { ...entry, messages: [message(2)] }), "conflict");
      equal(await commit(store, append("a", 2, 2, { messages: [message(3, 2)] })), "ok");
      const read = await store.read(alice, "a");
      deepEqual(
        read?.messages.map(({ k, after, text }) => ({ k, after, text })),
        [message(1), message(2), message(3, 2)],
      );
      const snapshot = { at: 3, received: 2, text: taskText("a") };
      equal(await commit(store, append("a", 3, 3, { snapshot })), "ok");
      deepEqual(
        (await store.read(alice, "a"))?.messages.map(({ k }) => k),
        [3],
      );
    },
  },
  {
    name: "a number of received messages that was skipped is a conflict, also at creation",
    async run(make) {
      const store = await make({});
      const message = (k: number): StoredMessage => ({ k, after: 1, text: "{}" });
      equal(await commit(store, birth("a", { messages: [message(2)] })), "conflict");
      equal(await store.read(alice, "a"), undefined);
      equal(await commit(store, birth("a", { messages: [message(1)] })), "ok");
      equal(await commit(store, append("a", 2, 2, { messages: [message(3)] })), "conflict");
      equal((await store.read(alice, "a"))?.revision, 1);
      // The first message may be part of the task as it was created.
      equal(await commit(store, birth("b", { snapshot: snapshotAt("b", 1, 1) })), "ok");
      equal(await commit(store, append("b", 2, 2, { messages: [message(1)] })), "conflict");
      equal(await commit(store, append("b", 2, 2, { messages: [message(2)] })), "ok");
    },
  },
  {
    name: "nothing but a lease is written to a task that has ended: no head, no webhook, no delivery, no answer",
    async run(make) {
      const store = await make({});
      const letter = { id: "l", scope: alice, taskId: "a", text: "{}" };
      await commit(store, birth("a"));
      await store.mail.post(letter);
      await commit(store, finish("a", 2));
      const entry: CommitEntry = { scope: alice, taskId: "a", fence: 0, events: [] };
      const more: Partial<CommitEntry>[] = [
        { head: head(WORKING, 9) },
        { snapshot: snapshotAt("a", 3) },
        { configs: [{ id: "w", text: "{}", version: "1.0" }] },
        { outbox: [{ configId: "w", n: 2, text: "{}" }] },
        { answers: [{ id: "l", text: "{}" }] },
      ];
      for (const part of more) equal(await commit(store, { ...entry, ...part }), "conflict");
      deepEqual((await store.read(alice, "a"))?.head, finish("a", 2).head);
      equal(await store.configs.get(alice, "a", "w"), undefined);
      equal((await store.outbox.claim("me", msAt(0), 1_000, 10)).length, 0);
      equal(await store.mail.collect(letter), undefined);
      equal(await commit(store, { ...entry, lease: null }), "ok");
    },
  },
  {
    name: "of a refused entry nothing is written: no message, webhook, delivery, lease or answer",
    async run(make) {
      const store = await make({});
      const letter = { id: "l", scope: alice, taskId: "a", text: "{}" };
      await commit(store, birth("a"));
      await store.mail.post(letter);
      const refused = append("a", 3, 3, {
        fence: 7,
        head: head(COMPLETED, 5),
        messages: [{ k: 1, after: 1, text: "{}" }],
        configs: [{ id: "w", text: "{}", version: "1.0" }],
        outbox: [{ configId: "w", n: 3, text: "{}" }],
        lease: { holder: "me", expires: msAt(60), fence: 7 },
        answers: [{ id: "l", text: "{}" }],
      });
      deepEqual([...(await store.commit([refused, append("a", 2, 2)]))], ["conflict", "ok"]);
      const task = await store.read(alice, "a");
      deepEqual([task?.revision, task?.fence, task?.lease], [2, 0, undefined]);
      deepEqual([task?.head, task?.messages], [birth("a").head, []]);
      equal(await store.configs.get(alice, "a", "w"), undefined);
      equal((await store.outbox.claim("me", msAt(0), 1_000, 10)).length, 0);
      equal(await store.mail.collect(letter), undefined);
    },
  },
  {
    name: "entries of one batch that build on each other are written in order",
    async run(make) {
      const store = await make({});
      const batch = [birth("a"), append("a", 2, 3), append("a", 2, 2), finish("a", 4), append("a", 5, 5)];
      deepEqual([...(await store.commit(batch))], ["ok", "ok", "conflict", "ok", "conflict"]);
      const task = await store.read(alice, "a", { after: 0 });
      deepEqual([task?.revision, numbers(task)], [4, [1, 2, 3, 4]]);
      deepEqual([...(await store.commit([]))], []);
    },
  },
  {
    name: "ids, texts and contexts of any length and any characters come back as they were",
    async run(make) {
      const store = await make({});
      const id = `ü "'%_\\/\u{1f600}.. ${"x".repeat(2_000)}`;
      const text = JSON.stringify({ text: "\u0001é\u{1f600}\u2028".repeat(50_000) });
      equal(await commit(store, birth(id, { events: [event(1, text)], head: head(WORKING, 0, id) })), "ok");
      const task = await store.read(alice, id, { after: 0 });
      equal(task?.taskId, id);
      equal(task.head.contextId, id);
      equal(task.events[0]?.text, text);
      equal((await store.list(alice, { pageSize: 10, contextId: id })).totalSize, 1);
    },
  },
];
