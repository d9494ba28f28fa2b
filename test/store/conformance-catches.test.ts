/** The conformance suite must notice a store that is wrong in one point. */
import { describe, expect, test } from "vitest";
import { memoryStore, type CommitEntry, type TaskStore } from "../../src/server.js";
import { storeConformance } from "../../src/testing.js";

type Fault = (store: TaskStore) => Partial<TaskStore>;

const withCommit =
  (change: (entry: CommitEntry) => CommitEntry): Fault =>
  (store) => ({ commit: (batch) => store.commit(batch.map(change)) });

const faults: Record<string, { fault: Fault; caught: RegExp }> = {
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
};

async function failuresOf(fault: Fault): Promise<string[]> {
  const runs: { name: string; run: () => Promise<void> }[] = [];
  const make = (options: object): TaskStore => {
    const store = memoryStore(options);
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
  for (const [name, { fault, caught }] of Object.entries(faults)) {
    test(name, async () => {
      expect(await failuresOf(fault)).toContainEqual(expect.stringMatching(caught));
    });
  }

  test("a sound one fails none", async () => {
    expect(await failuresOf(() => ({}))).toEqual([]);
  });
});
