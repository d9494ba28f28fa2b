import { nameKey } from "../sql/name-key.js";
import type { TaskStore } from "../types.js";
import type { Database } from "./database.js";
import { nameOf, taskKey } from "../sql/keys.js";
import { nameIn, placeOf, text } from "./row.js";
import { statement } from "./statement.js";

const POST = statement(
  "post",
  `with t as (
    select tenant, owner, id from a2a_tasks
    where tenant = $1 and owner = $2 and id = $3 and not terminal for key share
  ), l as (
    insert into a2a_letters (tenant, owner, task, id, name, text)
    select t.tenant, t.owner, t.id, $4, $5, $6 from t on conflict do nothing
  )
  select 1 from t`,
);

const WAITING = statement(
  "waiting",
  `select t.tenant, t.owner, t.id, t.names, l.id as letter, l.name, l.text
  from a2a_letters l join a2a_tasks t on t.tenant = l.tenant and t.owner = l.owner and t.id = l.task
  where l.answer is null and t.lease_holder = $1 order by l.seq limit $2`,
);

const WHERE = "tenant = $1 and owner = $2 and task = $3 and id = $4";

const ANSWER = statement(
  "answer",
  `update a2a_letters set answer = $5 where ${WHERE} and answer is null returning 1`,
);

const ANSWERED = statement(
  "answered",
  `select answer from a2a_letters where ${WHERE} and answer is not null`,
);

const COLLECT = statement(
  "collect",
  `delete from a2a_letters where ${WHERE} and answer is not null returning answer`,
);

/** Letters of a PostgreSQL store. */
export const postgresMail = (database: Database): TaskStore["mail"] => ({
  async post({ scope, taskId, id, text: letter }) {
    const key = nameKey(id);
    const values = [...taskKey(scope, taskId), key, nameOf(id, key), letter];
    return (await database.query(POST, values)).length > 0;
  },
  async waiting(holder, limit) {
    const rows = await database.query(WAITING, [holder, limit]);
    return rows.map((row) => ({
      ...placeOf(row),
      id: nameIn(row, "name", "letter"),
      text: text(row, "text"),
    }));
  },
  async answer({ scope, taskId, id }, answer) {
    const values = [...taskKey(scope, taskId), nameKey(id), answer];
    return (await database.query(ANSWER, values)).length > 0;
  },
  async collect({ scope, taskId, id }, { keep = false } = {}) {
    const [row] = await database.query(keep ? ANSWERED : COLLECT, [...taskKey(scope, taskId), nameKey(id)]);
    return row && text(row, "answer");
  },
});
