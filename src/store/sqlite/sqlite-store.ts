import { A2AError } from "../../errors.js";
import type { TaskStore } from "../types.js";
import { commitEntry } from "./sqlite-commit.js";
import { sqliteConfigs } from "./sqlite-configs.js";
import { CountChanges } from "./sqlite-counts.js";
import { openFile, type SqliteFile, type SqliteSynchronous } from "./sqlite-file.js";
import { sqliteLeases } from "./sqlite-leases.js";
import { listTasks } from "./sqlite-list.js";
import { sqliteMail } from "./sqlite-mail.js";
import { sqliteOutbox } from "./sqlite-outbox.js";
import { removeTask, sweepTasks } from "./sqlite-remove.js";
import { storedTask, TASK_COLUMNS, taskKey, type TaskRow } from "./sqlite-rows.js";

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /** The file; it is created where it is not there. `:memory:` for none. */
  readonly path: string;
  /**
   * NORMAL: a commit survives the process; if the machine fails the last ones may be lost, the file stays whole. FULL: it
   * survives that too, at a write to the disk for each group of commits. Default NORMAL.
   */
  readonly synchronous?: SqliteSynchronous;
  /** Milliseconds that a finished task is kept. Default 7 days. */
  readonly ttl?: number;
  /** Milliseconds that the events of a finished task are kept for those who resume a stream. Default 60,000. */
  readonly replayWindow?: number;
  /** Events kept of one task, and deliveries that wait for one of its webhooks, about. Default 10,000. */
  readonly maxEvents?: number;
}

/**
 * Tasks in a file of SQLite, that several processes of one machine may share. Opening applies pending migrations; then
 * every call answers synchronously. Throws `CONFIG` where the file cannot be opened, or a package is missing.
 */
export async function sqliteStore(options: SqliteStoreOptions): Promise<TaskStore> {
  const { path, synchronous = "NORMAL" } = options;
  if (path === "") throw new A2AError("CONFIG", "store: SQLite needs the path of a file: sqlite:tasks.db");
  return storeOn(await openFile(path, synchronous), options);
}

const READ = `select ${TASK_COLUMNS} from a2a_tasks where tenant = ? and owner = ? and id = ?`;
const DAY = 24 * 60 * 60 * 1_000;

function storeOn(
  file: SqliteFile,
  { ttl = 7 * DAY, replayWindow = 60_000, maxEvents = 10_000 }: SqliteStoreOptions,
): TaskStore {
  return {
    hints: { group: true, durable: true },
    commit(batch) {
      if (batch.length === 0) return [];
      return file.write(() => {
        const counts = new CountChanges();
        const results = batch.map((entry) => commitEntry(file, entry, counts, maxEvents));
        counts.write(file);
        return results;
      });
    },
    read(scope, taskId, wanted) {
      const key = taskKey(scope, taskId);
      return file.view(() => {
        const row = file.get<TaskRow>(READ, ...key);
        return row && storedTask(file, row, wanted);
      });
    },
    list: (scope, query) => listTasks(file, scope, query),
    delete(scope, taskId) {
      const [tenant, owner, id] = taskKey(scope, taskId);
      return file.write(() => {
        const counts = new CountChanges();
        const removed = removeTask(file, { tenant, owner, id }, counts);
        counts.write(file);
        return removed;
      });
    },
    sweep: async (now, limit) => sweepTasks(file, now - replayWindow, now - ttl, limit),
    configs: sqliteConfigs(file),
    outbox: sqliteOutbox(file),
    lease: sqliteLeases(file),
    mail: sqliteMail(file),
    close() {
      file.close();
    },
  };
}
