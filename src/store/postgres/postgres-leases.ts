import type { TaskStore } from "../types.js";
import type { Database } from "./database.js";
import { taskKey } from "../sql/keys.js";
import { number, placeOf } from "./row.js";
import { statement } from "./statement.js";

const ACQUIRE = statement(
  "acquire",
  `update a2a_tasks set fence = fence + 1, lease_holder = $4, lease_expires = $6
  where tenant = $1 and owner = $2 and id = $3 and not terminal
    and (lease_holder is null or lease_holder in ('', $4) or lease_expires <= $5)
  returning fence::float8`,
);

/** Locked in the order of their keys, like the tasks of a batch. */
const RENEW = statement(
  "renew",
  `with l as (
    select q.i, t.tenant, t.owner, t.id
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
      with ordinality as q (tenant, owner, id, holder, fence, i)
    join a2a_tasks t on t.tenant = q.tenant and t.owner = q.owner and t.id = q.id
      and t.lease_holder = q.holder and t.fence = q.fence
    order by t.tenant, t.owner, t.id for no key update of t
  )
  update a2a_tasks t set lease_expires = $6 from l
  where t.tenant = l.tenant and t.owner = l.owner and t.id = l.id
  returning l.i::integer`,
);

const EXPIRED = statement(
  "expired",
  `select tenant, owner, id, names from a2a_tasks
  where lease_expires < $1 order by lease_expires, id limit $2`,
);

/** Leases of a PostgreSQL store. */
export const postgresLeases = (database: Database): TaskStore["lease"] => ({
  async acquire(scope, taskId, holder, now, ttl) {
    const expires = Math.floor(now + ttl);
    const values = [...taskKey(scope, taskId), holder, Math.floor(now), expires];
    const [row] = await database.query(ACQUIRE, values);
    return row && { holder, expires, fence: number(row, "fence") };
  },
  async renew(leases, expires) {
    if (leases.length === 0) return [];
    const keys = leases.map(({ scope, taskId }) => taskKey(scope, taskId));
    const rows = await database.query(RENEW, [
      ...[0, 1, 2].map((i) => keys.map((key) => key[i])),
      leases.map(({ lease }) => lease.holder),
      leases.map(({ lease }) => lease.fence),
      Math.floor(expires),
    ]);
    const renewed = new Set(rows.map((row) => number(row, "i")));
    return leases.map((_, i) => renewed.has(i + 1));
  },
  async expired(now, limit) {
    const rows = await database.query(EXPIRED, [Math.ceil(now), limit]);
    return rows.map(placeOf);
  },
});
