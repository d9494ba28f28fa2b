/** Listeners who stand at the same place get the same list of events: what bindings make of it is made once. */
import { expect, test } from "vitest";
import { memoryStore } from "../../src/store/memory-store.js";
import { TaskEngine } from "../../src/task/engine.js";
import { Subscription } from "../../src/task/subscription.js";
import { status, task, update } from "./events.js";
import { turn } from "./slow-store.js";
import { TaskState } from "../../src/versions/pivot.js";

test("listeners who ask again as soon as they have something get the same lists", async () => {
  const engine = new TaskEngine({
    store: memoryStore(),
    sweepMs: 0,
    report: (message) => expect.fail(message),
  });
  const live = engine.create({ tenant: "", owner: "" }, task(), "c1");
  live.holds = 1;
  const heard = Array.from({ length: 3 }, (): unknown[] => {
    const stream = new Subscription(live, { cursor: 0, closes: () => false, limits: engine.limits });
    const lists: unknown[] = [];
    const receiver = {
      received: (events: unknown) => {
        lists.push(events);
        stream.take(receiver);
      },
      ended: () => lists.push("end"),
      failed: (error: unknown) => lists.push(error),
    };
    stream.take(receiver);
    return lists;
  });
  for (const n of [1, 2, 16]) {
    live.emit(Array.from({ length: n }, () => update("x", "token", live.revision > 1)));
    await turn();
  }
  const [first = [], ...others] = heard;
  expect(first.flat().length).toBe(live.revision);
  for (const lists of others) {
    expect(lists.length).toBe(first.length);
    for (const [at, list] of lists.entries()) expect(list).toBe(first[at]);
  }
  live.emit([status(TaskState.COMPLETED)]);
  await turn();
});
