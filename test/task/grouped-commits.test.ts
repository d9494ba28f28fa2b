/** Stores for which a commit costs much (hint `group`): callers who come at once share commits. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CommitEntry } from "../../src/store/types.js";
import { createCommitter } from "../../src/task/committer.js";
import { setImmediate as turn } from "node:timers/promises";

const entry: CommitEntry = {
  scope: { tenant: "", owner: "" },
  taskId: "t",
  expect: 0,
  fence: 0,
  events: [],
};

/** Hands over as many entries as are asked for; `sizes` are those of the commits. */
function begin() {
  const sizes: number[] = [];
  const committer = createCommitter({
    hints: { group: true },
    commit(batch) {
      sizes.push(batch.length);
      return batch.map(() => "ok");
    },
  });
  const hand = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, async () => committer.commit({ entry: () => entry })));
  return { sizes, hand };
}

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

test("an entry alone is committed at the end of its tick", async () => {
  const { sizes, hand } = begin();
  const done = hand(1);
  await turn();
  expect(sizes).toEqual([1]);
  expect(await done).toEqual(["ok"]);
});

test("several wait for those of the next ticks, for as long as each brings more", async () => {
  const { sizes, hand } = begin();
  const all = [hand(2)];
  await turn();
  expect(sizes).toEqual([]);
  all.push(hand(1));
  await turn();
  expect(sizes).toEqual([]);
  await turn();
  expect(sizes).toEqual([3]);
  expect((await Promise.all(all)).flat()).toEqual(["ok", "ok", "ok"]);
});

test("but no longer than a millisecond, and not for more than 64", async () => {
  const { sizes, hand } = begin();
  void hand(2);
  await turn();
  void hand(1);
  vi.advanceTimersByTime(1);
  await turn();
  expect(sizes).toEqual([3]);
  for (let tick = 0; tick < 32; tick++) {
    void hand(2);
    await turn();
  }
  expect(sizes).toEqual([3, 64]);
});
