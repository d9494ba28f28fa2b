import type { CommitEntry, CommitResult, TaskHead } from "../types.js";

/** What a commit needs to know of a stored task, changed entry by entry before anything is written. */
export interface TaskState {
  head: TaskHead;
  revision: number;
  /** Revision of the snapshot. */
  at: number;
  /** Received messages that the snapshot holds. */
  received: number;
  /** Number of the last stored message. */
  lastMessage: number;
  fence: number;
  lease: { readonly holder: string; readonly expires: number } | undefined;
  replayFrom: number;
}

/** Whether an entry may be written on top of what is there. */
export function checkEntry(entry: CommitEntry, state: TaskState | undefined): CommitResult {
  const { expect, head, snapshot, lease } = entry;
  const firstMessage = entry.messages?.[0]?.k;
  if (state === undefined) {
    if (expect !== 0 || head === undefined || snapshot === undefined) return "conflict";
    return (firstMessage ?? 1) === 1 ? "ok" : "conflict";
  }
  if (entry.fence < state.fence) return "fenced";
  // Whoever has a lease may give it to nobody.
  const takes = lease != null && lease.holder !== "";
  const taken = takes && state.lease !== undefined && state.lease.holder !== lease.holder;
  if (taken && state.fence >= lease.fence) return "fenced";
  if (expect !== undefined && expect !== state.revision) return "conflict";
  if (state.head.terminal && writesMore(entry)) return "conflict";
  return firstMessage !== undefined && firstMessage !== state.lastMessage + 1 ? "conflict" : "ok";
}

/** It writes more than a lease. */
const writesMore = ({ events, head, snapshot, messages, configs, outbox, answers }: CommitEntry): boolean =>
  head !== undefined ||
  snapshot !== undefined ||
  [events, messages, configs, outbox, answers].some((part) => part !== undefined && part.length > 0);

/** The task after an entry that was checked; at most `maxEvents` events stay. */
export function applyEntry(
  entry: CommitEntry,
  before: TaskState | undefined,
  maxEvents: number,
): TaskState | undefined {
  const { events, snapshot, lease } = entry;
  const head = entry.head ?? before?.head;
  if (head === undefined) return undefined;
  const last = events.at(-1)?.n ?? before?.revision ?? 0;
  const revision = Math.max(last, snapshot?.at ?? 0);
  const at = snapshot?.at ?? before?.at ?? 0;
  let replayFrom = before?.replayFrom ?? 0;
  // Events that were never written: a replay of what came before would have a gap.
  if (revision > last) replayFrom = revision;
  else if (entry.dropEvents === true) replayFrom = Math.max(replayFrom, at);
  else if (snapshot !== undefined) replayFrom = Math.max(replayFrom, Math.min(revision - maxEvents, at));
  const kept = lease === undefined ? before?.lease : (lease ?? undefined);
  return {
    head,
    revision,
    at,
    received: snapshot?.received ?? before?.received ?? 0,
    lastMessage: Math.max(entry.messages?.at(-1)?.k ?? 0, before?.lastMessage ?? 0, snapshot?.received ?? 0),
    fence: Math.max(before?.fence ?? 0, entry.fence, lease?.fence ?? 0),
    lease: head.terminal ? undefined : kept,
    replayFrom,
  };
}
