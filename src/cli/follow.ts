import type { StreamResponse, TaskStatus } from "../versions/pivot.js";
import { createEventPrinter } from "./event-printer.js";
import type { Io } from "./io.js";
import { failUnlessDone } from "./outcome.js";

/** Prints a stream to its end and fails where the task did. */
export async function follow(events: AsyncIterable<StreamResponse>, json: boolean, io: Io): Promise<void> {
  const printer = createEventPrinter(io, json);
  let last: { id: string; status: TaskStatus } | undefined;
  try {
    for await (const event of events) {
      printer.print(event);
      if (event.task) last = { id: event.task.id, status: event.task.status };
      if (event.statusUpdate) last = { id: event.statusUpdate.taskId, status: event.statusUpdate.status };
    }
  } finally {
    if (!json) printer.end();
  }
  if (last) failUnlessDone(last.id, last.status);
}
