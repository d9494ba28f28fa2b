import { ceilTimestamp } from "./ceil-timestamp.js";
import type { MemoryBucket } from "./memory-bucket.js";
import { decodePageToken, encodePageToken } from "./page-token.js";
import { isBefore, type TaskChain } from "./task-chain.js";
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
  const start =
    timestamp === undefined || id === undefined ? undefined : positionAt(bucket, query, timestamp, id);

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

interface Position {
  readonly timestamp: string;
  readonly id: string;
  /** The record of the position and its order, unless it has moved or gone since. */
  readonly record?: TaskRecord;
  readonly chain?: TaskChain;
}

function positionAt(bucket: MemoryBucket, query: ListQuery, timestamp: string, id: string): Position {
  const record = bucket.tasks.get(id);
  if (record?.head.timestamp !== timestamp) return { timestamp, id };
  const { terminal, contextId } = record.head;
  const chain =
    query.contextId === undefined ? (terminal ? bucket.ended : bucket.live) : bucket.contexts.get(contextId);
  return { timestamp, id, record, ...(chain && { chain }) };
}

/** The orders in which the matching tasks are. */
function chainsOf(bucket: MemoryBucket, { contextId, state }: ListQuery): readonly TaskChain[] {
  if (contextId !== undefined) {
    const context = bucket.contexts.get(contextId);
    return context ? [context] : [];
  }
  if (state === undefined) return [bucket.live, bucket.ended];
  const known = bucket.states.get(state);
  if (known === undefined) return [];
  return [known.terminal ? bucket.ended : bucket.live];
}

function* newestFirst(chains: readonly TaskChain[], start?: Position): Generator<TaskRecord, void> {
  const [a, b] = chains;
  if (a === undefined) return;
  let x = first(a, start);
  let y = b === undefined ? undefined : first(b, start);
  while (x !== undefined || y !== undefined) {
    if (y === undefined || (x !== undefined && isBefore(x.head.timestamp, x.id, y))) {
      if (x === undefined) return;
      yield x;
      x = a.after(x);
    } else {
      yield y;
      y = b?.after(y);
    }
  }
}

/** Where a page begins in one order. */
function first(chain: TaskChain, start: Position | undefined): TaskRecord | undefined {
  if (start === undefined) return chain.newest;
  const { record, timestamp, id } = start;
  // A record that did not move since the last page tells where to go on without a search.
  return record !== undefined && start.chain === chain ? chain.after(record) : chain.seek(timestamp, id);
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
