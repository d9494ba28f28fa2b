import { LocalTask } from "../client/local-task.js";
import { A2AError } from "../errors.js";
import type { StreamResponse, TaskStatus } from "../versions/pivot.js";
import { createEventPrinter } from "./event-printer.js";
import { fileSaver } from "./file-saver.js";
import type { Io } from "./io.js";
import { failUnlessDone } from "./outcome.js";
import type { SaveOptions } from "./save-options.js";

/**
 * Prints events to their end, saves the files that came, and fails where the task did. With `timeout`, it fails with `TIMEOUT`
 * where nothing comes for so many seconds; the task goes on.
 */
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
    for await (const event of within(events, options.timeout)) {
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

async function* within<T>(
  events: AsyncIterable<T>,
  seconds: number | undefined,
): AsyncGenerator<T, void, undefined> {
  if (seconds === undefined) {
    yield* events;
    return;
  }
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await soon(iterator.next(), seconds);
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function soon<T>(step: Promise<T>, seconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new A2AError("TIMEOUT", `The agent sent no event for ${String(seconds)} s; the task goes on`));
    }, seconds * 1000);
  });
  try {
    return await Promise.race([step, late]);
  } finally {
    clearTimeout(timer);
  }
}
