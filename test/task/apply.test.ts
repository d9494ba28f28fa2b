/** The reducer, as lists of events and the task they give. */
import { describe, expect, test } from "vitest";
import { apply, receive } from "../../src/task/apply.js";
import { refusal } from "../../src/task/refusal.js";
import type { StreamResponse, Task } from "../../src/versions/pivot.js";
import { Role, TaskState } from "../../src/versions/pivot.js";
import { artifact, said, status, task, update } from "./events.js";

const after = (events: readonly StreamResponse[], start: Task = task()): Task => events.reduce(apply, start);

describe("artifacts", () => {
  test("append adds parts to the artifact with that id (A2A-4.2.2-b)", () => {
    const { artifacts } = after([update("a", "one"), update("a", "two", true), update("a", "three", true)]);
    expect(artifacts).toEqual([artifact("a", "one", "two", "three")]);
  });

  test("without append a known artifact is replaced, in its place (A2A-4.1.7-b)", () => {
    const { artifacts } = after([update("a", "one"), update("b", "other"), update("a", "new")]);
    expect(artifacts).toEqual([artifact("a", "new"), artifact("b", "other")]);
  });

  test("append to an unknown artifact begins it", () => {
    expect(after([update("a", "one", true)]).artifacts).toEqual([artifact("a", "one")]);
  });

  test("append after a replacement grows the replacement", () => {
    const { artifacts } = after([
      update("a", "x"),
      update("a", "y", true),
      update("a", "z"),
      update("a", "!", true),
    ]);
    expect(artifacts).toEqual([artifact("a", "z", "!")]);
  });

  test("a chunk completes name, metadata and extensions of its artifact", () => {
    const chunk = (more: object): StreamResponse => ({
      artifactUpdate: {
        taskId: "t1",
        contextId: "c1",
        artifact: { ...artifact("a", "x"), ...more },
        append: true,
      },
    });
    const { artifacts } = after([
      chunk({ name: "draft", metadata: { a: 1, b: 1 }, extensions: ["urn:x"] }),
      chunk({ name: "final", description: "d", metadata: { b: 2 }, extensions: ["urn:x", "urn:y"] }),
    ]);
    expect(artifacts).toEqual([
      {
        ...artifact("a", "x", "x"),
        name: "final",
        description: "d",
        metadata: { a: 1, b: 2 },
        extensions: ["urn:x", "urn:y"],
      },
    ]);
  });

  test("a thousand artifacts keep their order and their ids apart", () => {
    const ids = Array.from({ length: 1000 }, (_, i) => `a${String(i)}`);
    const { artifacts = [] } = after([...ids.map((id) => update(id, id)), update("a7", "more", true)]);
    expect(artifacts.map(({ artifactId }) => artifactId)).toEqual(ids);
    expect(artifacts[7]).toEqual(artifact("a7", "a7", "more"));
  });
});

describe("history", () => {
  test("a status that is replaced leaves its message in the history (Q26)", () => {
    const { status: now, history } = after([
      status(TaskState.WORKING, "thinking"),
      status(TaskState.WORKING),
      status(TaskState.COMPLETED, "done"),
    ]);
    expect(history).toEqual([said("thinking")]);
    expect(now).toEqual({ state: TaskState.COMPLETED, message: said("done") });
  });

  test("question and answer stand in the order they were said", () => {
    const asked = after(
      [status(TaskState.INPUT_REQUIRED, "which?")],
      task({ history: [said("u1", Role.USER)] }),
    );
    const answered = receive(asked, said("u2", Role.USER));
    expect(answered.history?.map(({ messageId }) => messageId)).toEqual(["u1", "which?", "u2"]);
    expect(answered.status).toEqual({ state: TaskState.INPUT_REQUIRED });
  });
});

describe("lifecycle", () => {
  const terminal = [TaskState.COMPLETED, TaskState.FAILED, TaskState.CANCELED, TaskState.REJECTED];

  test.each(terminal)("nothing leaves %s (A2A-4.1.3-e)", (state) => {
    const ended = after([status(state, "end")]);
    for (const event of [status(TaskState.WORKING), status(state, "again"), update("a", "late")]) {
      expect(apply(ended, event)).toBe(ended);
      expect(refusal(ended, event)).toBe(`task t1 ended as ${state}`);
    }
  });

  test.each([TaskState.WORKING, TaskState.INPUT_REQUIRED, TaskState.AUTH_REQUIRED])(
    "%s never returns to SUBMITTED",
    (state) => {
      const moved = after([status(state)]);
      expect(apply(moved, status(TaskState.SUBMITTED))).toBe(moved);
    },
  );

  test.each([
    [TaskState.SUBMITTED, TaskState.COMPLETED],
    [TaskState.SUBMITTED, TaskState.REJECTED],
    [TaskState.INPUT_REQUIRED, TaskState.CANCELED],
    [TaskState.AUTH_REQUIRED, TaskState.WORKING],
    [TaskState.SUBMITTED, TaskState.SUBMITTED],
  ])("%s may become %s", (from, to) => {
    const start = task({ status: { state: from } });
    expect(apply(start, status(to)).status.state).toBe(to);
  });

  test("an event of another task or context changes nothing", () => {
    const start = task();
    const foreign = (taskId: string, contextId: string): StreamResponse => ({
      statusUpdate: { taskId, contextId, status: { state: TaskState.WORKING } },
    });
    expect(apply(start, foreign("t2", "c1"))).toBe(start);
    expect(apply(start, foreign("t1", "c2"))).toBe(start);
    expect(apply(start, { message: said("m") })).toBe(start);
  });

  test("a repeated snapshot replaces the task (Q25), unless the task had ended otherwise", () => {
    const snapshot = task({ status: { state: TaskState.WORKING }, artifacts: [artifact("z", "z")] });
    expect(after([update("a", "x"), { task: snapshot }])).toEqual(snapshot);
    const ended = after([status(TaskState.FAILED)]);
    expect(apply(ended, { task: snapshot })).toBe(ended);
  });
});
