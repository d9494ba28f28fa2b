import { checkEntry, newRecord } from "../memory-commit.js";
import type { MemoryData } from "../memory-data.js";
import type { CommitEntry, CommitResult } from "../types.js";
import type { Folder } from "./folder.js";

/**
 * Writes an entry to memory and to its files. One with a snapshot is a new JSON file, which stands for its line and all
 * before it; any other is one line.
 */
export function fileCommit(data: MemoryData, folder: Folder, entry: CommitEntry): CommitResult {
  const record = data.find(entry.scope, entry.taskId);
  if (record === undefined) {
    const born = newRecord(data, entry);
    if (born === undefined) return "conflict";
    folder.create(born, entry);
    return "ok";
  }
  const result = checkEntry(record, entry);
  if (result !== "ok") return result;
  data.change(record, entry);
  folder.commit(record, entry);
  return "ok";
}
