import { encodeFramedEvents } from "../sql/event-body.js";
import { encodeLayout } from "../sql/layout-text.js";
import { nameKey } from "../sql/name-key.js";
import { applyEntry, checkEntry, type TaskState } from "../sql/task-state.js";
import type { CommitEntry, CommitResult } from "../types.js";
import type { CountChanges } from "./sqlite-counts.js";
import type { SqliteValue } from "./sqlite-driver.js";
import type { SqliteFile } from "./sqlite-file.js";
import { putConfig } from "./sqlite-configs.js";
import { addDelivery } from "./sqlite-outbox.js";
import { putSnapshotText, snapshotInRow } from "./snapshot-text.js";
import { headIn, LAST_EVENT, nameOf, namesOf, taskKey, type TaskKey, type TaskRow } from "./sqlite-rows.js";

const WHERE = "where tenant = ? and owner = ? and id = ?";
const STATE = `select context_id, context_name, state, ts, terminal, max(revision, coalesce(${LAST_EVENT}, 0)) as revision,
  at, received, fence, lease_holder, lease_expires, replay_from from a2a_tasks t ${WHERE}`;
const LAST_MESSAGE = "select max(k) as k from a2a_messages where tenant = ? and owner = ? and task = ?";
const INSERT = `insert into a2a_tasks (tenant, owner, id, names, context_id, context_name, state, ts, terminal, ended_at,
  revision, at, received, fence, lease_holder, lease_expires, replay_from, layout, agent, snapshot)
  values (${Array.from({ length: 20 }, () => "?").join(", ")}) on conflict do nothing`;
const EVENTS = "insert into a2a_events (tenant, owner, task, first, last, body) values (?, ?, ?, ?, ?, ?)";
const DROP_EVENTS = "delete from a2a_events where tenant = ? and owner = ? and task = ? and last <= ?";
const MESSAGE = "insert into a2a_messages (tenant, owner, task, k, after, text) values (?, ?, ?, ?, ?, ?)";
const DROP_MESSAGES =
  "delete from a2a_messages where tenant = ? and owner = ? and task = ? and k between 1 and ?";
const ANSWER = `update a2a_letters set answer = ?
  where tenant = ? and owner = ? and task = ? and id = ? and answer is null`;

/** Writes an entry within a transaction, or says why not; then nothing of it is written. */
export function commitEntry(
  file: SqliteFile,
  entry: CommitEntry,
  counts: CountChanges,
  maxEvents: number,
): CommitResult {
  const key = taskKey(entry.scope, entry.taskId);
  // A new task needs no look at what is there: its key says whether it is new.
  const fresh = entry.expect === 0 && checkEntry(entry, undefined) === "ok" ? stateAfter() : undefined;
  if (fresh !== undefined && insertTask(file, entry, key, fresh)) {
    counts.add(key[0], key[1], fresh.head.state, 1);
    writeParts(file, entry, key, undefined, fresh, maxEvents);
    return "ok";
  }
  const before = stateOf(file, entry, key);
  const result = checkEntry(entry, before);
  if (result !== "ok" || before === undefined) return before === undefined ? "conflict" : result;
  const after = applyEntry(entry, before, maxEvents);
  if (after === undefined) return "conflict";
  updateTask(file, entry, key, before, after);
  if (before.head.state !== after.head.state) {
    counts.add(key[0], key[1], before.head.state, -1);
    counts.add(key[0], key[1], after.head.state, 1);
  }
  writeParts(file, entry, key, before, after, maxEvents);
  return "ok";

  function stateAfter(): TaskState | undefined {
    return applyEntry(entry, undefined, maxEvents);
  }
}

function stateOf(file: SqliteFile, entry: CommitEntry, key: TaskKey): TaskState | undefined {
  const row = file.get<TaskRow>(STATE, ...key);
  if (row === undefined) return undefined;
  const last =
    entry.messages === undefined ? undefined : file.get<{ k: number | null }>(LAST_MESSAGE, ...key)?.k;
  return {
    head: headIn(row),
    revision: row.revision,
    at: row.at,
    received: row.received,
    lastMessage: Math.max(last ?? 0, row.received),
    fence: row.fence,
    lease:
      row.lease_holder === null ? undefined : { holder: row.lease_holder, expires: row.lease_expires ?? 0 },
    replayFrom: row.replay_from,
  };
}

const headColumns = ({ contextId, state, timestamp, terminal }: TaskState["head"]): SqliteValue[] => {
  const context = nameKey(contextId);
  const ended = terminal ? Date.parse(timestamp) || 0 : null;
  return [context, nameOf(contextId, context), state, timestamp, terminal ? 1 : 0, ended];
};

function insertTask(file: SqliteFile, entry: CommitEntry, key: TaskKey, state: TaskState): boolean {
  const { snapshot } = entry;
  if (snapshot === undefined) return false;
  const names = namesOf(entry.scope, entry.taskId, key);
  const { head, revision, fence, lease, replayFrom } = state;
  return (
    file.run(
      INSERT,
      ...key,
      names,
      ...headColumns(head),
      revision,
      snapshot.at,
      snapshot.received,
      fence,
      lease?.holder ?? null,
      lease?.expires ?? null,
      replayFrom,
      encodeLayout(snapshot.layout),
      snapshot.agent ?? null,
      snapshotInRow(snapshot),
    ) === 1
  );
}

/**
 * Only what changes is set: an index whose columns are not named is not touched. Where nothing but events come, their row
 * tells the revision.
 */
function updateTask(
  file: SqliteFile,
  entry: CommitEntry,
  key: TaskKey,
  before: TaskState,
  after: TaskState,
): void {
  const { head, snapshot } = entry;
  let sets = "";
  const values: SqliteValue[] = [];
  const set = (columns: string, ...more: SqliteValue[]): void => {
    sets += `${columns}, `;
    values.push(...more);
  };
  if (after.replayFrom !== before.replayFrom) set("replay_from = ?", after.replayFrom);
  if (after.fence !== before.fence) set("fence = ?", after.fence);
  if (after.lease?.holder !== before.lease?.holder || after.lease?.expires !== before.lease?.expires) {
    set("lease_holder = ?, lease_expires = ?", after.lease?.holder ?? null, after.lease?.expires ?? null);
  }
  if (head !== undefined) {
    set(
      "context_id = ?, context_name = ?, state = ?, ts = ?, terminal = ?, ended_at = ?",
      ...headColumns(head),
    );
  }
  if (snapshot !== undefined) {
    const { at, received, layout, agent } = snapshot;
    set(
      "at = ?, received = ?, layout = ?, agent = ?, snapshot = ?",
      at,
      received,
      encodeLayout(layout),
      agent ?? null,
      snapshotInRow(snapshot),
    );
  }
  // A few texts, prepared once each.
  if (sets !== "")
    file.run(`update a2a_tasks set ${sets}revision = ? ${WHERE}`, ...values, after.revision, ...key);
}

function writeParts(
  file: SqliteFile,
  entry: CommitEntry,
  key: TaskKey,
  before: TaskState | undefined,
  after: TaskState,
  maxEvents: number,
): void {
  const { events, messages, snapshot } = entry;
  if (snapshot !== undefined) putSnapshotText(file, key, snapshot);
  const first = events[0]?.n;
  const last = events.at(-1)?.n;
  // Events that nobody can ask for are not even written.
  if (first !== undefined && last !== undefined && last > after.replayFrom) {
    file.run(EVENTS, ...key, first, last, encodeFramedEvents(events));
  }
  if (before !== undefined && after.replayFrom > before.replayFrom)
    file.run(DROP_EVENTS, ...key, after.replayFrom);
  for (const { k, after: revision, text } of messages ?? []) {
    if (k > after.received) file.run(MESSAGE, ...key, k, revision, text);
  }
  if (before !== undefined && snapshot !== undefined && after.received > before.received) {
    file.run(DROP_MESSAGES, ...key, after.received);
  }
  for (const config of entry.configs ?? []) putConfig(file, key, config);
  for (const delivery of entry.outbox ?? []) addDelivery(file, key, delivery, maxEvents);
  for (const { id, text } of entry.answers ?? []) file.run(ANSWER, text, ...key, nameKey(id));
}
