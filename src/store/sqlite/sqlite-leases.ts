import type { TaskStore } from "../types.js";
import type { SqliteFile } from "./sqlite-file.js";
import { placeIn, taskKey, type PlaceRow } from "./sqlite-rows.js";

const KEY = "tenant = ? and owner = ? and id = ?";
const STATE = `select terminal, fence, lease_holder, lease_expires from a2a_tasks where ${KEY}`;
const TAKE = `update a2a_tasks set fence = ?, lease_holder = ?, lease_expires = ? where ${KEY}`;
const RENEW = `update a2a_tasks set lease_expires = ? where ${KEY} and lease_holder = ? and fence = ?`;
const EXPIRED = `select tenant, owner, id, names from a2a_tasks
  where lease_expires < ? and lease_expires is not null order by lease_expires limit ?`;

interface LeaseRow {
  readonly terminal: number;
  readonly fence: number;
  readonly lease_holder: string | null;
  readonly lease_expires: number | null;
}

/** Leases of tasks. */
export const sqliteLeases = (file: SqliteFile): TaskStore["lease"] => ({
  acquire(scope, taskId, holder, now, ttl) {
    const key = taskKey(scope, taskId);
    return file.write(() => {
      const row = file.get<LeaseRow>(STATE, ...key);
      if (row === undefined || row.terminal === 1) return undefined;
      const { lease_holder: other, lease_expires: until } = row;
      const free = other === null || other === "" || other === holder || (until ?? 0) <= now;
      if (!free) return undefined;
      const lease = { holder, expires: now + ttl, fence: row.fence + 1 };
      file.run(TAKE, lease.fence, holder, lease.expires, ...key);
      return lease;
    });
  },
  renew: (leases, expires) =>
    leases.length === 0
      ? []
      : file.write(() =>
          leases.map(
            ({ scope, taskId, lease }) =>
              file.run(RENEW, expires, ...taskKey(scope, taskId), lease.holder, lease.fence) > 0,
          ),
        ),
  expired: (now, limit) => file.all<PlaceRow>(EXPIRED, now, limit).map(placeIn),
});
