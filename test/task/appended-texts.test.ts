/** Texts that are added to an artifact, which most events are: their events, their commits, and who gets them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/store/memory-store.js";
import type { CommitEntry, TaskStore } from "../../src/store/types.js";
import { afterTick, atTickEnd } from "../../src/task/after-tick.js";
import { TaskEngine } from "../../src/task/engine.js";
import type { LiveTask } from "../../src/task/live-task.js";
import { foldStored } from "../../src/task/load-task.js";
import { Subscription } from "../../src/task/subscription.js";
import { TaskFold } from "../../src/task/task-fold.js";
import { TextFrame } from "../../src/task/text-frame.js";
import { TextRecord } from "../../src/task/text-record.js";
import { TaskState } from "../../src/versions/pivot.js";
import { status, task, update } from "./events.js";
import { turn } from "./slow-store.js";

const scope = { tenant: "", owner: "" };
const frame = new TextFrame("t1", "c1", "a");

interface Begun {
  readonly engine: TaskEngine;
  readonly live: LiveTask;
  readonly store: TaskStore;
  /** What was committed after the artifact was begun. */
  readonly entries: CommitEntry[];
}

/** A task with an artifact of one text. */
function begin(hints = memoryStore().hints): Begun {
  const inner = memoryStore();
  const entries: CommitEntry[] = [];
  const store: TaskStore = {
    ...inner,
    ...(hints && { hints }),
    commit(batch) {
      entries.push(...batch);
      return inner.commit(batch);
    },
  };
  const engine = new TaskEngine({ store, sweepMs: 0 });
  const live = engine.create(scope, task(), "c1");
  live.holds += 1;
  live.emit([update("a", "0")]);
  entries.length = 0;
  return { engine, live, store, entries };
}

const numbers = ({ events }: CommitEntry): number[] => events.map(({ n }) => n);

describe("the event", () => {
  test("is what its frame makes of the text, as a value and as JSON, before and after it was encoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const event = frame.event(text);
        const record = new TextRecord(7, text, frame);
        expect(record.value()).toEqual(event);
        expect(record.text).toBe(JSON.stringify(event));
        expect(record.value()).toEqual(JSON.parse(JSON.stringify(event)));
        expect(record.oneLine).toBe(!/[\n\r]/.test(record.text));
      }),
    );
  });

  test("changes the task as any other that appends", () => {
    const events = [update("a", "0"), update("b", "x"), update("a", "1", true), update("a", "new")];
    const framed = new TaskFold(task());
    const plain = new TaskFold(task());
    for (const event of events) {
      for (const fold of [framed, plain]) fold.apply(event);
      for (const id of ["a", "unknown", "a"]) {
        framed.append(id, "more");
        plain.apply(new TextFrame("t1", "c1", id).event("more"));
      }
      expect(framed.task).toEqual(plain.task);
    }
    // Neither what it began with nor an event grows.
    expect(events[0]).toEqual(update("a", "0"));
    for (const fold of [framed, plain]) fold.apply({ task: task() });
    framed.append("a", "after");
    plain.apply(frame.event("after"));
    expect(framed.task).toEqual(plain.task);
  });
});

describe("the commit", () => {
  test("holds all texts of a tick, and is seen in the turn in which it is made", async () => {
    const { engine, live, entries } = begin();
    const stream = new Subscription(live, { cursor: 2, closes: () => false, limits: engine.limits });
    const next = stream.next();
    for (const text of ["1", "2", "3"]) live.append(text, frame);
    expect(live.committed).toBe(2);
    let seen: readonly { readonly id: number | undefined }[] | undefined;
    void next.then(({ value }) => (seen = value));
    await new Promise((resolve) => setImmediate(resolve));
    expect(entries.map(numbers)).toEqual([[3, 4, 5]]);
    expect(seen?.map(({ id }) => id)).toEqual([3, 4, 5]);
  });

  test("comes at once with any other event", async () => {
    const { live, entries } = begin();
    live.append("1", frame);
    live.emit([status(TaskState.COMPLETED)]);
    expect(entries.map(numbers)).toEqual([[3, 4]]);
    await turn();
    expect(entries).toHaveLength(1);
  });

  test("is not lost where the server closes in the same tick", async () => {
    const { engine, live, store } = begin();
    live.append("1", frame);
    await engine.close();
    const stored = await store.read(scope, "t1");
    expect(stored && foldStored(stored).task.artifacts?.[0]?.parts).toEqual([{ text: "0" }, { text: "1" }]);
  });

  test("lets a task be forgotten that nobody holds any more", async () => {
    const { engine, live } = begin();
    live.append("1", frame);
    live.holds -= 1;
    live.retireIfIdle();
    expect(engine.size).toBe(1);
    await turn();
    expect(engine.size).toBe(0);
  });

  test("holds a snapshot ever more rarely in a long task: all of them together grow with it, not with its square", async () => {
    const { live, entries } = begin();
    for (let n = 1; n <= 70_000; n++) {
      live.append("x", frame);
      if (n % 1_000 === 0) await turn();
    }
    const held = entries.flatMap(({ snapshot }) => (snapshot === undefined ? [] : [snapshot.at]));
    expect(held.map((at) => Math.round(at / 1_000))).toEqual([10, 26, 66]);
  });

  test("holds one often enough where the store keeps no events for long: what is read is a few times the task", async () => {
    const { live, entries } = begin({});
    for (let n = 1; n <= 20_000; n++) {
      live.append("token", frame);
      if (n % 100 === 0) await turn();
    }
    const held = entries.flatMap(({ snapshot }) => (snapshot === undefined ? [] : [snapshot]));
    const written = held.reduce((sum, { text }) => sum + text.length, 0);
    expect(written).toBeLessThan(4 * live.text().text.length);
    // Events between two snapshots, in proportion to those before them.
    const gaps = held.map(({ at }, i) => at / (held[i - 1]?.at ?? at));
    expect(Math.max(...gaps.slice(3))).toBeLessThan(1.6);
    expect(held.length).toBeGreaterThan(8);
  });

  test("is waited for by whoever asks for the task", async () => {
    const { engine, live } = begin();
    live.append("1", frame);
    expect(await engine.text(scope, "t1")).toContain('{"text":"1"}');
    expect(live.settled).toBe(true);
  });
});

test("all who stand at the same place get one list; one whose stream closes within it gets a shorter one", async () => {
  const { engine, live } = begin();
  const listen = (last: number): Subscription =>
    new Subscription(live, {
      cursor: 2,
      closes: ({ n }) => n === last,
      limits: engine.limits,
    });
  const streams = [listen(9), listen(4), listen(9)];
  for (const state of [TaskState.WORKING, TaskState.WORKING, TaskState.WORKING]) live.emit([status(state)]);
  const [whole, short, again] = await Promise.all(streams.map((stream) => stream.next()));
  expect(whole?.value?.map(({ id }) => id)).toEqual([3, 4, 5]);
  expect(short?.value?.map(({ id }) => id)).toEqual([3, 4]);
  expect(again?.value).toBe(whole?.value);
});

test("what is told at the end of a tick reaches those who wait for it in the same turn", async () => {
  const order: string[] = [];
  afterTick(() => order.push("waited"));
  atTickEnd(() => {
    order.push("ended");
    afterTick(() => order.push("told"));
    atTickEnd(() => order.push("later"));
  });
  await turn();
  expect(order).toEqual(["ended", "waited", "told", "later"]);
});
