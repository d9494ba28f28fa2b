import { deepEqual, equal, rejects } from "node:assert/strict";
import { isA2AError } from "../../errors.js";
import type { ListPage, ListQuery, Scope, TaskStore } from "../../store/types.js";
import {
  alice,
  append,
  at,
  bob,
  commit,
  COMPLETED,
  head,
  INPUT_REQUIRED,
  put,
  WORKING,
  type ConformanceCase,
} from "./fixtures.js";

const ids = ({ tasks }: ListPage): string[] => tasks.map(({ taskId }) => taskId);

async function walk(store: TaskStore, query: ListQuery, scope: Scope = alice): Promise<string[]> {
  const found: string[] = [];
  let pageToken = "";
  do {
    const page: ListPage = await store.list(scope, { ...query, ...(pageToken && { pageToken }) });
    found.push(...ids(page));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return found;
}

const refused = (list: () => unknown): Promise<void> =>
  rejects(
    async () => {
      await list();
    },
    (error) => isA2AError(error, "INVALID_PARAMS"),
  );

/** Order, filters and pages of `list`. */
export const listCases: ConformanceCase[] = [
  {
    name: "tasks are listed by status time, newest first, ties by descending id (A2A-3.1.4-r)",
    async run(make) {
      const store = await make({});
      for (const [id, seconds] of [
        ["a", 3],
        ["b", 1],
        ["c", 2],
        ["d", 2],
      ] as const) {
        await put(store, id, WORKING, seconds);
      }
      deepEqual(ids(await store.list(alice, { pageSize: 10 })), ["a", "d", "c", "b"]);
      await commit(store, append("b", 2, 2, { head: head(WORKING, 4) }));
      deepEqual(ids(await store.list(alice, { pageSize: 10 })), ["b", "a", "d", "c"]);
    },
  },
  {
    name: "filters apply together, and totalSize counts what matches (A2A-3.1.4-b, -o)",
    async run(make) {
      const store = await make({});
      await put(store, "a", WORKING, 1, "c1");
      await put(store, "b", WORKING, 2, "c2");
      await put(store, "c", COMPLETED, 3, "c1");
      await put(store, "d", WORKING, 4, "c1");
      const list = async (query: Partial<ListQuery>): Promise<[string[], number]> => {
        const page = await store.list(alice, { pageSize: 1, ...query });
        return [await walk(store, { pageSize: 1, ...query }), page.totalSize];
      };
      deepEqual(await list({}), [["d", "c", "b", "a"], 4]);
      deepEqual(await list({ contextId: "c1" }), [["d", "c", "a"], 3]);
      deepEqual(await list({ state: WORKING }), [["d", "b", "a"], 3]);
      deepEqual(await list({ contextId: "c1", state: WORKING }), [["d", "a"], 2]);
      deepEqual(await list({ statusTimestampAfter: at(2) }), [["d", "c", "b"], 3]);
      deepEqual(await list({ state: WORKING, statusTimestampAfter: at(2) }), [["d", "b"], 2]);
      deepEqual(await list({ contextId: "c1", state: WORKING, statusTimestampAfter: at(2) }), [["d"], 1]);
      deepEqual(await list({ contextId: "c3" }), [[], 0]);
      deepEqual(await list({ state: INPUT_REQUIRED }), [[], 0]);
    },
  },
  {
    name: "statusTimestampAfter is inclusive, whatever its precision (A2A-3.1.4-d)",
    async run(make) {
      const store = await make({});
      await put(store, "a", WORKING, 1.5);
      const total = async (statusTimestampAfter: string): Promise<number> =>
        (await store.list(alice, { pageSize: 10, statusTimestampAfter })).totalSize;
      equal(await total("2030-01-01T00:00:01.500Z"), 1);
      equal(await total("2030-01-01T00:00:01.5Z"), 1);
      equal(await total("2030-01-01T00:00:01Z"), 1);
      equal(await total("2030-01-01T00:00:01.500000Z"), 1);
      equal(await total("2030-01-01T00:00:01.500001Z"), 0);
      equal(await total("2030-01-01T00:00:02Z"), 0);
    },
  },
  {
    name: "pages neither repeat nor lose a task when others come and change in between (A2A-3.1.4-q)",
    async run(make) {
      const store = await make({});
      for (let i = 0; i < 7; i += 1) await put(store, `t${String(i)}`, i % 2 ? COMPLETED : WORKING, i);
      const first = await store.list(alice, { pageSize: 3 });
      deepEqual(ids(first), ["t6", "t5", "t4"]);
      await put(store, "new", WORKING, 100);
      // The last of the page moves to the front: the position stays where it was.
      await commit(store, append("t4", 2, 2, { head: head(WORKING, 101) }));
      const second = await store.list(alice, { pageSize: 3, pageToken: first.nextPageToken });
      deepEqual(ids(second), ["t3", "t2", "t1"]);
      await store.delete(alice, "t1");
      const third = await store.list(alice, { pageSize: 3, pageToken: second.nextPageToken });
      deepEqual(ids(third), ["t0"]);
      equal(third.nextPageToken, "");
    },
  },
  {
    name: "a full last page ends the listing, and an empty store has one empty page",
    async run(make) {
      const store = await make({});
      const empty = await store.list(alice, { pageSize: 2 });
      deepEqual([ids(empty), empty.nextPageToken, empty.totalSize], [[], "", 0]);
      await put(store, "a", WORKING, 1);
      await put(store, "b", WORKING, 2);
      equal((await store.list(alice, { pageSize: 2 })).nextPageToken, "");
    },
  },
  {
    name: "a page token of another listing, or none at all, is refused (A2A-3.1.4-h)",
    async run(make) {
      const store = await make({});
      for (let i = 0; i < 4; i += 1) await put(store, `t${String(i)}`, WORKING, i);
      const { nextPageToken: pageToken } = await store.list(alice, { pageSize: 2 });
      await refused(() => store.list(alice, { pageSize: 2, pageToken: "not-a-token" }));
      await refused(() => store.list(alice, { pageSize: 2, pageToken: pageToken.slice(0, -2) }));
      await refused(() => store.list(alice, { pageSize: 2, pageToken, state: WORKING }));
      await refused(() => store.list(bob, { pageSize: 2, pageToken }));
      deepEqual(ids(await store.list(alice, { pageSize: 1, pageToken })), ["t1"]);
    },
  },
  {
    name: "a scope lists its own tasks only, also in totalSize (A2A-3.1.4-p)",
    async run(make) {
      const store = await make({});
      await put(store, "a", WORKING, 1);
      await put(store, "b", WORKING, 2, "c1", bob);
      const page = await store.list(bob, { pageSize: 10, contextId: "c1" });
      deepEqual([ids(page), page.totalSize], [["b"], 1]);
      equal((await store.list({ tenant: "t2", owner: "bob" }, { pageSize: 10 })).totalSize, 0);
    },
  },
];
