import { nameKey } from "../sql/name-key.js";
import type { Delivery, TaskStore } from "../types.js";
import type { Database } from "./database.js";
import { taskKey } from "../sql/keys.js";
import type { Row } from "./load-driver.js";
import { nameIn, number, placeOf, text } from "./row.js";
import { COMMIT, HOLD_TASK, statement } from "./statement.js";

/** Only the oldest of a registration has a time when it is due. What another instance claims at this moment is skipped. */
const CLAIM = statement(
  "claim",
  `with found as (
    select seq from a2a_outbox where due between $5 and $2 order by due, seq limit $4 for update skip locked
  )
  update a2a_outbox o set holder = $1, due = $3 from found f, a2a_tasks t
  where o.seq = f.seq and t.tenant = o.tenant and t.owner = o.owner and t.id = o.task
  returning t.tenant, t.owner, t.id, t.names, o.config_id, o.config_name, o.n::float8, o.text, o.attempts::float8, o.seq::float8`,
);

/** What is `due` that nobody has claimed or put off yet: the smallest, so it comes first, the oldest before the others. */
const FIRST_TRY = 0;

const WHERE = "o.tenant = $1 and o.owner = $2 and o.task = $3 and o.config_id = $4";

const DONE = statement("delivered", `delete from a2a_outbox o where ${WHERE} and o.n = $5`);

/** The next one of the registration is due now, unless there is one that is. */
const NEXT = statement(
  "next delivery",
  `update a2a_outbox o set due = 0
  where o.due is null and o.seq = (select o.seq from a2a_outbox o where ${WHERE} order by o.n limit 1)`,
);

const PUT_OFF = statement(
  "put off",
  `update a2a_outbox o set holder = '', due = $7, attempts = o.attempts + 1 where ${WHERE} and o.n = $5 and o.holder = $6`,
);

/** Deliveries of a PostgreSQL store: per registration in order, one at a time, over all instances. */
export function postgresOutbox(database: Database): TaskStore["outbox"] {
  let crowded = false;
  return {
    async claim(holder, now, ttl, limit) {
      const at = Math.floor(now);
      const take = async (from: number, most: number): Promise<Delivery[]> => {
        const rows = await database.query(CLAIM, [holder, at, at + Math.ceil(ttl), most, from]);
        return [...rows]
          .sort((a, b) => number(a, "seq") - number(b, "seq"))
          .map((row) => deliveryOf(row, holder));
      };
      // Where there is always more than is asked for, what was tried before has its turn every other time.
      const tried = crowded ? await take(FIRST_TRY + 1, limit) : [];
      const more = tried.length < limit ? await take(FIRST_TRY, limit - tried.length) : [];
      crowded = !crowded && tried.length + more.length === limit;
      return [...tried, ...more];
    },
    async ack({ scope, taskId, configId, n, holder }, { retryAt } = {}) {
      const task = [...taskKey(scope, taskId)];
      const config = [...task, nameKey(configId)];
      if (retryAt !== undefined) {
        await database.query(PUT_OFF, [...config, n, holder, Math.ceil(retryAt)]);
        return;
      }
      // A commit that adds one at the same time must see that this one goes, or be seen.
      await database.transaction((session, first) =>
        session.send(...first, [HOLD_TASK, task], [DONE, [...config, n]], [NEXT, config], [COMMIT]),
      );
    },
  };
}

const deliveryOf = (row: Row, holder: string): Delivery => ({
  ...placeOf(row),
  configId: nameIn(row, "config_name", "config_id"),
  n: number(row, "n"),
  text: text(row, "text"),
  attempts: number(row, "attempts"),
  holder,
});
