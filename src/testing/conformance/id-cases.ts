import { deepEqual, equal } from "node:assert/strict";
import type { Scope } from "../../store/types.js";
import { alice, append, birth, commit, head, msAt, WORKING, type ConformanceCase } from "./fixtures.js";

/** Several kB that differ in their last character only. */
const LONG = ["1", "2"].map((last) => `${"é/\u{1f600}.".repeat(700)}${last}`);

/** Names that must not be mixed up, nor lead anywhere. */
const ODD = [
  "",
  ".",
  "..",
  "../x",
  "a/b",
  "a\\b",
  "a b",
  "A",
  "a",
  "%61",
  "'; --",
  "CON",
  "nul\0byte",
  "\u00e9",
  "e\u0301",
];

/** Ids, owners and tenants of any length and any characters. */
export const idCases: ConformanceCase[] = [
  {
    name: "ids of several kB that differ in one character are two tasks, each with its own webhooks and letters",
    async run(make) {
      const store = await make({});
      for (const id of LONG) {
        const outbox = [{ configId: id, n: 1, text: id }];
        await commit(store, birth(id, { head: head(WORKING, 0, id), outbox }));
        await store.configs.put(alice, id, { id, text: id, version: "1.0" });
        await store.mail.post({ id, scope: alice, taskId: id, text: id });
        equal(await commit(store, append(id, 2, 2)), "ok");
        await store.lease.acquire(alice, id, id, msAt(0), 1_000);
      }
      const listed = await store.list(alice, { pageSize: 1 });
      equal(listed.tasks[0]?.taskId, LONG[1]);
      const rest = await store.list(alice, { pageSize: 1, pageToken: listed.nextPageToken });
      equal(rest.tasks[0]?.taskId, LONG[0]);
      const claimed = await store.outbox.claim("me", msAt(0), 1, 10);
      deepEqual(claimed.map(({ configId }) => configId).toSorted(), LONG);
      for (const id of LONG) {
        equal((await store.read(alice, id))?.taskId, id);
        equal((await store.list(alice, { pageSize: 5, contextId: id })).totalSize, 1);
        equal((await store.configs.get(alice, id, id))?.text, id);
        deepEqual(
          (await store.mail.waiting(id, 5)).map(({ text }) => text),
          [id],
        );
      }
      equal(await store.delete(alice, LONG[0] ?? ""), true);
      equal((await store.read(alice, LONG[1] ?? ""))?.revision, 2);
    },
  },
  {
    name: "tasks, tenants and owners of odd names are kept apart",
    async run(make) {
      const store = await make({});
      const places = ODD.flatMap((name): { scope: Scope; taskId: string }[] => [
        { scope: { tenant: name, owner: "o" }, taskId: "t" },
        { scope: { tenant: "t", owner: name }, taskId: "t" },
        { scope: { tenant: "t", owner: "t" }, taskId: name },
      ]);
      const batch = places.map(({ scope, taskId }, i) =>
        birth(taskId, { scope, events: [{ n: 1, text: String(i) }] }),
      );
      deepEqual(new Set(await store.commit(batch)), new Set(["ok"]));
      for (const [i, { scope, taskId }] of places.entries()) {
        const task = await store.read(scope, taskId, { after: 0 });
        deepEqual([task?.taskId, task?.events[0]?.text], [taskId, String(i)]);
        const size = scope.owner === "t" && scope.tenant === "t" ? ODD.length : 1;
        equal((await store.list(scope, { pageSize: 1 })).totalSize, size);
      }
    },
  },
  {
    name: "the parts of a name do not run into each other",
    async run(make) {
      const store = await make({});
      const places: [string, string, string][] = [
        ["a", "b", "c"],
        ["ab", "", "c"],
        ["a", "bc", ""],
        ["", "ab", "c"],
        ["a/b", "", "c"],
        ["a", "b/c", ""],
        ["a\0b", "", "c"],
      ];
      for (const [tenant, owner, id] of places) {
        equal(await commit(store, birth(id, { scope: { tenant, owner } })), "ok");
      }
      for (const [tenant, owner, id] of places) equal(await store.delete({ tenant, owner }, id), true);
    },
  },
];
