import type { MemoryData } from "./memory-data.js";
import { TaskRecord } from "./task-record.js";
import type { CommitEntry, CommitResult } from "./types.js";

/** Writes an entry, or says why not. */
export function commitEntry(data: MemoryData, entry: CommitEntry): CommitResult {
  const record = data.find(entry.scope, entry.taskId);
  if (record === undefined) return newRecord(data, entry) === undefined ? "conflict" : "ok";
  const result = checkEntry(record, entry);
  if (result === "ok") data.change(record, entry);
  return result;
}

/** The record of a task that an entry creates; undefined where it creates none. */
export function newRecord(data: MemoryData, entry: CommitEntry): TaskRecord | undefined {
  const { scope, taskId, expect, head, snapshot } = entry;
  if (expect !== 0 || head === undefined || snapshot === undefined) return undefined;
  if ((entry.messages?.[0]?.k ?? 1) !== 1) return undefined;
  const record = new TaskRecord(taskId, data.bucket(scope), head, snapshot);
  data.add(record, entry);
  return record;
}

/** Whether an entry builds on what is stored. */
export function checkEntry(record: TaskRecord, entry: CommitEntry): CommitResult {
  const { expect } = entry;
  if (entry.fence < record.fence || isTaken(entry, record)) return "fenced";
  if (expect !== undefined && expect !== record.revision) return "conflict";
  if (record.head.terminal && writesMore(entry)) return "conflict";
  if (entry.messages?.[0] !== undefined && entry.messages[0].k !== record.received + 1) return "conflict";
  return "ok";
}

/** It writes more than a lease. */
const writesMore = ({ events, head, snapshot, messages, configs, outbox, answers }: CommitEntry): boolean =>
  head !== undefined ||
  snapshot !== undefined ||
  [events, messages, configs, outbox, answers].some((part) => part !== undefined && part.length > 0);

/** Another holder has a lease with the fence that the entry wants to take; whoever has it may give it to nobody. */
const isTaken = ({ lease }: CommitEntry, record: TaskRecord): boolean =>
  lease != null &&
  lease.holder !== "" &&
  record.lease !== undefined &&
  record.lease.holder !== lease.holder &&
  record.lease.fence >= lease.fence;
