import type { Snapshot } from "../types.js";
import type { SqliteFile } from "./sqlite-file.js";
import type { TaskKey, TaskRow } from "./sqlite-rows.js";

/** Characters of a snapshot that its task's row may hold. */
const SHORT = 2_000;

/** Received messages begin at 1. */
const PUT =
  "insert or replace into a2a_messages (tenant, owner, task, k, after, text) values (?, ?, ?, 0, ?, ?)";
const GET = "select text from a2a_messages where tenant = ? and owner = ? and task = ? and k = 0";

/**
 * What the row of a task holds of its snapshot: a text that is long is message 0 of its task, for a change of a row reads and
 * compares all of it.
 */
export const snapshotInRow = ({ text }: Snapshot): string => (text.length > SHORT ? "" : text);

/** Writes the text of a snapshot that the row does not hold. */
export function putSnapshotText(file: SqliteFile, key: TaskKey, snapshot: Snapshot): void {
  if (snapshotInRow(snapshot) === "") file.run(PUT, ...key, snapshot.at, snapshot.text);
}

/** The text of the snapshot of a row. */
export function snapshotText(file: SqliteFile, { snapshot, tenant, owner, id }: TaskRow): string {
  return snapshot === "" ? (file.get<{ text: string }>(GET, tenant, owner, id)?.text ?? "") : snapshot;
}
