import { ceilTimestamp } from "./ceil-timestamp.js";
import type { MemoryBucket } from "./memory-bucket.js";
import { decodePageToken, encodePageToken } from "./page-token.js";
import { inContext, inScope, isBefore, type TaskOrder } from "./task-chain.js";
import type { TaskRecord } from "./task-record.js";
import type { ListPage, ListQuery } from "./types.js";

/** A page of a scope's tasks: walks the order from where the page begins, sorts nothing. */
export function listBucket(bucket: MemoryBucket, query: ListQuery): ListPage {
  const since = query.statusTimestampAfter === undefined ? "" : ceilTimestamp(query.statusTimestampAfter);
  const made = [
    "tasks",
    bucket.scope.tenant,
    bucket.scope.owner,
    query.contextId ?? "",
    query.state ?? "",
    since,
  ];
  const [timestamp, id] =
    query.pageToken === undefined || query.pageToken === "" ? [] : decodePageToken(query.pageToken, made, 2);
  const start = timestamp === undefined || id === undefined ? undefined : positionAt(bucket, timestamp, id);

  const tasks: TaskRecord[] = [];
  let more = false;
  for (const record of newestFirst(chainsOf(bucket, query), start)) {
    if (record.head.timestamp < since) break;
    if (query.state !== undefined && record.head.state !== query.state) continue;
    if (tasks.length === query.pageSize) {
      more = true;
      break;
    }
    tasks.push(record);
  }
  const last = tasks.at(-1);
  return {
    tasks: tasks.map((record) => record.stored(undefined)),
    nextPageToken: more && last ? encodePageToken([last.head.timestamp, last.id], made) : "",
    totalSize: count(bucket, query, since),
  };
}

/** An order, and whether a record is in it. */
interface Chain {
  readonly newest: TaskRecord | undefined;
  readonly older: TaskOrder["older"];
  holds(record: TaskRecord): boolean;
}

interface Position {
  readonly timestamp: string;
  readonly id: string;
  /** The record of the position, unless it has moved or gone since: it tells where to go on without a search. */
  readonly record: TaskRecord | undefined;
}

function positionAt(bucket: MemoryBucket, timestamp: string, id: string): Position {
  const record = bucket.tasks.get(id);
  return { timestamp, id, record: record?.head.timestamp === timestamp ? record : undefined };
}

/** The orders in which the matching tasks are. */
function chainsOf(bucket: MemoryBucket, { contextId, state }: ListQuery): readonly Chain[] {
  if (contextId !== undefined) {
    const newest = bucket.contexts.get(contextId);
    return [{ newest, older: inContext.older, holds: ({ head }) => head.contextId === contextId }];
  }
  const chains = [false, true].map((terminal) => ({
    newest: terminal ? bucket.ended : bucket.live,
    older: inScope.older,
    holds: ({ head }: TaskRecord): boolean => head.terminal === terminal,
  }));
  if (state === undefined) return chains;
  const known = bucket.states.get(state);
  return known === undefined ? [] : chains.slice(known.terminal ? 1 : 0, known.terminal ? 2 : 1);
}

function* newestFirst(chains: readonly Chain[], start?: Position): Generator<TaskRecord, void> {
  const [a, b] = chains;
  if (a === undefined) return;
  let x = first(a, start);
  let y = b === undefined ? undefined : first(b, start);
  while (x !== undefined || y !== undefined) {
    if (y === undefined || (x !== undefined && isBefore(x.head.timestamp, x.id, y))) {
      if (x === undefined) return;
      yield x;
      x = x[a.older];
    } else {
      yield y;
      y = b && y[b.older];
    }
  }
}

/** Where a page begins in one order. */
function first(chain: Chain, start: Position | undefined): TaskRecord | undefined {
  if (start === undefined) return chain.newest;
  const { record, timestamp, id } = start;
  if (record !== undefined && chain.holds(record)) return record[chain.older];
  let next = chain.newest;
  while (next !== undefined && !isBefore(timestamp, id, next)) next = next[chain.older];
  return next;
}

function count(bucket: MemoryBucket, query: ListQuery, since: string): number {
  const { contextId, state } = query;
  if (contextId === undefined && since === "") {
    return state === undefined ? bucket.tasks.size : (bucket.states.get(state)?.count ?? 0);
  }
  let total = 0;
  for (const { head } of newestFirst(chainsOf(bucket, query))) {
    if (head.timestamp < since) break;
    if (state === undefined || state === head.state) total += 1;
  }
  return total;
}
