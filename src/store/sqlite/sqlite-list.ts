import { nameKey } from "../sql/name-key.js";
import { planList } from "../sql/list-pages.js";
import type { ListPage, ListQuery, Scope } from "../types.js";
import type { SqliteValue } from "./sqlite-driver.js";
import type { SqliteFile } from "./sqlite-file.js";
import { storedTask, TASK_COLUMNS, type TaskRow } from "./sqlite-rows.js";

/** A page of tasks, in one view. Throws `INVALID_PARAMS` for a page token of another listing. */
export function listTasks(file: SqliteFile, scope: Scope, query: ListQuery): ListPage {
  const plan = planList(scope, query);
  const matching = filterOf(scope, query, plan.since);
  const page = pageSql(matching, plan.after);
  return file.view(() => {
    const rows = file.all<TaskRow>(page.sql, ...page.values, query.pageSize + 1);
    const shown = rows.slice(0, query.pageSize);
    const last = rows.length > query.pageSize ? shown.at(-1) : undefined;
    return {
      tasks: shown.map((row) => storedTask(file, row)),
      nextPageToken: last === undefined ? "" : plan.token(last.ts, last.id),
      totalSize: totalSize(file, query, matching, plan.since),
    };
  });
}

/** A condition, one of a few texts, and its values. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqliteValue[];
}

/** What a listing filters by. */
export function filterOf(
  { tenant, owner }: Scope,
  { contextId, state }: ListQuery,
  since: string,
): Condition {
  const parts = ["tenant = ? and owner = ?"];
  const values = [nameKey(tenant), nameKey(owner)];
  const add = (part: string, value: string): void => {
    parts.push(part);
    values.push(value);
  };
  if (contextId !== undefined) add("context_id = ?", nameKey(contextId));
  // Without the plus the planner may take the states where a context is asked for, which are more.
  if (state !== undefined) add(contextId === undefined ? "state = ?" : "+state = ?", state);
  if (since !== "") add("ts >= ?", since);
  return { sql: parts.join(" and "), values };
}

/** The tasks that match from a place on, newest first; its last value, the limit, is left to the caller. */
export const pageSql = (
  matching: Condition,
  after?: { readonly ts: string; readonly id: string },
): Condition => ({
  sql: `select ${TASK_COLUMNS} from a2a_tasks where ${matching.sql}${
    after === undefined ? "" : " and (ts, id) < (?, ?)"
  } order by ts desc, id desc limit ?`,
  values: after === undefined ? matching.values : [...matching.values, after.ts, after.id],
});

const ALL = "select coalesce(sum(n), 0) as n from a2a_counts where tenant = ? and owner = ?";

/** From the counters where they tell it; a context or a time counts a range of an index. */
function totalSize(
  file: SqliteFile,
  { contextId, state }: ListQuery,
  matching: Condition,
  since: string,
): number {
  const sql =
    contextId === undefined && since === ""
      ? `${ALL}${state === undefined ? "" : " and state = ?"}`
      : `select count(*) as n from a2a_tasks where ${matching.sql}`;
  return file.get<{ n: number }>(sql, ...matching.values)?.n ?? 0;
}
