import type { MemoryData } from "./memory-data.js";
import type { Lease, TaskStore } from "./types.js";

/** Leases of a memory store. */
export const memoryLeases = (data: MemoryData): TaskStore["lease"] => ({
  acquire(scope, taskId, holder, now, ttl) {
    const record = data.find(scope, taskId);
    if (record === undefined || record.head.terminal) return undefined;
    if (record.lease !== undefined && record.lease.holder !== holder && record.lease.expires > now)
      return undefined;
    record.fence += 1;
    record.lease = { holder, expires: now + ttl, fence: record.fence };
    data.leased.add(record);
    return record.lease;
  },
  renew(scope, taskId, lease, expires) {
    const record = data.find(scope, taskId);
    if (record?.lease === undefined || !same(record.lease, lease)) return false;
    record.lease = { ...lease, expires };
    return true;
  },
  expired(now, limit) {
    const found = [...data.leased].filter(({ lease }) => lease !== undefined && lease.expires < now);
    return found.slice(0, limit).map(({ scope, id: taskId }) => ({ scope, taskId }));
  },
});

const same = (a: Lease, b: Lease): boolean => a.holder === b.holder && a.fence === b.fence;
