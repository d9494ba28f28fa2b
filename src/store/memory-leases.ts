import type { MemoryData } from "./memory-data.js";
import type { TaskRecord } from "./task-record.js";
import type { Lease, TaskStore } from "./types.js";

/** Leases of a memory store. */
export const memoryLeases = (data: MemoryData): TaskStore["lease"] => ({
  acquire(scope, taskId, holder, now, ttl) {
    const record = data.find(scope, taskId);
    if (record === undefined || record.head.terminal) return undefined;
    const { lease } = record;
    if (lease !== undefined && !isFree(lease, now) && lease.holder !== holder) return undefined;
    record.fence += 1;
    record.lease = { holder, expires: now + ttl, fence: record.fence };
    data.leased.add(record);
    return record.lease;
  },
  renew: (leases, expires) =>
    leases.map(({ scope, taskId, lease }) => {
      const record = data.find(scope, taskId);
      if (record?.lease === undefined || !same(record.lease, lease)) return false;
      record.lease = { ...lease, expires };
      return true;
    }),
  expired(now, limit) {
    const ends = ({ lease }: TaskRecord): number => lease?.expires ?? Number.POSITIVE_INFINITY;
    const found = [...data.leased].filter((record) => ends(record) < now).sort((a, b) => ends(a) - ends(b));
    return found.slice(0, limit).map(({ scope, id: taskId }) => ({ scope, taskId }));
  },
});

const isFree = ({ holder, expires }: Lease, now: number): boolean => holder === "" || expires <= now;

const same = (a: Lease, b: Lease): boolean => a.holder === b.holder && a.fence === b.fence;
