import { deepEqual, equal, ok } from "node:assert/strict";
import type { EventFrame, StoredEvent } from "../../store/types.js";
import {
  alice,
  append,
  birth,
  commit,
  event,
  finish,
  head,
  msAt,
  numbers,
  snapshotAt,
  WORKING,
  type ConformanceCase,
} from "./fixtures.js";

const upTo = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + 1 + i);

const FRAMES = [
  { head: '{"artifactUpdate":{"artifact":{"artifactId":"a","parts":[{"text":', tail: '}]},"append":true}}' },
  { head: '{"x:1,+2":', tail: ',"y":"\u2028"}' },
] as const;

/** Also those that look like what a store may write around them. */
const FRAMED_TEXTS = [
  "",
  "word ",
  '"\\',
  "+5",
  "12:3,+4\n",
  "\u0000\r\n\u2028",
  "\ud800",
  "\u{1f600}",
  "}]}",
  "x".repeat(9_000),
];

/** As the engine makes them: one object for what is around them, and members that are getters. */
class FramedEvent implements StoredEvent {
  readonly n: number;
  readonly frame: EventFrame;
  readonly #part: string;

  constructor(n: number, frame: EventFrame = FRAMES[0], part = "") {
    this.n = n;
    this.frame = frame;
    this.#part = part;
  }

  get part(): string {
    return this.#part;
  }

  get text(): string {
    return this.frame.head + this.#part + this.frame.tail;
  }
}

/** Which events are kept, and from where a reader can go on. */
export const replayCases: ConformanceCase[] = [
  {
    name: "a live task can be read from every revision on, also from the middle of a commit",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      await commit(store, append("a", 2, 6));
      await commit(store, append("a", 7, 9, { snapshot: snapshotAt("a", 9) }));
      await commit(store, append("a", 10, 12));
      for (let after = 0; after <= 12; after += 1) {
        const task = await store.read(alice, "a", { after });
        ok(task);
        deepEqual([task.revision, task.snapshot.at, task.replayFrom], [12, 9, 0]);
        deepEqual(
          task.events.map(({ n, text }) => ({ n, text })),
          upTo(after, 12).map((n) => event(n)),
        );
      }
      deepEqual(numbers(await store.read(alice, "a")), [10, 11, 12]);
      deepEqual(numbers(await store.read(alice, "a", {})), [10, 11, 12]);
      deepEqual(numbers((await store.list(alice, { pageSize: 1 })).tasks[0]), [10, 11, 12]);
    },
  },
  {
    name: "events with a frame are read back as their texts, whatever they hold, also from the middle of a commit",
    async run(make) {
      const store = await make({});
      const events = FRAMED_TEXTS.flatMap((text, i) => [
        new FramedEvent(3 * i + 2, FRAMES[0], JSON.stringify(text)),
        new FramedEvent(3 * i + 3, FRAMES[i % 2], JSON.stringify(text)),
        event(3 * i + 4, JSON.stringify({ text })),
      ]);
      const half = Math.floor(events.length / 2);
      await commit(store, birth("a"));
      await commit(store, { ...append("a", 2, 1), events: events.slice(0, half) });
      await commit(store, { ...append("a", half + 2, 1), events: events.slice(half) });
      const wanted = [event(1), ...events.map(({ n, text }) => ({ n, text }))];
      for (let after = 0; after <= wanted.length; after += 1) {
        const task = await store.read(alice, "a", { after });
        deepEqual(
          task?.events.map(({ n, text }) => ({ n, text })),
          wanted.slice(after),
        );
      }
    },
  },
  {
    name: "a snapshot may lie in the middle of its commit, or of an earlier one",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      await commit(store, append("a", 2, 6, { snapshot: snapshotAt("a", 4) }));
      deepEqual(numbers(await store.read(alice, "a")), [5, 6]);
      deepEqual(numbers(await store.read(alice, "a", { after: 2 })), [3, 4, 5, 6]);
      const entry = { scope: alice, taskId: "a", fence: 0, expect: 6, events: [] };
      equal(await commit(store, { ...entry, snapshot: snapshotAt("a", 5) }), "ok");
      const task = await store.read(alice, "a");
      deepEqual([task?.revision, task?.snapshot.at, numbers(task)], [6, 5, [6]]);
    },
  },
  {
    name: "events of a task that has ended are replayed from every revision within the window, none after it",
    async run(make) {
      const store = await make({ replayWindow: 60_000 });
      await commit(store, birth("a"));
      await commit(store, append("a", 2, 4));
      await commit(store, finish("a", 5, 10));
      for (let after = 0; after <= 5; after += 1) {
        const task = await store.read(alice, "a", { after });
        deepEqual([task?.replayFrom, numbers(task)], [0, upTo(after, 5)]);
      }
      equal(await store.sweep(msAt(80), 100), 0);
      for (let after = 0; after <= 5; after += 1) {
        const task = await store.read(alice, "a", { after });
        deepEqual([task?.revision, task?.replayFrom, numbers(task)], [5, 5, []]);
      }
    },
  },
  {
    name: "the window closes for a task alone: live tasks and those that ended later keep their events",
    async run(make) {
      const store = await make({ replayWindow: 60_000 });
      for (const id of ["early", "late", "live"]) await commit(store, birth(id));
      await commit(store, finish("early", 2, 0));
      await commit(store, finish("late", 2, 50));
      await commit(store, append("live", 2, 2, { snapshot: snapshotAt("live", 2), head: head(WORKING, 0) }));
      equal(await store.sweep(msAt(70), 100), 0);
      const from = async (id: string): Promise<number | undefined> =>
        (await store.read(alice, id, { after: 0 }))?.replayFrom;
      deepEqual([await from("early"), await from("late"), await from("live")], [2, 0, 0]);
    },
  },
  {
    name: "beyond maxEvents the oldest events go, those that no snapshot holds stay",
    async run(make) {
      const store = await make({ maxEvents: 4 });
      await commit(store, birth("a"));
      for (let n = 2; n <= 12; n += 1) await commit(store, append("a", n, n));
      deepEqual(numbers(await store.read(alice, "a")), upTo(1, 12));
      await commit(store, append("a", 13, 13, { snapshot: snapshotAt("a", 13) }));
      await store.sweep(msAt(0), 100);
      const task = await store.read(alice, "a", { after: 0 });
      ok(task);
      ok(task.replayFrom >= 9 && task.replayFrom < 13);
      // It asked for more than is kept: the snapshot stands for it.
      deepEqual(numbers(task), []);
      const rest = await store.read(alice, "a", { after: task.replayFrom });
      deepEqual(numbers(rest), upTo(task.replayFrom, 13));
      deepEqual(numbers(await store.read(alice, "a", { after: task.replayFrom - 1 })), []);
      await commit(store, append("a", 14, 15, { snapshot: snapshotAt("a", 14) }));
      deepEqual(numbers(await store.read(alice, "a")), [15]);
      deepEqual(numbers(await store.read(alice, "a", { after: 12 })), [13, 14, 15]);
    },
  },
  {
    name: "events that nobody needs go, but for those that no snapshot holds; later ones are kept",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      await commit(store, append("a", 2, 6, { snapshot: snapshotAt("a", 4), dropEvents: true }));
      let task = await store.read(alice, "a", { after: 0 });
      deepEqual([task?.revision, task?.replayFrom, numbers(task)], [6, 4, [5, 6]]);
      await commit(store, append("a", 7, 8));
      task = await store.read(alice, "a", { after: 5 });
      deepEqual([task?.replayFrom, numbers(task)], [4, [6, 7, 8]]);
    },
  },
  {
    name: "a snapshot ahead of the events raises the revision, and a replay has no gap",
    async run(make) {
      const store = await make({});
      await commit(store, birth("a"));
      const entry = { scope: alice, taskId: "a", fence: 0, expect: 1, events: [] };
      equal(await commit(store, { ...entry, snapshot: snapshotAt("a", 5) }), "ok");
      let task = await store.read(alice, "a", { after: 0 });
      deepEqual([task?.revision, task?.replayFrom, numbers(task)], [5, 5, []]);
      equal(await commit(store, append("a", 2, 2)), "conflict");
      equal(await commit(store, append("a", 6, 7)), "ok");
      task = await store.read(alice, "a", { after: 5 });
      deepEqual([task?.replayFrom, numbers(task)], [5, [6, 7]]);
    },
  },
];
