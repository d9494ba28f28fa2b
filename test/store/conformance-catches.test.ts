/** The conformance suite must notice a store that is wrong in one point. */
import { describe, expect, test } from "vitest";
import { memoryStore, type CommitEntry, type TaskStore } from "../../src/server.js";
import { storeConformance } from "../../src/testing.js";

type Fault = (store: TaskStore) => Partial<TaskStore>;

const withCommit =
  (change: (entry: CommitEntry) => CommitEntry): Fault =>
  (store) => ({ commit: (batch) => store.commit(batch.map(change)) });

const faults: Record<string, { fault: Fault; options?: object; caught: RegExp }> = {
  "ignores the expected revision": {
    fault: (store) => ({
      commit: (batch) =>
        batch.flatMap((entry) => {
          const stored = store.read(entry.scope, entry.taskId);
          const revision = stored instanceof Promise || stored === undefined ? 0 : stored.revision;
          return store.commit([{ ...entry, expect: revision }]) as ["ok"];
        }),
    }),
    caught: /does not build on the stored revision/,
  },
  "ignores the scope": {
    fault: (store) => ({
      read: (_scope, id, options) => store.read({ tenant: "t1", owner: "alice" }, id, options),
    }),
    caught: /within its scope only/,
  },
  "ignores fences": {
    fault: withCommit((entry) => ({ ...entry, fence: 1_000 })),
    caught: /lost its lease are fenced/,
  },
  "stops a batch at the first conflict": {
    fault: (store) => ({
      commit(batch) {
        const results = batch.map((entry) => store.commit([entry]) as ["ok"]);
        const bad = results.findIndex(([result]) => (result as string) === "conflict");
        return results.map(([result], i) => (bad >= 0 && i > bad ? "conflict" : result));
      },
    }),
    caught: /entries of a batch are independent/,
  },
  "loses messages": {
    fault: withCommit(({ messages: _lost, ...entry }) => entry),
    caught: /received messages are numbered/,
  },
  "loses what the agent keeps": {
    fault: withCommit((entry) => {
      if (entry.snapshot === undefined) return entry;
      const { agent: _lost, ...snapshot } = entry.snapshot;
      return { ...entry, snapshot };
    }),
    caught: /keeps what the agent keeps/,
  },
  "forgets replayed events": {
    fault: (store) => ({ read: (scope, id) => store.read(scope, id) }),
    caught: /`after` also gives kept events/,
  },
  "copies events, whose text may be a getter": {
    fault: withCommit((entry) => ({ ...entry, events: entry.events.map((event) => ({ ...event })) })),
    caught: /events with a frame are read back as their texts/,
  },
  "loses what is around a text": {
    fault: withCommit((entry) => ({
      ...entry,
      events: entry.events.map(({ n, text, part }) => ({ n, text: part ?? text })),
    })),
    caught: /events with a frame are read back as their texts/,
  },
  "pages by offset": {
    fault: (store) => ({
      async list(scope, query) {
        const all = await store.list(scope, { pageSize: 100 });
        const from = Number(query.pageToken ?? 0);
        const tasks = all.tasks.slice(from, from + query.pageSize);
        const next = from + query.pageSize;
        return { ...all, tasks, nextPageToken: next < all.totalSize ? String(next) : "" };
      },
    }),
    caught: /neither repeat nor lose a task/,
  },
  "compares times as text": {
    fault: (store) => ({
      list: (scope, { statusTimestampAfter: after = "", ...query }) => {
        const page = store.list(scope, query);
        if (page instanceof Promise) return page;
        const tasks = page.tasks.filter(({ head }) => head.timestamp >= after);
        return { ...page, tasks, totalSize: tasks.length };
      },
    }),
    caught: /inclusive, whatever its precision/,
  },
  "sweeps live tasks": {
    fault: (store) => ({
      sweep(now, limit) {
        void store.delete({ tenant: "t1", owner: "alice" }, "live");
        return store.sweep(now, limit);
      },
    }),
    caught: /live ones never/,
  },
  "claims what is claimed": {
    fault: (store) => ({
      outbox: {
        ...store.outbox,
        claim: (holder, now, _ttl, limit) => store.outbox.claim(holder, now, -1, limit),
      },
    }),
    caught: /hidden while claimed/,
  },
  "gives one lease to all": {
    fault: (store) => ({
      lease: {
        ...store.lease,
        acquire: (scope, id, _holder, now, ttl) => store.lease.acquire(scope, id, "same", now, ttl),
      },
    }),
    caught: /belongs to one holder/,
  },
  "writes to a task that has ended": {
    fault: (store) => ({
      commit: (batch) =>
        batch.map((entry) => {
          const [result] = store.commit([entry]) as ["ok" | "conflict"];
          return result === "conflict" && entry.events.length === 0 && entry.configs ? "ok" : result;
        }),
    }),
    caught: /nothing but a lease is written/,
  },
  "drops events that no snapshot holds": {
    fault: (store) => ({
      commit: (batch) =>
        batch.flatMap((entry) => {
          const { dropEvents, snapshot, events } = entry;
          const last = events.at(-1)?.n ?? 0;
          const whole = dropEvents && snapshot ? { snapshot: { ...snapshot, at: last } } : {};
          return store.commit([{ ...entry, ...whole }]) as ["ok"];
        }),
    }),
    caught: /but for those that no snapshot holds/,
  },
  "replays whole commits only": {
    fault: (store) => ({
      read(scope, id, options) {
        const after = options?.after;
        return store.read(scope, id, after === undefined ? {} : { after: after - (after % 3) });
      },
    }),
    caught: /from every revision on, also from the middle of a commit/,
  },
  "keeps more than maxEvents": {
    fault: () => ({}),
    options: { maxEvents: 10_000 },
    caught: /beyond maxEvents/,
  },
  "forgets the window": { fault: () => ({}), options: { replayWindow: 1e9 }, caught: /within the window/ },
  "renews whatever it is given": {
    fault: (store) => ({
      lease: {
        ...store.lease,
        renew(leases, expires) {
          void store.lease.renew(leases, expires);
          return leases.map(() => true);
        },
      },
    }),
    caught: /renewed together/,
  },
  "finds ended leases in any order": {
    fault: (store) => ({
      lease: {
        ...store.lease,
        expired: async (now, limit) => [...(await store.lease.expired(now, limit))].reverse(),
      },
    }),
    caught: /longest ago first/,
  },
  "forgets the fence of a task": {
    fault: (store) => ({
      async read(scope, id, options) {
        const task = await store.read(scope, id, options);
        return task && { ...task, fence: task.lease?.fence ?? 0 };
      },
    }),
    caught: /greatest fence so far/,
  },
  "answers letters of refused entries": {
    fault: (store) => ({
      commit: (batch) =>
        batch.flatMap((entry) => {
          for (const { id, text } of entry.answers ?? [])
            void store.mail.answer({ id, text: "", scope: entry.scope, taskId: entry.taskId }, text);
          return store.commit([entry]) as ["ok"];
        }),
    }),
    caught: /answers are written with their commit/,
  },
  "gives letters task by task": {
    fault: (store) => ({
      mail: {
        ...store.mail,
        waiting: async (holder, limit) =>
          [...(await store.mail.waiting(holder, limit))].sort((a, b) => (a.taskId < b.taskId ? -1 : 1)),
      },
    }),
    caught: /oldest first over all tasks/,
  },
  "replaces a letter that is there": {
    fault: (store) => ({
      mail: {
        ...store.mail,
        async post(letter) {
          await store.mail.answer(letter, "{}");
          await store.mail.collect(letter);
          return store.mail.post(letter);
        },
      },
    }),
    caught: /is not changed by another with its id/,
  },
  "takes the next delivery when a claim ran out": {
    fault: (store) => ({
      outbox: {
        ...store.outbox,
        async claim(holder, now, ttl, limit) {
          const claimed = await store.outbox.claim(holder, now, ttl, limit);
          for (const delivery of claimed) await store.outbox.ack(delivery);
          return claimed;
        },
      },
    }),
    caught: /starts again with the same delivery/,
  },
  "counts what was deleted": {
    fault: (store) => {
      let deleted = 0;
      return {
        delete(scope, id) {
          deleted += 1;
          return store.delete(scope, id);
        },
        async list(scope, query) {
          const page = await store.list(scope, query);
          return { ...page, totalSize: page.totalSize + deleted };
        },
      };
    },
    caught: /totalSize follows/,
  },
  "lets nobody leave a task": {
    fault: (store) => ({
      commit: (batch) =>
        batch.flatMap((entry) => {
          const leaves = entry.lease?.holder === "" && entry.expect !== 0;
          return leaves ? ["fenced"] : (store.commit([entry]) as ["ok"]);
        }),
    }),
    caught: /may leave the task to nobody/,
  },
  "pages registrations by the id of the last": {
    fault: (store) => ({
      configs: {
        ...store.configs,
        async list(scope, id, { pageSize, pageToken = "" }) {
          const { configs: all } = await store.configs.list(scope, id, { pageSize: 100 });
          const from = all.findIndex((config) => config.id === pageToken) + 1;
          const configs = all.slice(from, from + pageSize);
          const more = from + pageSize < all.length;
          return { configs, nextPageToken: more ? (configs.at(-1)?.id ?? "") : "" };
        },
      },
    }),
    caught: /also where that one was deleted/,
  },
  "cuts long ids": {
    fault: withCommit((entry) => ({ ...entry, taskId: entry.taskId.slice(0, 255) })),
    caught: /several kB that differ/,
  },
  "joins the parts of a name": {
    fault: withCommit((entry) => ({
      ...entry,
      scope: { tenant: "", owner: "" },
      taskId: `${entry.scope.tenant}/${entry.scope.owner}/${entry.taskId}`,
    })),
    caught: /do not run into each other/,
  },
};

async function failuresOf(fault: Fault, bounds: object = {}): Promise<string[]> {
  const runs: { name: string; run: () => Promise<void> }[] = [];
  const make = (options: object): TaskStore => {
    const store = memoryStore({ ...options, ...bounds });
    return { ...store, ...fault(store) };
  };
  storeConformance("faulty", make, { test: (name, run) => runs.push({ name, run }) });
  const results = await Promise.all(
    runs.map(async ({ name, run }) =>
      run().then(
        () => [],
        () => [name],
      ),
    ),
  );
  return results.flat();
}

describe("a faulty store fails the rule it breaks", () => {
  for (const [name, { fault, options, caught }] of Object.entries(faults)) {
    test(name, async () => {
      expect(await failuresOf(fault, options)).toContainEqual(expect.stringMatching(caught));
    });
  }

  test("a sound one fails none", async () => {
    expect(await failuresOf(() => ({}))).toEqual([]);
  });
});
