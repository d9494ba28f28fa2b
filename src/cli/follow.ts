import { LocalTask } from "../client/local-task.js";
import type { StreamResponse, TaskStatus } from "../versions/pivot.js";
import { createEventPrinter } from "./event-printer.js";
import { fileSaver } from "./file-saver.js";
import type { Io } from "./io.js";
import { failUnlessDone } from "./outcome.js";
import type { SaveOptions } from "./save-options.js";

/** Prints a stream to its end, saves the files that came, and fails where the task did. */
export async function follow(
  events: AsyncIterable<StreamResponse>,
  options: SaveOptions & { readonly json?: true },
  io: Io,
): Promise<void> {
  const json = options.json ?? false;
  const printer = createEventPrinter(io, json);
  const saver = fileSaver(options, io);
  // Files belong to artifacts, which may come in pieces or anew.
  const task = new LocalTask();
  let last: { id: string; status: TaskStatus } | undefined;
  try {
    for await (const event of events) {
      printer.print(event);
      if (event.task) last = { id: event.task.id, status: event.task.status };
      if (event.statusUpdate) last = { id: event.statusUpdate.taskId, status: event.statusUpdate.status };
      if (options.save === undefined) continue;
      if (event.task) task.replace(event.task);
      else task.update(event, true);
      await saver.message(event.message ?? event.statusUpdate?.status.message);
    }
  } finally {
    if (!json) printer.end();
  }
  await saver.task(task.live);
  if (last) failUnlessDone(last.id, last.status);
  saver.end();
}
