import { nameKey } from "../sql/name-key.js";
import { decodePageToken, encodePageToken } from "../page-token.js";
import type { StoredConfig, TaskStore } from "../types.js";
import type { SqliteFile } from "./sqlite-file.js";
import { nameIn, nameOf, taskKey, type TaskKey } from "./sqlite-rows.js";

const OF_TASK = "tenant = ? and owner = ? and task = ?";
const EXISTS = "select 1 from a2a_tasks where tenant = ? and owner = ? and id = ?";
const PUT = `insert into a2a_configs (tenant, owner, task, id, name, text, version, disabled) values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (tenant, owner, task, id) do update
  set text = excluded.text, version = excluded.version, disabled = excluded.disabled`;
const COLUMNS = "select seq, id, name, text, version, disabled from a2a_configs";
const GET = `${COLUMNS} where ${OF_TASK} and id = ?`;
const LIST = `${COLUMNS} where ${OF_TASK} and seq > ? order by seq limit ?`;
const DELETE = `delete from a2a_configs where ${OF_TASK} and id = ?`;
const DROP = `delete from a2a_outbox where ${OF_TASK} and config_id = ?`;

interface ConfigRow {
  readonly seq: number;
  readonly id: string;
  readonly name: string | null;
  readonly text: string;
  readonly version: string;
  readonly disabled: number;
}

const configIn = ({ id, name, text, version, disabled }: ConfigRow): StoredConfig => ({
  id: nameIn(name, id),
  text,
  version,
  ...(disabled === 1 && { disabled: true }),
});

/** Registers a webhook, or replaces it in its place. */
export function putConfig(
  file: SqliteFile,
  key: TaskKey,
  { id, text, version, disabled }: StoredConfig,
): void {
  const known = nameKey(id);
  file.run(PUT, ...key, known, nameOf(id, known), text, version, disabled === true ? 1 : 0);
}

/** Webhook registrations. */
export const sqliteConfigs = (file: SqliteFile): TaskStore["configs"] => ({
  put(scope, taskId, config) {
    const key = taskKey(scope, taskId);
    return file.write(() => {
      const known = file.get(EXISTS, ...key) !== undefined;
      if (known) putConfig(file, key, config);
      return known;
    });
  },
  get(scope, taskId, id) {
    const row = file.get<ConfigRow>(GET, ...taskKey(scope, taskId), nameKey(id));
    return row && configIn(row);
  },
  list(scope, taskId, { pageSize, pageToken = "" }) {
    const made = ["configs", scope.tenant, scope.owner, taskId];
    const [after = "0"] = pageToken === "" ? [] : decodePageToken(pageToken, made, 1);
    const rows = file.all<ConfigRow>(LIST, ...taskKey(scope, taskId), Number(after), pageSize + 1);
    const page = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? page.at(-1) : undefined;
    return {
      configs: page.map(configIn),
      nextPageToken: last === undefined ? "" : encodePageToken([String(last.seq)], made),
    };
  },
  delete(scope, taskId, id) {
    const key = [...taskKey(scope, taskId), nameKey(id)] as const;
    return file.write(() => {
      file.run(DROP, ...key);
      return file.run(DELETE, ...key) > 0;
    });
  },
});
