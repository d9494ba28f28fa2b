import { deepEqual, equal } from "node:assert/strict";
import type { Letter, TaskStore } from "../../store/types.js";
import { alice, append, birth, bob, commit, finish, msAt, type ConformanceCase } from "./fixtures.js";

const letter = (id: string, taskId = "a", scope = alice): Letter => ({
  id,
  scope,
  taskId,
  text: JSON.stringify({ letter: id }),
});

/** A task whose lease `holder` has. */
const owned = (store: TaskStore, id: string, holder = "me", scope = alice): Promise<unknown> =>
  commit(store, birth(id, { scope, fence: 1, lease: { holder, expires: msAt(10), fence: 1 } }));

const waiting = async (store: TaskStore, holder = "me", limit = 10): Promise<string[]> =>
  (await store.mail.waiting(holder, limit)).map(({ id }) => id);

/** Letters between instances. */
export const mailCases: ConformanceCase[] = [
  {
    name: "a letter waits for the holder of its task until it is answered; its answer is taken once",
    async run(make) {
      const store = await make({});
      await owned(store, "a");
      equal(await store.mail.post(letter("1")), true);
      const found = await store.mail.waiting("me", 10);
      deepEqual(
        found.map(({ id, scope, taskId, text }) => ({ id, scope: { ...scope }, taskId, text })),
        [letter("1")],
      );
      deepEqual(await waiting(store, "you"), []);
      equal(await store.mail.collect(letter("1")), undefined);
      equal(await store.mail.collect(letter("1"), { keep: true }), undefined);
      equal(await store.mail.answer(letter("1"), '{"yes":1}'), true);
      equal(await store.mail.answer(letter("1"), '{"no":1}'), false);
      deepEqual(await waiting(store), []);
      equal(await store.mail.collect(letter("1"), { keep: true }), '{"yes":1}');
      equal(await store.mail.collect(letter("1")), '{"yes":1}');
      equal(await store.mail.collect(letter("1")), undefined);
      equal(await store.mail.answer(letter("1"), "{}"), false);
    },
  },
  {
    name: "letters come oldest first over all tasks, no more than asked for",
    async run(make) {
      const store = await make({});
      await owned(store, "a");
      await owned(store, "b");
      await owned(store, "c", "you");
      for (const [id, taskId] of [
        ["9", "b"],
        ["7", "a"],
        ["3", "c"],
        ["8", "b"],
        ["1", "a"],
      ] as const) {
        await store.mail.post(letter(id, taskId));
      }
      deepEqual(await waiting(store), ["9", "7", "8", "1"]);
      deepEqual(await waiting(store, "me", 2), ["9", "7"]);
      await store.mail.answer(letter("7"), "{}");
      deepEqual(await waiting(store, "me", 2), ["9", "8"]);
    },
  },
  {
    name: "letters follow the lease: they wait for whoever has it, also after it ended",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      equal(await store.mail.post(letter("1")), true);
      deepEqual(await waiting(store), []);
      await store.lease.acquire(alice, "a", "old", msAt(-60), 1_000);
      deepEqual(await waiting(store, "old"), ["1"]);
      await store.lease.acquire(alice, "a", "me", msAt(0), 1_000);
      deepEqual([await waiting(store, "old"), await waiting(store)], [[], ["1"]]);
      await commit(store, append("a", 2, 2, { fence: 2, lease: null }));
      deepEqual(await waiting(store), []);
    },
  },
  {
    name: "a letter that is there already is not changed by another with its id",
    async run(make) {
      const store = await make({});
      await owned(store, "a");
      equal(await store.mail.post(letter("1")), true);
      equal(await store.mail.post({ ...letter("1"), text: "{}" }), true);
      deepEqual(
        (await store.mail.waiting("me", 10)).map(({ text }) => text),
        [letter("1").text],
      );
      await store.mail.answer(letter("1"), '{"yes":1}');
      equal(await store.mail.post(letter("1")), true);
      deepEqual(await waiting(store), []);
      equal(await store.mail.collect(letter("1")), '{"yes":1}');
    },
  },
  {
    name: "nobody writes to a task that is not there or has ended",
    async run(make) {
      const store = await make({});
      equal(await store.mail.post(letter("1", "missing")), false);
      await owned(store, "a");
      equal(await store.mail.post(letter("1", "a", bob)), false);
      await commit(store, finish("a", 2, 0, { fence: 1 }));
      equal(await store.mail.post(letter("1")), false);
      deepEqual(await waiting(store), []);
      equal(await store.mail.answer(letter("1"), "{}"), false);
    },
  },
  {
    name: "answers are written with their commit; those of a refused one are not",
    async run(make) {
      const store = await make({});
      await owned(store, "a");
      for (const id of ["1", "2", "3"]) await store.mail.post(letter(id));
      const answers = [
        { id: "1", text: '{"first":1}' },
        { id: "unknown", text: "{}" },
        { id: "3", text: '{"third":1}' },
      ];
      equal(await commit(store, append("a", 5, 5, { fence: 1, answers })), "conflict");
      equal(await commit(store, append("a", 2, 2, { fence: 0, answers })), "fenced");
      deepEqual(await waiting(store), ["1", "2", "3"]);
      equal(await commit(store, append("a", 2, 2, { fence: 1, answers })), "ok");
      deepEqual(await waiting(store), ["2"]);
      const again = [{ id: "1", text: '{"again":1}' }];
      equal(await commit(store, append("a", 3, 3, { fence: 1, answers: again })), "ok");
      equal(await store.mail.collect(letter("1")), '{"first":1}');
      equal(await store.mail.collect(letter("3")), '{"third":1}');
    },
  },
  {
    name: "a letter is answered by the commit that ends its task, or after it",
    async run(make) {
      const store = await make({});
      await owned(store, "a");
      for (const id of ["1", "2"]) await store.mail.post(letter(id));
      await commit(store, finish("a", 2, 0, { fence: 1, answers: [{ id: "1", text: '{"done":1}' }] }));
      equal(await store.mail.collect(letter("1")), '{"done":1}');
      equal(await store.mail.collect(letter("2")), undefined);
      equal(await store.mail.answer(letter("2"), '{"late":1}'), true);
      equal(await store.mail.collect(letter("2")), '{"late":1}');
    },
  },
  {
    name: "letters belong to their scope and task",
    async run(make) {
      const store = await make({});
      for (const scope of [alice, bob]) {
        await owned(store, "a", "me", scope);
        await store.mail.post(letter("1", "a", scope));
      }
      await owned(store, "b");
      equal(await store.mail.answer(letter("1", "b"), "{}"), false);
      equal(await store.mail.answer(letter("1", "a", { tenant: "t2", owner: "alice" }), "{}"), false);
      equal(await store.mail.answer(letter("1", "a", bob), '{"bob":1}'), true);
      equal(await store.mail.collect(letter("1")), undefined);
      equal((await store.mail.waiting("me", 10))[0]?.scope.owner, "alice");
      equal(await store.mail.collect(letter("1", "a", bob)), '{"bob":1}');
    },
  },
  {
    name: "letters go with their task",
    async run(make) {
      const store = await make({ ttl: 1_000 });
      for (const id of ["a", "b"]) {
        await owned(store, id);
        await store.mail.post(letter("1", id));
        await store.mail.post(letter("2", id));
        await store.mail.answer(letter("2", id), "{}");
      }
      equal(await store.delete(alice, "a"), true);
      await commit(store, finish("b", 2, 0, { fence: 1 }));
      equal(await store.sweep(msAt(10), 10), 1);
      deepEqual(await waiting(store), []);
      for (const id of ["a", "b"]) {
        await owned(store, id);
        equal(await store.mail.collect(letter("2", id)), undefined);
        equal(await store.mail.answer(letter("1", id), "{}"), false);
      }
      deepEqual(await waiting(store), []);
    },
  },
];
