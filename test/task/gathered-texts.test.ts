/** Stores for which a commit costs much (hint `group`): texts that follow each other closely are one commit. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryStore } from "../../src/store/memory-store.js";
import type { CommitEntry, TaskStore } from "../../src/store/types.js";
import { TaskEngine } from "../../src/task/engine.js";
import type { LiveTask } from "../../src/task/live-task.js";
import { TextFrame } from "../../src/task/text-frame.js";
import { TaskState } from "../../src/versions/pivot.js";
import { status, task, update } from "./events.js";
import { turn } from "./slow-store.js";

const scope = { tenant: "", owner: "" };
const frame = new TextFrame("t1", "c1", "a");

interface Begun {
  readonly engine: TaskEngine;
  readonly live: LiveTask;
  /** Revisions of the events of each commit after the artifact was begun. */
  readonly commits: (readonly number[])[];
}

/** A task with an artifact of one text, in a store that wants commits together. */
async function begin(): Promise<Begun> {
  const inner = memoryStore();
  const commits: (readonly number[])[] = [];
  const store: TaskStore = {
    ...inner,
    hints: { group: true },
    commit(batch) {
      commits.push(...batch.map(({ events }: CommitEntry) => events.map(({ n }) => n)));
      return inner.commit(batch);
    },
  };
  const engine = new TaskEngine({ store, sweepMs: 0 });
  const live = engine.create(scope, task(), "c1");
  live.holds += 1;
  live.emit([update("a", "0")]);
  await turn();
  expect(live.committed).toBe(2);
  commits.length = 0;
  return { engine, live, commits };
}

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

describe("texts", () => {
  test("that nothing came shortly before are committed at the end of their tick; what follows, after a millisecond", async () => {
    const { live, commits } = await begin();
    live.append("1", frame);
    await turn();
    expect(commits).toEqual([[3]]);
    for (const text of ["2", "3", "4"]) {
      live.append(text, frame);
      await turn();
    }
    expect(commits).toEqual([[3]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(commits).toEqual([[3], [4, 5, 6]]);
    expect(live.committed).toBe(6);
    // Shortly after that one nothing came.
    await vi.advanceTimersByTimeAsync(1);
    live.append("5", frame);
    await turn();
    expect(commits).toEqual([[3], [4, 5, 6], [7]]);
  });

  test("do not keep any other event waiting", async () => {
    const { live, commits } = await begin();
    live.append("1", frame);
    await turn();
    live.append("2", frame);
    await turn();
    live.emit([status(TaskState.WORKING)]);
    await turn();
    expect(commits).toEqual([[3], [4, 5]]);
    live.append("3", frame);
    live.emit([status(TaskState.COMPLETED)]);
    await turn();
    expect(commits).toEqual([[3], [4, 5], [6, 7]]);
  });

  test("do not wait while the producer is about to be held back", async () => {
    const { live, commits } = await begin();
    live.append("1", frame);
    await turn();
    for (let n = 0; n < 130; n += 1) {
      live.append("x", frame);
      if (n % 10 === 9) await turn();
    }
    expect(commits.map(({ length }) => length)).toEqual([1, 130]);
  });

  test("are not waited for by a new task", async () => {
    const { engine, live, commits } = await begin();
    live.append("1", frame);
    await turn();
    const other = engine.create(scope, { ...task(), id: "t2" }, "c1");
    await turn();
    expect(other.committed).toBe(1);
    expect(commits).toEqual([[3], [1]]);
  });

  test("are committed where the server closes, and where somebody asks for the task", async () => {
    const { engine, live, commits } = await begin();
    live.append("1", frame);
    await turn();
    live.append("2", frame);
    await turn();
    expect(await engine.text(scope, "t1")).toContain('{"text":"2"}');
    live.append("3", frame);
    await turn();
    await engine.close();
    await turn();
    expect(commits).toEqual([[3], [4], [5]]);
  });
});
