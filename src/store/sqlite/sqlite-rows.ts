import { decodeEvents } from "../sql/event-body.js";
import { decodeLayout } from "../sql/layout-text.js";
import type { Scope, StoredEvent, StoredMessage, StoredTask } from "../types.js";
import { snapshotText } from "./snapshot-text.js";
import type { SqliteFile } from "./sqlite-file.js";

export { nameOf, namesOf, taskKey, type TaskKey } from "../sql/keys.js";

/** A name from its column and its key. */
export const nameIn = (name: string | null, key: string): string =>
  name === null ? key : String(JSON.parse(name));

/** Where a task is, in a row of `a2a_tasks`. */
export interface PlaceRow {
  readonly tenant: string;
  readonly owner: string;
  readonly id: string;
  readonly names: string | null;
}

/** Whose a task is and its id, in full. */
export function placeIn(row: PlaceRow): { scope: Scope; taskId: string } {
  const [tenant, owner, taskId] =
    row.names === null
      ? [row.tenant, row.owner, row.id]
      : (JSON.parse(row.names) as [string, string, string]);
  return { scope: { tenant, owner }, taskId };
}

/** Columns of `TaskRow`. */
export const TASK_COLUMNS = `tenant, owner, id, names, context_id, context_name, state, ts, terminal, revision, at, received,
  fence, lease_holder, lease_expires, replay_from, layout, agent, snapshot`;

/**
 * A row of `a2a_tasks`. Its `revision` is that of the last commit that changed the row: one that only adds events to a live
 * task writes no row but theirs. `snapshot` is `""` where the text is long (`snapshot-text.ts`).
 */
export interface TaskRow extends PlaceRow {
  readonly context_id: string;
  readonly context_name: string | null;
  readonly state: string;
  readonly ts: string;
  readonly terminal: number;
  readonly revision: number;
  readonly at: number;
  readonly received: number;
  readonly fence: number;
  readonly lease_holder: string | null;
  readonly lease_expires: number | null;
  readonly replay_from: number;
  readonly layout: string | null;
  readonly agent: string | null;
  readonly snapshot: string;
}

const EVENTS = `select first, last, body from a2a_events
  where tenant = ? and owner = ? and task = ? and last > ? and first >= ? order by first limit ?`;
/** The commit that a revision is in: earlier ones are not looked at. */
const COMMIT_OF = `select max(first) as first from a2a_events
  where tenant = ? and owner = ? and task = ? and first <= ?`;
/** The last event of a task `t`. */
export const LAST_EVENT = `(select e.last from a2a_events e
  where e.tenant = t.tenant and e.owner = t.owner and e.task = t.id order by e.first desc limit 1)`;
const REVISION = `select ${LAST_EVENT} as last from a2a_tasks t where tenant = ? and owner = ? and id = ?`;
const MESSAGES = `select k, after, text from a2a_messages
  where tenant = ? and owner = ? and task = ? and k > ? order by k`;

/** Rows of events that are read at once where a part of them may be enough. */
const SOME = 32;

/** What is asked of the events of a task. */
interface Wanted {
  readonly after?: number;
  readonly size?: number;
  readonly bare?: boolean;
}

/** A task from its row, with its events and messages; to be called within one view. */
export function storedTask(
  file: SqliteFile,
  row: TaskRow,
  { after, size, bare = false }: Wanted = {},
): StoredTask {
  const { at, received, fence, replay_from: replayFrom, agent } = row;
  const revision = revisionOf(file, row);
  const layout = decodeLayout(row.layout);
  const from = after !== undefined && after >= replayFrom ? after : at;
  const events = from < revision ? eventsAfter(file, row, from, from === after ? size : undefined) : [];
  // Whoever only follows the events does not fold them.
  const folds = !bare || from !== after;
  return {
    taskId: placeIn(row).taskId,
    head: headIn(row),
    revision,
    snapshot: {
      at,
      received,
      text: folds ? snapshotText(file, row) : "",
      ...(layout && { layout }),
      ...(agent !== null && { agent }),
    },
    events,
    messages: folds ? file.all<StoredMessage>(MESSAGES, row.tenant, row.owner, row.id, received) : [],
    ...(row.lease_holder !== null && {
      lease: { holder: row.lease_holder, expires: row.lease_expires ?? 0, fence },
    }),
    fence,
    replayFrom,
  };
}

function revisionOf(file: SqliteFile, { tenant, owner, id, terminal, revision }: TaskRow): number {
  if (terminal === 1) return revision;
  return Math.max(revision, file.get<{ last: number | null }>(REVISION, tenant, owner, id)?.last ?? 0);
}

/** Events after a revision, in full or at least `size` characters. */
function eventsAfter(
  file: SqliteFile,
  { tenant, owner, id }: PlaceRow,
  from: number,
  size = Number.POSITIVE_INFINITY,
): StoredEvent[] {
  const events: StoredEvent[] = [];
  const most = size === Number.POSITIVE_INFINITY ? -1 : SOME;
  let read = 0;
  let start = file.get<{ first: number | null }>(COMMIT_OF, tenant, owner, id, from + 1)?.first ?? 0;
  for (let after = from; ;) {
    const rows = file.all<{ first: number; last: number; body: string }>(
      EVENTS,
      tenant,
      owner,
      id,
      after,
      start,
      most,
    );
    for (const { first, last, body } of rows) {
      read += Math.max(decodeEvents(body, first, from, events), body.length);
      after = last;
      start = last + 1;
      if (read >= size) return events;
    }
    if (rows.length !== most) return events;
  }
}

/** The head in a row. */
export const headIn = (
  row: Pick<TaskRow, "context_id" | "context_name" | "state" | "ts" | "terminal">,
): StoredTask["head"] => ({
  contextId: nameIn(row.context_name, row.context_id),
  state: row.state,
  timestamp: row.ts,
  terminal: row.terminal === 1,
});
