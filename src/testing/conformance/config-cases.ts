import { deepEqual, equal, rejects } from "node:assert/strict";
import { isA2AError } from "../../errors.js";
import type { Delivery, StoredConfig } from "../../store/types.js";
import { alice, append, birth, bob, commit, msAt, type ConformanceCase } from "./fixtures.js";

const config = (id: string, text = "{}"): StoredConfig => ({ id, text, version: "1.0" });
const names = (deliveries: readonly Delivery[]): string[] =>
  deliveries.map(({ configId, n }) => `${configId}${String(n)}`).toSorted();

/** Webhook registrations and the outbox. */
export const configCases: ConformanceCase[] = [
  {
    name: "registrations are kept per task, in order; a known id is replaced in its place (Q29)",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a", { configs: [config("x")] }));
      equal(await store.configs.put(alice, "a", config("y")), true);
      equal(await store.configs.put(alice, "a", config("x", '{"new":1}')), true);
      deepEqual({ ...(await store.configs.get(alice, "a", "x")) }, config("x", '{"new":1}'));
      equal(await store.configs.get(bob, "a", "x"), undefined);
      equal(await store.configs.put(alice, "missing", config("x")), false);
      const { configs } = await store.configs.list(alice, "a", { pageSize: 10 });
      deepEqual(
        configs.map(({ id }) => id),
        ["x", "y"],
      );
      await store.configs.put(alice, "a", { ...config("x"), disabled: true });
      deepEqual({ ...(await store.configs.get(alice, "a", "x")) }, { ...config("x"), disabled: true });
      equal(await store.configs.delete(alice, "a", "x"), true);
      equal(await store.configs.delete(alice, "a", "x"), false);
      equal(await store.configs.get(alice, "a", "x"), undefined);
    },
  },
  {
    name: "registrations are paged; a foreign token is refused",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a", { configs: ["1", "2", "3"].map((id) => config(id)) }));
      const first = await store.configs.list(alice, "a", { pageSize: 2 });
      deepEqual(
        first.configs.map(({ id }) => id),
        ["1", "2"],
      );
      const last = await store.configs.list(alice, "a", { pageSize: 2, pageToken: first.nextPageToken });
      deepEqual([last.configs.map(({ id }) => id), last.nextPageToken], [["3"], ""]);
      await rejects(
        async () => store.configs.list(alice, "a", { pageSize: 2, pageToken: "junk" }),
        (error) => isA2AError(error, "INVALID_PARAMS"),
      );
    },
  },
  {
    name: "a page of registrations goes on where the last one ended, also where that one was deleted",
    async run(make) {
      let store = await make({});
      await commit(store, birth("a", { configs: ["1", "2", "3", "4"].map((id) => config(id)) }));
      const rest = async (pageToken: string): Promise<string[]> => {
        const { configs } = await store.configs.list(alice, "a", { pageSize: 10, pageToken });
        return configs.map(({ id }) => id);
      };
      const { nextPageToken: after2 } = await store.configs.list(alice, "a", { pageSize: 2 });
      await store.configs.delete(alice, "a", "2");
      deepEqual(await rest(after2), ["3", "4"]);
      const { nextPageToken: after3 } = await store.configs.list(alice, "a", { pageSize: 2 });
      for (const id of ["3", "4"]) await store.configs.delete(alice, "a", id);
      deepEqual(await rest(after3), []);
      // A place is given once: what comes now comes after all that ever was.
      store = (await make.again(store)) ?? store;
      await store.configs.put(alice, "a", config("2"));
      deepEqual(await rest(after2), ["2"]);
      deepEqual(await rest(after3), ["2"]);
    },
  },
  {
    name: "deliveries are claimed in order, one per registration, and hidden while claimed",
    async run(make) {
      const store = await make({});
      const outbox = [
        { configId: "x", n: 1, text: "1" },
        { configId: "x", n: 2, text: "2" },
        { configId: "y", n: 1, text: "1" },
      ];
      await commit(store, birth("a", { configs: [config("x"), config("y")], outbox }));
      const claimed = await store.outbox.claim("me", msAt(0), 1_000, 10);
      deepEqual(names(claimed), ["x1", "y1"]);
      deepEqual(names(await store.outbox.claim("other", msAt(0.5), 1_000, 10)), []);
      for (const delivery of claimed) if (delivery.configId === "x") await store.outbox.ack(delivery);
      deepEqual(names(await store.outbox.claim("other", msAt(0.6), 1_000, 10)), ["x2"]);
      // The claim of y ran out: someone else may try.
      deepEqual(names(await store.outbox.claim("third", msAt(1.1), 1_000, 10)), ["y1"]);
    },
  },
  {
    name: "a delivery that is put off comes back at its time, counted; one whose claim is lost stays with its new owner",
    async run(make) {
      const store = await make({});
      const outbox = [{ configId: "x", n: 1, text: "{}" }];
      await commit(store, birth("a", { configs: [config("x")], outbox }));
      const [first] = await store.outbox.claim("me", msAt(0), 1_000, 10);
      if (first === undefined) throw new Error("nothing was claimed");
      deepEqual([first.scope, first.taskId, first.text, first.attempts], [alice, "a", "{}", 0]);
      await store.outbox.ack(first, { retryAt: msAt(5) });
      equal((await store.outbox.claim("me", msAt(4), 1_000, 10)).length, 0);
      const [second] = await store.outbox.claim("other", msAt(5), 1_000, 10);
      equal(second?.attempts, 1);
      await store.outbox.ack(first, { retryAt: msAt(5) });
      equal((await store.outbox.claim("me", msAt(5.5), 1_000, 10)).length, 0);
    },
  },
  {
    name: "nothing is delivered to a registration that was deleted (A2A-3.1.10-c)",
    async run(make) {
      const store = await make({});
      await commit(
        store,
        birth("a", { configs: [config("x")], outbox: [{ configId: "x", n: 1, text: "{}" }] }),
      );
      await commit(store, append("a", 2, 2, { outbox: [{ configId: "x", n: 2, text: "{}" }] }));
      await store.configs.delete(alice, "a", "x");
      deepEqual(names(await store.outbox.claim("me", msAt(0), 1_000, 10)), []);
    },
  },
];
