import { commitEntry } from "./memory-commit.js";
import { memoryConfigs } from "./memory-configs.js";
import { MemoryData } from "./memory-data.js";
import { listBucket } from "./memory-list.js";
import { memoryLeases } from "./memory-leases.js";
import { memoryMail } from "./memory-mail.js";
import { memoryOutbox } from "./memory-outbox.js";
import type { TaskStore } from "./types.js";

/** Limits of a memory store. */
export interface MemoryStoreOptions {
  /**
   * Tasks kept; beyond it the tasks that ended first go, beyond a quarter more also those whose webhooks still
   * wait, and those that wait for their caller, the longest waiting first. Tasks that are worked on always stay. Default 10,000.
   */
  readonly maxTasks?: number;
  /** Milliseconds that a finished task is kept. Default 1 hour. */
  readonly ttl?: number;
  /** Milliseconds that the events of a finished task are kept for those who resume a stream. Default 60,000. */
  readonly replayWindow?: number;
  /** Events kept of one task, and deliveries that wait for one of its webhooks, at most. Default 10,000. */
  readonly maxEvents?: number;
  /** Clock of evictions, ms since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

/** Tasks in memory: bounded, gone with the process. A finished task is its JSON text. Every call answers synchronously. */
export function memoryStore(options: MemoryStoreOptions = {}): TaskStore {
  const data = new MemoryData({
    maxTasks: options.maxTasks ?? 10_000,
    ttl: options.ttl ?? 60 * 60 * 1_000,
    replayWindow: options.replayWindow ?? 60_000,
    maxEvents: options.maxEvents ?? 10_000,
    now: options.now ?? Date.now,
  });

  return {
    hints: { keepsEvents: true, alone: true },
    commit: (batch) => batch.map((entry) => commitEntry(data, entry)),
    read: (scope, taskId, { after } = {}) => data.find(scope, taskId)?.stored(after),
    list(scope, query) {
      return listBucket(data.known(scope), query);
    },
    delete(scope, taskId) {
      const record = data.find(scope, taskId);
      if (record !== undefined) data.remove(record);
      return record !== undefined;
    },
    sweep(now, limit) {
      data.trim(now, Number.POSITIVE_INFINITY);
      return data.expire(now, limit);
    },
    configs: memoryConfigs(data),
    outbox: memoryOutbox(data),
    lease: memoryLeases(data),
    mail: memoryMail(data),
  };
}
