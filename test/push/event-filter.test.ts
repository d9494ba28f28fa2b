/** Which events are significant, state by state. */
import { describe, expect, it } from "vitest";
import { eventFilter } from "../../src/push/event-filter.js";
import { TaskState, type StreamResponse, type Task } from "../../src/versions/pivot.js";

const significant: readonly string[] = [
  TaskState.COMPLETED,
  TaskState.FAILED,
  TaskState.CANCELED,
  TaskState.REJECTED,
  TaskState.INPUT_REQUIRED,
  TaskState.AUTH_REQUIRED,
];
const ids = { taskId: "t", contextId: "c" };
const taskIn = (state: TaskState): Task => ({ id: "t", contextId: "c", status: { state } });

describe.each(Object.values(TaskState))("%s", (state) => {
  it("is significant where a client has something to do (A2A-SA-d)", () => {
    const wanted = eventFilter("significant");
    const events: StreamResponse[] = [
      { statusUpdate: { ...ids, status: { state } } },
      // The first event of a task may be its last.
      { task: taskIn(state) },
    ];
    expect(events.map((event) => wanted?.(event, taskIn(state)))).toEqual(
      events.map(() => significant.includes(state)),
    );
  });
});

it("an artifact is not, whatever the state of its task", () => {
  const artifactUpdate = { ...ids, artifact: { artifactId: "a", parts: [{ text: "x" }] } };
  expect(eventFilter("significant")?.({ artifactUpdate }, taskIn(TaskState.COMPLETED))).toBe(false);
});
