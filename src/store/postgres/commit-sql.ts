import { statement } from "./statement.js";

/** Locks the tasks of a batch, in the order of their keys: batches at the same time cannot wait for each other in a ring. */
export const LOCK = statement(
  "lock",
  `select t.tenant, t.owner, t.id, t.context_id, t.context_name, t.state, t.ts, t.terminal, t.revision::float8, t.at::float8,
    t.received::float8, t.fence::float8, t.lease_holder, t.lease_expires::float8, t.replay_from::float8,
    (select max(m.k) from a2a_messages m where m.tenant = t.tenant and m.owner = t.owner and m.task = t.id)::float8 as last_message
  from unnest($1::text[], $2::text[], $3::text[]) as q (tenant, owner, id)
  join a2a_tasks t on t.tenant = q.tenant and t.owner = q.owner and t.id = q.id
  order by t.tenant, t.owner, t.id for no key update of t`,
);

/** Order of the columns of `INSERT_TASKS` and `UPDATE_TASKS`. */
export const TASK_COLUMNS = [
  ["tenant", "text"],
  ["owner", "text"],
  ["id", "text"],
  ["names", "text"],
  ["context_id", "text"],
  ["context_name", "text"],
  ["state", "text"],
  ["ts", "text"],
  ["terminal", "boolean"],
  ["revision", "bigint"],
  ["at", "bigint"],
  ["received", "bigint"],
  ["snapshot", "text"],
  ["layout", "text"],
  ["agent", "text"],
  ["fence", "bigint"],
  ["lease_holder", "text"],
  ["lease_expires", "bigint"],
  ["replay_from", "bigint"],
  ["ended_at", "bigint"],
] as const;

const columns = TASK_COLUMNS.map(([name]) => name).join(", ");
const arrays = TASK_COLUMNS.map(([, type], i) => `$${String(i + 1)}::${type}[]`).join(", ");

export const INSERT_TASKS = statement(
  "insert tasks",
  `insert into a2a_tasks (${columns})
  select ${columns} from unnest(${arrays}) as q (${columns})
  order by tenant collate "C", owner collate "C", id collate "C"`,
);

/** Without a new snapshot the old one stays, with all that is kept with it. */
export const UPDATE_TASKS = statement(
  "update tasks",
  `update a2a_tasks t set context_id = q.context_id, context_name = q.context_name, state = q.state, ts = q.ts, terminal = q.terminal,
    revision = q.revision, at = q.at, received = q.received, snapshot = coalesce(q.snapshot, t.snapshot),
    layout = case when q.snapshot is null then t.layout else q.layout end,
    agent = case when q.snapshot is null then t.agent else q.agent end,
    fence = q.fence, lease_holder = q.lease_holder, lease_expires = q.lease_expires, replay_from = q.replay_from,
    ended_at = q.ended_at
  from unnest(${arrays}) as q (${columns})
  where t.tenant = q.tenant and t.owner = q.owner and t.id = q.id`,
);

export const INSERT_EVENTS = statement(
  "insert events",
  `insert into a2a_events (tenant, owner, task, first, last, body)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])`,
);

export const DROP_EVENTS = statement(
  "drop events",
  `delete from a2a_events e using unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as q (tenant, owner, task, upto)
  where e.tenant = q.tenant and e.owner = q.owner and e.task = q.task and e.first <= q.upto and e.last <= q.upto`,
);

export const INSERT_MESSAGES = statement(
  "insert messages",
  `insert into a2a_messages (tenant, owner, task, k, after, text)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])`,
);

export const DROP_MESSAGES = statement(
  "drop messages",
  `delete from a2a_messages m using unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as q (tenant, owner, task, upto)
  where m.tenant = q.tenant and m.owner = q.owner and m.task = q.task and m.k <= q.upto`,
);

export const PUT_CONFIGS = statement(
  "put configs",
  `insert into a2a_configs (tenant, owner, task, id, name, text, version, disabled)
  select tenant, owner, task, id, name, text, version, disabled
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[])
    with ordinality as q (tenant, owner, task, id, name, text, version, disabled, i) order by i
  on conflict (tenant, owner, task, id) do update
  set text = excluded.text, version = excluded.version, disabled = excluded.disabled`,
);

/** Only the first of a registration is due; the lock on the task holds off whoever takes one away meanwhile. */
export const INSERT_OUTBOX = statement(
  "insert outbox",
  `insert into a2a_outbox (tenant, owner, task, config_id, config_name, n, text, due, holder, attempts)
  select tenant, owner, task, config_id, config_name, n, text,
    case when row_number() over (partition by tenant, owner, task, config_id order by i) = 1 and not exists (
      select 1 from a2a_outbox p where p.tenant = q.tenant and p.owner = q.owner and p.task = q.task
        and p.config_id = q.config_id) then 0 end,
    '', 0
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[])
    with ordinality as q (tenant, owner, task, config_id, config_name, n, text, i) order by i
  on conflict do nothing`,
);

/** Beyond `$5` deliveries of a registration the oldest go, but the very first: it may be on its way. */
export const TRIM_OUTBOX = statement(
  "trim outbox",
  `delete from a2a_outbox o using unnest($1::text[], $2::text[], $3::text[], $4::text[]) as q (tenant, owner, task, config_id)
  cross join lateral (
    select p.seq from a2a_outbox p
    where p.tenant = q.tenant and p.owner = q.owner and p.task = q.task and p.config_id = q.config_id and p.due is null
    order by p.n limit greatest(0, -$5::bigint + (
      select count(*) from a2a_outbox p
      where p.tenant = q.tenant and p.owner = q.owner and p.task = q.task and p.config_id = q.config_id))
  ) p
  where o.seq = p.seq`,
);

export const ANSWER_LETTERS = statement(
  "answer letters",
  `update a2a_letters l set answer = q.answer
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as q (tenant, owner, task, id, answer)
  where l.tenant = q.tenant and l.owner = q.owner and l.task = q.task and l.id = q.id and l.answer is null`,
);

/** Last in every transaction, and in order: the rows are few and wanted by all. */
export const COUNT = statement(
  "count",
  `insert into a2a_counts as c (tenant, owner, state, n)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as q (tenant, owner, state, n)
  order by tenant collate "C", owner collate "C", state collate "C"
  on conflict (tenant, owner, state) do update set n = c.n + excluded.n`,
);

/** Counters of scopes whose tasks have gone; another transaction that is at one keeps it. */
export const FORGET_COUNTS = statement(
  "forget counts",
  `delete from a2a_counts where (tenant, owner, state) in (
    select c.tenant, c.owner, c.state from a2a_counts c
    where (c.tenant, c.owner) in (select * from unnest($1::text[], $2::text[])) and c.n = 0 for update of c skip locked)`,
);

/** What was written last, to be compared with an entry whose commit was in doubt. */
export const STORED_LAST = statement(
  "stored last",
  `select t.snapshot, e.first::float8, e.last::float8, e.body,
    (select m.text from a2a_messages m
      where m.tenant = t.tenant and m.owner = t.owner and m.task = t.id and m.k = $5) as message
  from a2a_tasks t left join lateral (
    select e.first, e.last, e.body from a2a_events e
    where e.tenant = t.tenant and e.owner = t.owner and e.task = t.id and e.first <= $4 order by e.first desc limit 1
  ) e on true where t.tenant = $1 and t.owner = $2 and t.id = $3`,
);
