import { planList } from "../sql/list-pages.js";
import { nameKey } from "../sql/name-key.js";
import type { TaskStore } from "../types.js";
import type { Database } from "./database.js";
import { taskKey } from "../sql/keys.js";
import { number } from "./row.js";
import { statement, type Statement } from "./statement.js";
import { partOfColumns, storedColumns, storedTask } from "./stored-task.js";

const FROM = "case when $4::bigint >= t.replay_from then $4::bigint else t.at end";
const ONE = "from a2a_tasks t where t.tenant = $1 and t.owner = $2 and t.id = $3";

const READ = statement("read", `select ${storedColumns(FROM)} ${ONE}`);

/** Without the fold, unless the events that are asked for are gone. */
const READ_PART = statement(
  "read part",
  `select ${partOfColumns(FROM, "$5", "($6 or $4::bigint < t.replay_from)")} ${ONE}`,
);

/** `read` of a store. */
export const reader =
  (database: Database): TaskStore["read"] =>
  async (scope, taskId, { after, size, bare = false } = {}) => {
    const values: unknown[] = [...taskKey(scope, taskId), after ?? null];
    const [row] =
      after === undefined || (size === undefined && !bare)
        ? await database.query(READ, values)
        : await database.query(READ_PART, [...values, Math.max(1, size ?? Number.MAX_SAFE_INTEGER), !bare]);
    return row && storedTask(row);
  };

/** The statements for one set of filters. */
interface Listing {
  readonly page: Statement;
  readonly count: Statement;
}

const listings = new Map<string, Listing>();

/** Filters are values of statements, and those for each set of them are made once. */
function listing(filters: readonly string[], paged: boolean): Listing {
  const name = `${filters.join(" ")}${paged ? " paged" : ""}`;
  let known = listings.get(name);
  if (known === undefined) {
    const clauses = { context: "t.context_id =", state: "t.state =", since: "t.ts >=" };
    const conditions = Object.entries(clauses)
      .filter(([filter]) => filters.includes(filter))
      .map(([, clause], i) => `${clause} $${String(i + 3)}`);
    const where = ["t.tenant = $1", "t.owner = $2", ...conditions];
    const position = where.length + 1;
    const after = `(t.ts, t.id) < ($${String(position)}, $${String(position + 1)})`;
    const limit = `$${String(position + (paged ? 2 : 0))}`;
    known = {
      page: statement(
        `list ${name}`,
        `select ${storedColumns("t.at")} from a2a_tasks t where ${[...where, ...(paged ? [after] : [])].join(" and ")}
        order by t.ts desc, t.id desc limit ${limit}`,
      ),
      count: statement(
        `count ${name}`,
        filters.includes("context") || filters.includes("since")
          ? `select count(*)::float8 as n from a2a_tasks t where ${where.join(" and ")}`
          : `select coalesce(sum(t.n), 0)::float8 as n from a2a_counts t where ${where.join(" and ")}`,
      ),
    };
    listings.set(name, known);
  }
  return known;
}

/** `list` of a store. */
export const lister =
  (database: Database): TaskStore["list"] =>
  async (scope, query) => {
    const { contextId, state, pageSize } = query;
    const plan = planList(scope, query);
    const { since, after } = plan;
    const filters: string[] = [];
    const values: string[] = [nameKey(scope.tenant), nameKey(scope.owner)];
    const filter = (name: string, value: string | undefined): void => {
      if (value === undefined) return;
      filters.push(name);
      values.push(value);
    };
    filter("context", contextId === undefined ? undefined : nameKey(contextId));
    filter("state", state);
    filter("since", since === "" ? undefined : since);
    const { page, count } = listing(filters, after !== undefined);
    const position = after === undefined ? [] : [after.ts, nameKey(after.id)];
    const [rows, [total]] = await Promise.all([
      database.query(page, [...values, ...position, pageSize + 1]),
      database.query(count, values),
    ]);
    const tasks = rows.slice(0, pageSize).map(storedTask);
    const last = tasks.at(-1);
    const more = last !== undefined && rows.length > pageSize;
    return {
      tasks,
      nextPageToken: more ? plan.token(last.head.timestamp, last.taskId) : "",
      totalSize: total === undefined ? 0 : number(total, "n"),
    };
  };
