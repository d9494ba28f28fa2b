import { TaskState, type Task } from "@a2a-js/sdk";
import { InMemoryTaskStore, ServerCallContext } from "@a2a-js/sdk/server";
import pg from "pg";
import { memoryStore } from "../../src/store/memory-store.js";
import { openSqlite } from "../../src/store/sqlite/sqlite-driver.js";
import type { TaskStore } from "../../src/store/types.js";

/** Whose tasks these are. */
export const scope = { tenant: "", owner: "" } as const;
/** States of the tasks: three of four have ended. */
export const states = { live: "TASK_STATE_WORKING", ended: "TASK_STATE_COMPLETED" } as const;
/** Tasks of a context, spread over all times. */
export const PER_CONTEXT = 200;
/** A context that is there. */
export const contextId = "c1";
/** Status time and id of the task of a number. */
export const placeOf = (i: number): { ts: string; id: string } => ({
  ts: `2030-01-01T${String(i).padStart(9, "0")}`,
  id: `t${String(i).padStart(9, "0")}`,
});

const SNAPSHOT = JSON.stringify({ id: "t", artifacts: [{ parts: [{ text: "a word or two ".repeat(20) }] }] });
const COLUMNS = `tenant, owner, id, context_id, state, ts, terminal, ended_at, revision, at, received, fence, replay_from, snapshot`;
const COUNTS = `insert into a2a_counts (tenant, owner, state, n)
  select tenant, owner, state, count(*) from a2a_tasks group by tenant, owner, state`;

interface Spelling {
  readonly padded: string;
  readonly live: string;
  readonly yes: string;
  readonly no: string;
}

const rows = ({ padded, live, yes, no }: Spelling, size: number): string => `
  select '', '', 't' || ${padded}, 'c' || (i % ${String(size / PER_CONTEXT)}),
    case when ${live} then '${states.live}' else '${states.ended}' end, '2030-01-01T' || ${padded},
    case when ${live} then ${no} else ${yes} end, case when ${live} then null else 1e15 + i end, 4, 4, 0, 0, 4, '${SNAPSHOT}'`;

/** Writes `size` tasks into an empty file with tables. */
export async function fillSqlite(path: string, size: number): Promise<void> {
  const db = await openSqlite(path);
  const select = rows(
    { padded: "printf('%09d', i)", live: `i / ${String(size / PER_CONTEXT)} % 4 = 0`, yes: "1", no: "0" },
    size,
  );
  db.exec("begin");
  db.exec(`with recursive q (i) as (select 1 union all select i + 1 from q where i < ${String(size)})
    insert into a2a_tasks (${COLUMNS}) ${select} from q`);
  db.exec(COUNTS);
  db.exec("commit");
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
}

/** Writes `size` tasks into the empty tables of a schema. */
export async function fillPostgres(url: string, schema: string, size: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const select = rows(
    {
      padded: "lpad(i::text, 9, '0')",
      live: `i / ${String(size / PER_CONTEXT)} % 4 = 0`,
      yes: "true",
      no: "false",
    },
    size,
  );
  try {
    await client.query(`set search_path to ${schema}`);
    await client.query(
      `insert into a2a_tasks (${COLUMNS}) ${select} from generate_series(1, ${String(size)}) i`,
    );
    await client.query(COUNTS);
    await client.query("vacuum analyze a2a_tasks");
  } finally {
    await client.end();
  }
}

/** A memory store with `size` finished tasks. */
export async function fillMemory(size: number): Promise<TaskStore> {
  const store = memoryStore({ maxTasks: size * 2, now: () => 0 });
  for (let i = 1; i <= size; i++) {
    const { ts, id } = placeOf(i);
    await store.commit([
      {
        scope,
        taskId: id,
        expect: 0,
        fence: 0,
        head: {
          contextId: `c${String(i % (size / PER_CONTEXT))}`,
          state: states.ended,
          timestamp: ts,
          terminal: true,
        },
        events: [],
        snapshot: { at: 4, received: 1, text: SNAPSHOT },
        dropEvents: true,
      },
    ]);
  }
  return store;
}

/** The official SDK's store with `size` tasks: its first page of 50. */
export async function fillOfficial(size: number): Promise<() => Promise<number>> {
  const store = new InMemoryTaskStore();
  const context = new ServerCallContext();
  for (let i = 1; i <= size; i++) {
    const { ts, id } = placeOf(i);
    await store.save(officialTask(id, ts), context);
  }
  const status = TaskState.TASK_STATE_UNSPECIFIED;
  const query = { tenant: "", contextId: "", status, pageToken: "", statusTimestampAfter: undefined };
  return async () => (await store.list({ ...query, pageSize: 50 }, context)).tasks.length;
}

const officialTask = (id: string, timestamp: string): Task => ({
  id,
  contextId: "c1",
  status: { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp },
  artifacts: [],
  history: [],
  metadata: undefined,
});
