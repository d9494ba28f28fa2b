import type { TaskRecord } from "./task-record.js";

/** An order that a record is in, by the names of its neighbours. */
export interface TaskOrder {
  readonly newer: "newer" | "newerInContext";
  readonly older: "older" | "olderInContext";
}

/** Among the tasks of a scope that go on, or that ended. */
export const inScope: TaskOrder = { newer: "newer", older: "older" };
/** Among the tasks of a context. */
export const inContext: TaskOrder = { newer: "newerInContext", older: "olderInContext" };

/**
 * Records in the order of a listing: newest status first, ties by descending id. A chain is its newest record, the
 * rest hangs on it; a change of status costs no search.
 */
export function insertRecord(
  { newer, older }: TaskOrder,
  newest: TaskRecord | undefined,
  record: TaskRecord,
): TaskRecord {
  let after = newest;
  let before: TaskRecord | undefined;
  // The clock goes forward, so this ends at once but for odd clocks.
  while (after !== undefined && !isBefore(record.head.timestamp, record.id, after)) {
    before = after;
    after = after[older];
  }
  record[older] = after;
  record[newer] = before;
  if (after !== undefined) after[newer] = record;
  if (before === undefined || newest === undefined) return record;
  before[older] = record;
  return newest;
}

/** Takes a record out; gives the newest of what is left. */
export function removeRecord(
  { newer, older }: TaskOrder,
  newest: TaskRecord | undefined,
  record: TaskRecord,
): TaskRecord | undefined {
  const after = record[older];
  const before = record[newer];
  if (after !== undefined) after[newer] = before;
  if (before !== undefined) before[older] = after;
  record[older] = record[newer] = undefined;
  return newest === record ? after : newest;
}

/** True where a task of this time and id is listed before `record`. */
export const isBefore = (timestamp: string, id: string, { head, id: other }: TaskRecord): boolean =>
  timestamp === head.timestamp ? id > other : timestamp > head.timestamp;
