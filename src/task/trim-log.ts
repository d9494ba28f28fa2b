import { afterTick } from "./after-tick.js";
import type { FollowedTask } from "./followed-task.js";
import type { Watcher } from "./watcher.js";

/** Drops old events of a task but those that someone is about to read: who is slow reads them from the store. */
export function trimLog(task: FollowedTask, watchers: Iterable<Watcher> | undefined, again = true): void {
  const { log } = task;
  let needed = task.committed;
  for (const { cursor, reading } of watchers ?? []) {
    if (reading !== true || cursor === undefined || cursor >= needed) continue;
    if (log.reaches(cursor)) needed = cursor;
  }
  log.trim(needed + 1);
  if (!again || !log.long) return;
  // Who read just now may have stopped: that shows when this turn is over.
  afterTick(() => {
    trimLog(task, watchers, false);
  });
}
