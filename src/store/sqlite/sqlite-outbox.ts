import { nameKey } from "../sql/name-key.js";
import { trimsOutbox } from "../sql/trims-outbox.js";
import type { Delivery, NewDelivery, TaskStore } from "../types.js";
import type { SqliteFile } from "./sqlite-file.js";
import { nameIn, nameOf, placeIn, taskKey, type PlaceRow, type TaskKey } from "./sqlite-rows.js";

const OF_CONFIG = "tenant = ? and owner = ? and task = ? and config_id = ?";
/** Only the oldest of a webhook has a `due`. */
const ADD = `insert into a2a_outbox (tenant, owner, task, config_id, config_name, n, text, holder, attempts, due)
  values (?, ?, ?, ?, ?, ?, ?, '', 0, iif(exists(select 1 from a2a_outbox where ${OF_CONFIG}), null, 0))`;
const COUNT = `select count(*) as n from a2a_outbox where ${OF_CONFIG}`;
/** The oldest may be on its way. */
const TRIM = `delete from a2a_outbox where seq in (select seq from a2a_outbox where ${OF_CONFIG} and due is null
  order by n limit ?)`;
/** What is due from a time to another; also what an idle look asks. */
export const DUE = `select o.seq, o.config_id, o.config_name, o.n, o.text, o.attempts, t.tenant, t.owner, t.id, t.names
  from a2a_outbox o join a2a_tasks t on t.tenant = o.tenant and t.owner = o.owner and t.id = o.task
  where o.due between ? and ? and o.due is not null order by o.due, o.seq limit ?`;
/** What is `due` that nobody has claimed or put off yet: the smallest, so it comes first, the oldest before the others. */
const FIRST_TRY = 0;
const CLAIM = "update a2a_outbox set holder = ?, due = ? where seq = ?";
const PUT_OFF = `update a2a_outbox set holder = '', due = ?, attempts = attempts + 1
  where ${OF_CONFIG} and n = ? and holder = ?`;
const REMOVE = `delete from a2a_outbox where ${OF_CONFIG} and n = ?`;
const NEXT = `update a2a_outbox set due = 0 where due is null and seq =
  (select seq from a2a_outbox where ${OF_CONFIG} order by n limit 1)`;

interface DueRow extends PlaceRow {
  readonly seq: number;
  readonly config_id: string;
  readonly config_name: string | null;
  readonly n: number;
  readonly text: string;
  readonly attempts: number;
}

/** Lets a delivery wait; beyond `most` of its webhook the oldest go. */
export function addDelivery(file: SqliteFile, key: TaskKey, delivery: NewDelivery, most: number): void {
  const config = nameKey(delivery.configId);
  const name = nameOf(delivery.configId, config);
  file.run(ADD, ...key, config, name, delivery.n, delivery.text, ...key, config);
  if (!trimsOutbox(delivery.n, most)) return;
  const more = (file.get<{ n: number }>(COUNT, ...key, config)?.n ?? 0) - most;
  if (more > 0) file.run(TRIM, ...key, config, more);
}

/** Deliveries to webhooks. */
export function sqliteOutbox(file: SqliteFile): TaskStore["outbox"] {
  let crowded = false;
  return {
    claim(holder, now, ttl, limit) {
      // Most looks find nothing: they keep nobody from writing.
      if (file.get(DUE, FIRST_TRY, now, 1) === undefined) return [];
      const take = (from: number, most: number): Delivery[] =>
        file.all<DueRow>(DUE, from, now, most).map((row) => {
          file.run(CLAIM, holder, now + ttl, row.seq);
          return deliveryOf(row, holder);
        });
      return file.write(() => {
        // Where there is always more than is asked for, what was tried before has its turn every other time.
        const tried = crowded ? take(FIRST_TRY + 1, limit) : [];
        const claimed = tried.length < limit ? [...tried, ...take(FIRST_TRY, limit - tried.length)] : tried;
        crowded = !crowded && claimed.length === limit;
        return claimed;
      });
    },
    ack({ scope, taskId, configId, n, holder }, { retryAt } = {}) {
      const key = [...taskKey(scope, taskId), nameKey(configId)] as const;
      file.write(() => {
        if (retryAt !== undefined) file.run(PUT_OFF, retryAt, ...key, n, holder);
        else if (file.run(REMOVE, ...key, n) > 0) file.run(NEXT, ...key);
      });
    },
  };
}

const deliveryOf = (row: DueRow, holder: string): Delivery => ({
  ...placeIn(row),
  configId: nameIn(row.config_name, row.config_id),
  n: row.n,
  text: row.text,
  attempts: row.attempts,
  holder,
});
