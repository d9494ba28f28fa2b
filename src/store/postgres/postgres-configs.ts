import { decodePageToken, encodePageToken } from "../page-token.js";
import { nameKey } from "../sql/name-key.js";
import type { StoredConfig, TaskStore } from "../types.js";
import type { Database } from "./database.js";
import { nameOf, taskKey } from "../sql/keys.js";
import type { Row } from "./load-driver.js";
import { nameIn, number, text } from "./row.js";
import { COMMIT, HOLD_TASK, statement } from "./statement.js";

/** The task stays while it is written to. */
const PUT = statement(
  "put config",
  `with t as (
    select tenant, owner, id from a2a_tasks where tenant = $1 and owner = $2 and id = $3 for key share
  )
  insert into a2a_configs (tenant, owner, task, id, name, text, version, disabled)
  select t.tenant, t.owner, t.id, $4, $5, $6, $7, $8 from t
  on conflict (tenant, owner, task, id) do update
  set text = excluded.text, version = excluded.version, disabled = excluded.disabled returning 1`,
);

const COLUMNS = "c.id, c.name, c.text, c.version, c.disabled, c.seq::float8";
const WHERE = "c.tenant = $1 and c.owner = $2 and c.task = $3";

const GET = statement("get config", `select ${COLUMNS} from a2a_configs c where ${WHERE} and c.id = $4`);

const LIST = statement(
  "list configs",
  `select ${COLUMNS} from a2a_configs c where ${WHERE} and c.seq > $4 order by c.seq limit $5`,
);

const DELETE = statement(
  "delete config",
  `delete from a2a_configs c where ${WHERE} and c.id = $4 returning 1`,
);

const DROP_DELIVERIES = statement(
  "drop deliveries",
  `delete from a2a_outbox c where ${WHERE} and c.config_id = $4`,
);

/** Webhook registrations of a PostgreSQL store. */
export const postgresConfigs = (database: Database): TaskStore["configs"] => ({
  async put(scope, taskId, { id, text: config, version, disabled }) {
    const key = nameKey(id);
    const values = [...taskKey(scope, taskId), key, nameOf(id, key), config, version, disabled === true];
    return (await database.query(PUT, values)).length > 0;
  },
  async get(scope, taskId, id) {
    const [row] = await database.query(GET, [...taskKey(scope, taskId), nameKey(id)]);
    return row && configOf(row);
  },
  async list(scope, taskId, { pageSize, pageToken }) {
    const made = ["configs", scope.tenant, scope.owner, taskId];
    const [after] = pageToken === undefined || pageToken === "" ? [] : decodePageToken(pageToken, made, 1);
    const from = Number(after ?? 0);
    const values = [...taskKey(scope, taskId), Number.isSafeInteger(from) ? from : 0, pageSize + 1];
    const rows = await database.query(LIST, values);
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    const more = last !== undefined && rows.length > pageSize;
    return {
      configs: page.map(configOf),
      nextPageToken: more ? encodePageToken([String(number(last, "seq"))], made) : "",
    };
  },
  delete: (scope, taskId, id) =>
    database.transaction(async (session, first) => {
      const task = [...taskKey(scope, taskId)];
      const values = [...task, nameKey(id)];
      const rows = await session.send(
        ...first,
        [HOLD_TASK, task],
        [DROP_DELIVERIES, values],
        [DELETE, values],
        [COMMIT],
      );
      return (rows.at(-2)?.length ?? 0) > 0;
    }),
});

const configOf = (row: Row): StoredConfig => ({
  id: nameIn(row, "name", "id"),
  text: text(row, "text"),
  version: text(row, "version"),
  ...(row["disabled"] === true && { disabled: true }),
});
