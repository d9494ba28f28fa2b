import type { MemoryData } from "./memory-data.js";
import type { TaskRecord, WaitingDelivery } from "./task-record.js";
import type { Delivery, TaskStore } from "./types.js";

/** Deliveries of a memory store: per registration in order, one at a time. */
export const memoryOutbox = (data: MemoryData): TaskStore["outbox"] => ({
  claim(holder, now, ttl, limit) {
    const claimed: Delivery[] = [];
    const served = new Set<TaskRecord>();
    for (const record of data.sending) {
      if (claimed.length === limit) break;
      for (const waiting of record.outbox?.values() ?? []) {
        const [oldest] = waiting;
        if (claimed.length === limit) break;
        if (oldest === undefined || oldest.due > now) continue;
        waiting[0] = { ...oldest, holder, due: now + ttl };
        claimed.push(delivery(waiting[0]));
        served.add(record);
      }
      if (record.outbox === undefined || record.outbox.size === 0) data.sending.delete(record);
    }
    // Others come first next time.
    for (const record of served) {
      data.sending.delete(record);
      data.sending.add(record);
    }
    return claimed;
  },
  ack({ scope, taskId, configId, n, holder }, { retryAt } = {}) {
    const record = data.find(scope, taskId);
    const waiting = record?.outbox?.get(configId);
    const at = waiting?.findIndex((one) => one.n === n) ?? -1;
    const found = waiting?.[at];
    if (record === undefined || waiting === undefined || found === undefined) return;
    if (retryAt !== undefined) {
      if (found.holder !== holder) return;
      waiting[at] = { ...found, holder: "", due: retryAt, attempts: found.attempts + 1 };
      return;
    }
    waiting.splice(at, 1);
    if (waiting.length === 0) record.outbox?.delete(configId);
    if (record.outbox?.size === 0) data.sending.delete(record);
  },
});

const delivery = ({ due: _due, ...rest }: WaitingDelivery): Delivery => rest;
