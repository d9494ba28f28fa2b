import { decodeEvents } from "../sql/event-body.js";
import { decodeLayout } from "../sql/layout-text.js";
import { nameKey } from "../sql/name-key.js";
import type { Scope, StoredEvent, StoredMessage, StoredTask } from "../types.js";
import type { SqliteFile } from "./sqlite-file.js";

/** Keys of a task: tenant, owner, id. */
export type TaskKey = readonly [tenant: string, owner: string, id: string];

/** The keys that a task is found by. */
export const taskKey = (scope: Scope, taskId: string): TaskKey => [
  nameKey(scope.tenant),
  nameKey(scope.owner),
  nameKey(taskId),
];

/** JSON of a name where its key does not tell it: JSON escapes what a text column cannot hold. */
export const nameOf = (name: string, key: string): string | null =>
  name === key ? null : JSON.stringify(name);

/** A name from its column and its key. */
export const nameIn = (name: string | null, key: string): string =>
  name === null ? key : String(JSON.parse(name));

/** JSON of tenant, owner and id where a key does not tell one of them. */
export const namesOf = ({ tenant, owner }: Scope, taskId: string, key: TaskKey): string | null =>
  tenant === key[0] && owner === key[1] && taskId === key[2] ? null : JSON.stringify([tenant, owner, taskId]);

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

/** A row of `a2a_tasks`. */
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

const EVENTS = `select first, body from a2a_events
  where tenant = ? and owner = ? and task = ? and last > ? order by first`;
const MESSAGES = `select k, after, text from a2a_messages
  where tenant = ? and owner = ? and task = ? and k > ? order by k`;

/** A task from its row, with its events and messages; to be called within one view. */
export function storedTask(file: SqliteFile, row: TaskRow, after?: number): StoredTask {
  const { revision, at, received, fence, replay_from: replayFrom, agent } = row;
  const layout = decodeLayout(row.layout);
  const from = after !== undefined && after >= replayFrom ? after : at;
  const events: StoredEvent[] = [];
  if (from < revision) {
    for (const { first, body } of file.all<{ first: number; body: string }>(
      EVENTS,
      row.tenant,
      row.owner,
      row.id,
      from,
    )) {
      decodeEvents(body, first, from, events);
    }
  }
  return {
    taskId: placeIn(row).taskId,
    head: headIn(row),
    revision,
    snapshot: {
      at,
      received,
      text: row.snapshot,
      ...(layout && { layout }),
      ...(agent !== null && { agent }),
    },
    events,
    messages: file.all<StoredMessage>(MESSAGES, row.tenant, row.owner, row.id, received),
    ...(row.lease_holder !== null && {
      lease: { holder: row.lease_holder, expires: row.lease_expires ?? 0, fence },
    }),
    fence,
    replayFrom,
  };
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
