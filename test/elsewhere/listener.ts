/** One who listens to a task wherever it is told to, and checks what it heard. */
import { expect } from "vitest";
import type { StreamResponse, Task } from "../../src/versions/pivot.js";
import type { TestClient } from "../server/agents.js";
import { folded, must } from "./support.js";

export interface Listener {
  readonly ids: number[];
  readonly events: StreamResponse[];
  readonly whole: boolean;
  readonly end: Promise<void>;
}

/** Listens on and on: what is cut goes on at the next instance after the last event that was seen. */
export function listen(
  all: readonly TestClient[],
  start: number,
  id: string,
  after: number | undefined,
  hop: number,
): Listener {
  const ids: number[] = [];
  const events: StreamResponse[] = [];
  let last = after;
  const end = (async () => {
    for (let at = start; ; at += 1) {
      const client = must(all[at % all.length]);
      const stream = client.subscribeToTask({ id }, last === undefined ? {} : { lastEventId: String(last) });
      let taken = 0;
      try {
        for await (const event of stream) {
          last = Number(stream.lastEventId);
          ids.push(last);
          events.push(event);
          taken += 1;
          if (event.statusUpdate?.status.state === "TASK_STATE_COMPLETED") return;
          if (event.task?.status.state === "TASK_STATE_COMPLETED") return;
          if (taken === hop) break;
        }
      } catch (error) {
        if (/has ended/.test(String(error))) return;
        throw error;
      }
    }
  })();
  return { ids, events, whole: after === undefined, end };
}

/** No gap, no repeat, and what it heard makes the task. */
export function heardAll({ ids, events, whole }: Listener, task: Task): void {
  const [first = 0] = ids;
  expect(ids).toEqual(ids.map((_, i) => first + i));
  if (!whole && events[0]?.task === undefined) return;
  const { status, artifacts } = folded(events);
  expect({ status, artifacts }).toEqual({ status: task.status, artifacts: task.artifacts });
}
