import { inSlices } from "../in-slices.js";
import { MemoryData } from "../memory-data.js";
import { listBucket } from "../memory-list.js";
import type { StoredTask, TaskStore } from "../types.js";
import { fileCommit } from "./file-commit.js";
import { fileConfigs, fileLeases, fileMail, fileOutbox } from "./file-parts.js";
import { loaded } from "./file-snapshot.js";
import { Folder } from "./folder.js";

/** What a file store keeps, and where. */
export interface FileStoreOptions {
  /** The folder; it is made where it is missing, and belongs to one process. */
  readonly dir: string;
  /** Milliseconds that a finished task is kept. Default 7 days. */
  readonly ttl?: number;
  /** Milliseconds that the events of a finished task are kept for those who resume a stream. Default 60,000. */
  readonly replayWindow?: number;
  /** Events kept of one task, and deliveries that wait for one of its webhooks, at most. Default 10,000. */
  readonly maxEvents?: number;
  /**
   * Waits until the disk has what was written, at every commit: a power cut loses nothing then. Default false: what was
   * committed outlives the process, however it ends, but the last moments may not outlive the machine.
   */
  readonly fsync?: boolean;
  /** Clock, ms since the epoch. Default `Date.now`. */
  readonly now?: () => number;
  /** Told of files that are damaged or foreign, and were skipped. Default: a warning of the process. */
  readonly report?: (problem: string) => void;
}

const WEEK = 7 * 24 * 60 * 60 * 1_000;

/**
 * Tasks as JSON files in a folder, one each, and beside it a file of what happened since. Throws `CONFIG` where another
 * process has the folder.
 */
export function fileStore(options: FileStoreOptions): TaskStore {
  const folder = new Folder(options.dir, options.fsync ?? false);
  const data = new MemoryData(
    {
      maxTasks: Number.POSITIVE_INFINITY,
      ttl: options.ttl ?? WEEK,
      replayWindow: options.replayWindow ?? 60_000,
      maxEvents: options.maxEvents ?? 10_000,
      now: options.now ?? Date.now,
    },
    folder,
  );
  folder.open(data, options.report ?? warn);
  const withText = (task: StoredTask | undefined): StoredTask | undefined => task && loaded(task);

  return {
    hints: { durable: true, alone: true },
    commit: (batch) => batch.map((entry) => fileCommit(data, folder, entry)),
    read: (scope, taskId, { after } = {}) => withText(data.find(scope, taskId)?.stored(after)),
    list(scope, query) {
      const page = listBucket(data.known(scope), query);
      return { ...page, tasks: page.tasks.map(loaded) };
    },
    delete(scope, taskId) {
      const record = data.find(scope, taskId);
      if (record !== undefined) data.remove(record);
      return record !== undefined;
    },
    async sweep(now, limit) {
      // Each task is a file or two: others have their turn in between.
      await inSlices(limit, (size) => (folder.isOpen ? data.trim(now, size) : 0));
      return inSlices(limit, (size) => (folder.isOpen ? data.expire(now, size) : 0));
    },
    configs: fileConfigs(data, folder),
    outbox: fileOutbox(data, folder),
    lease: fileLeases(data, folder),
    mail: fileMail(data, folder),
    close() {
      folder.close();
    },
  };
}

function warn(problem: string): void {
  process.emitWarning(problem, "A2AStoreWarning");
}
