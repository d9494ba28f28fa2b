import type { TaskStore } from "../types.js";
import { COUNT, DROP_EVENTS, FORGET_COUNTS } from "./commit-sql.js";
import type { Database, Query, Session } from "./database.js";
import { taskKey } from "../sql/keys.js";
import type { Row } from "./load-driver.js";
import { text } from "./row.js";
import { COMMIT, ROLLBACK, statement } from "./statement.js";

const LOCK_ONE = statement(
  "lock one",
  "select t.tenant, t.owner, t.id, t.state from a2a_tasks t where t.tenant = $1 and t.owner = $2 and t.id = $3 for update",
);

/** Finished tasks past their time; those that another sweep has in hand are left to it. */
const LOCK_ENDED = statement(
  "lock ended",
  `select t.tenant, t.owner, t.id, t.state from a2a_tasks t
  where t.ended_at <= $1 order by t.ended_at limit $2 for update skip locked`,
);

const LOCK_REPLAYED = statement(
  "lock replayed",
  `select t.tenant, t.owner, t.id, t.revision::text from a2a_tasks t
  where t.ended_at <= $1 and t.replay_from < t.revision order by t.ended_at limit $2 for no key update skip locked`,
);

const REPLAYED = statement(
  "replayed",
  `update a2a_tasks t set replay_from = t.revision from unnest($1::text[], $2::text[], $3::text[]) as q (tenant, owner, id)
  where t.tenant = q.tenant and t.owner = q.owner and t.id = q.id`,
);

const REMOVE = ["events", "messages", "configs", "outbox", "letters", "tasks"].map((table) =>
  statement(
    `remove ${table}`,
    `delete from a2a_${table} t using unnest($1::text[], $2::text[], $3::text[]) as q (tenant, owner, id)
    where t.tenant = q.tenant and t.owner = q.owner and t.${table === "tasks" ? "id" : "task"} = q.id`,
  ),
);

/** `delete` of a store. */
export const remover =
  (database: Database): TaskStore["delete"] =>
  (scope, taskId) =>
    database.transaction(async (session, first) => {
      const rows = (await session.send(...first, [LOCK_ONE, [...taskKey(scope, taskId)]])).at(-1) ?? [];
      await remove(session, rows);
      return rows.length > 0;
    });

/** Tasks whose events a sweep lets go of at once, at least. */
const EVENTS_OF = 100;

/** `sweep` of a store. */
export const sweeper =
  (database: Database, ttl: number, replayWindow: number): TaskStore["sweep"] =>
  async (now, limit) => {
    await database.transaction(async (session, first) => {
      const values = [Math.floor(now - replayWindow), Math.max(limit, EVENTS_OF)];
      const rows = (await session.send(...first, [LOCK_REPLAYED, values])).at(-1) ?? [];
      if (rows.length === 0) return session.send([ROLLBACK]);
      const keys = columns(rows, ["tenant", "owner", "id"]);
      return session.send(
        [DROP_EVENTS, columns(rows, ["tenant", "owner", "id", "revision"])],
        [REPLAYED, keys],
        [COMMIT],
      );
    });
    return database.transaction(async (session, first) => {
      const rows = (await session.send(...first, [LOCK_ENDED, [Math.floor(now - ttl), limit]])).at(-1) ?? [];
      await remove(session, rows);
      return rows.length;
    });
  };

/** Removes locked tasks with all that is theirs, and ends the transaction. */
async function remove(session: Session, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) {
    await session.send([ROLLBACK]);
    return;
  }
  const keys = columns(rows, ["tenant", "owner", "id"]);
  const removals = REMOVE.map((one): Query => [one, keys]);
  const changes = removed(rows);
  await session.send(...removals, [COUNT, changes], [FORGET_COUNTS, changes.slice(0, 2)], [COMMIT]);
}

const columns = (rows: readonly Row[], names: readonly string[]): string[][] =>
  names.map((name) => rows.map((row) => text(row, name)));

/** Changes of the counters. */
function removed(rows: readonly Row[]): unknown[][] {
  const names = ["tenant", "owner", "state"];
  const groups = new Map<string, { readonly row: Row; n: number }>();
  for (const row of rows) {
    const name = JSON.stringify(names.map((column) => text(row, column)));
    const group = groups.get(name) ?? { row, n: 0 };
    group.n -= 1;
    groups.set(name, group);
  }
  const found = [...groups.values()];
  return [
    ...columns(
      found.map(({ row }) => row),
      names,
    ),
    found.map(({ n }) => n),
  ];
}
