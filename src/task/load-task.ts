import { JsonText } from "../json-text.js";
import type { StoredTask } from "../store/types.js";
import type { Message, StreamResponse, Task } from "../versions/pivot.js";
import { encodeTask, type TaskText } from "./encode-task.js";
import { TaskFold } from "./task-fold.js";

/** Folds what a store keeps of a task, in the order of its history. */
export function foldStored(stored: StoredTask): TaskFold {
  const fold = new TaskFold(JSON.parse(stored.snapshot.text) as Task);
  const messages = stored.messages.values();
  let message = messages.next();
  for (const event of stored.events) {
    if (event.n <= stored.snapshot.at) continue;
    for (; message.done !== true && message.value.after < event.n; message = messages.next()) {
      fold.receive(JSON.parse(message.value.text) as Message);
    }
    fold.apply(JSON.parse(event.text) as StreamResponse);
  }
  for (; message.done !== true; message = messages.next()) {
    fold.receive(JSON.parse(message.value.text) as Message);
  }
  return fold;
}

/** The text of a stored task; a task at rest is its snapshot. */
export function storedText(stored: StoredTask): Pick<TaskText, "text"> & Partial<TaskText> {
  const { snapshot, messages, revision } = stored;
  return snapshot.at === revision && messages.length === 0 ? snapshot : encodeTask(foldStored(stored).task);
}

/** How many messages a stored task has received. */
export const receivedBy = (stored: StoredTask): number =>
  stored.messages.at(-1)?.k ?? stored.snapshot.received;

/** The kept events after `n`, ready to be sent. */
export const replayAfter = (stored: StoredTask, n: number): JsonText<StreamResponse>[] =>
  stored.events
    .filter((event) => event.n > n)
    .map((event) => (event instanceof JsonText ? event : new JsonText(event.text, event.n)));
