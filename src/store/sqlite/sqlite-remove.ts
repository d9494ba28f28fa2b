import { inSlices } from "../in-slices.js";
import { CountChanges } from "./sqlite-counts.js";
import type { SqliteFile } from "./sqlite-file.js";

const STATE = "select state from a2a_tasks where tenant = ? and owner = ? and id = ?";
const PARTS = ["a2a_events", "a2a_messages", "a2a_configs", "a2a_outbox", "a2a_letters"].map(
  (table) => `delete from ${table} where tenant = ? and owner = ? and task = ?`,
);
const EVENTS = "delete from a2a_events where tenant = ? and owner = ? and task = ?";
const TASK = "delete from a2a_tasks where tenant = ? and owner = ? and id = ?";
const REPLAYED = "update a2a_tasks set replay_from = revision where tenant = ? and owner = ? and id = ?";
const REPLAYABLE = `select tenant, owner, id from a2a_tasks
  where ended_at is not null and replay_from < revision and ended_at <= ? order by ended_at limit ?`;
const ENDED = `select tenant, owner, id from a2a_tasks
  where ended_at is not null and ended_at <= ? order by ended_at limit ?`;

interface KeyRow {
  readonly tenant: string;
  readonly owner: string;
  readonly id: string;
}

/** Removes a task, by its key, with all that belongs to it; within a transaction. */
export function removeTask(file: SqliteFile, { tenant, owner, id }: KeyRow, counts: CountChanges): boolean {
  const found = file.get<{ state: string }>(STATE, tenant, owner, id);
  if (found === undefined) return false;
  for (const sql of PARTS) file.run(sql, tenant, owner, id);
  file.run(TASK, tenant, owner, id);
  counts.add(tenant, owner, found.state, -1);
  return true;
}

/**
 * Drops events of tasks that ended before `replayable`, then tasks that ended before `ended`; gives how many of these. Each
 * slice is a transaction of its own: requests here and the writes of other processes come in between.
 */
export async function sweepTasks(
  file: SqliteFile,
  replayable: number,
  ended: number,
  limit: number,
): Promise<number> {
  await inSlices(limit, (size) =>
    slice(file, REPLAYABLE, replayable, size, ({ tenant, owner, id }) => {
      file.run(EVENTS, tenant, owner, id);
      file.run(REPLAYED, tenant, owner, id);
    }),
  );
  return inSlices(limit, (size) =>
    slice(file, ENDED, ended, size, (row, counts) => {
      removeTask(file, row, counts);
    }),
  );
}

function slice(
  file: SqliteFile,
  find: string,
  before: number,
  size: number,
  work: (row: KeyRow, counts: CountChanges) => void,
): number {
  // Most looks find nothing: they keep nobody from writing.
  if (!file.isOpen || file.get(find, before, 1) === undefined) return 0;
  return file.write(() => {
    const counts = new CountChanges();
    const rows = file.all<KeyRow>(find, before, size);
    for (const row of rows) work(row, counts);
    counts.write(file);
    return rows.length;
  });
}
