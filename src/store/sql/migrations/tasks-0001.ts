import { sql, type CreateTableBuilder, type Kysely } from "kysely";
import type { Flavor, SqlMigration } from "../flavor.js";

/** Tasks, their events, messages, webhooks, deliveries, letters, and counts per state. */
export const tasks0001 = (flavor: Flavor): SqlMigration => ({
  async up(db) {
    await tasks(db, flavor);
    await parts(db, flavor);
    await queues(db, flavor);
    await indexes(db);
  },
  async down(db) {
    for (const table of TABLES.toReversed()) await db.schema.dropTable(table).execute();
  },
});

const TABLES = [
  "a2a_tasks",
  "a2a_events",
  "a2a_messages",
  "a2a_counts",
  "a2a_configs",
  "a2a_outbox",
  "a2a_letters",
] as const;

/**
 * `id` and `context_id` are keys (`name-key.ts`); `names` is JSON of tenant, owner and id where a key differs from them.
 * `ended_at` is the status time of a task that ended, in ms.
 */
async function tasks(db: Kysely<unknown>, { text, int, bool }: Flavor): Promise<void> {
  await db.schema
    .createTable("a2a_tasks")
    .addColumn("tenant", text, (c) => c.notNull())
    .addColumn("owner", text, (c) => c.notNull())
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("names", text)
    .addColumn("context_id", text, (c) => c.notNull())
    .addColumn("context_name", text)
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("ts", text, (c) => c.notNull())
    .addColumn("terminal", bool, (c) => c.notNull())
    .addColumn("ended_at", int)
    .addColumn("revision", int, (c) => c.notNull())
    .addColumn("at", int, (c) => c.notNull())
    .addColumn("received", int, (c) => c.notNull())
    .addColumn("fence", int, (c) => c.notNull())
    .addColumn("lease_holder", text)
    .addColumn("lease_expires", int)
    .addColumn("replay_from", int, (c) => c.notNull())
    .addColumn("layout", text)
    .addColumn("agent", text)
    // The longest last: what comes before it is read without it.
    .addColumn("snapshot", text, (c) => c.notNull())
    .addPrimaryKeyConstraint("a2a_tasks_key", ["tenant", "owner", "id"])
    .execute();
}

/**
 * What belongs to a task, by its key. One row of `a2a_events` holds the events of one commit (`event-body.ts`). Rows that are
 * long lie apart from their keys: a search in the order of keys would read all that it compares.
 */
async function parts(db: Kysely<unknown>, flavor: Flavor): Promise<void> {
  const { text, int } = flavor;
  await ofTask(db, "a2a_events", flavor)
    .addColumn("first", int, (c) => c.notNull())
    .addColumn("last", int, (c) => c.notNull())
    .addColumn("body", text, (c) => c.notNull())
    .addPrimaryKeyConstraint("a2a_events_key", ["tenant", "owner", "task", "first"] as never[])
    .execute();
  await ofTask(db, "a2a_messages", flavor)
    .addColumn("k", int, (c) => c.notNull())
    .addColumn("after", int, (c) => c.notNull())
    .addColumn("text", text, (c) => c.notNull())
    .addPrimaryKeyConstraint("a2a_messages_key", ["tenant", "owner", "task", "k"] as never[])
    .execute();
  await flavor
    .clustered(db.schema.createTable("a2a_counts"))
    .addColumn("tenant", text, (c) => c.notNull())
    .addColumn("owner", text, (c) => c.notNull())
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("n", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("a2a_counts_key", ["tenant", "owner", "state"] as never[])
    .execute();
}

/**
 * What has an order of its own, `seq`. Of the deliveries of a webhook only the oldest has a `due`: it is set as the one
 * before it goes. `name` and `config_name` are what a key stands for where it differs.
 */
async function queues(db: Kysely<unknown>, flavor: Flavor): Promise<void> {
  const { text, int, bool } = flavor;
  await flavor
    .numbered(ofTask(db, "a2a_configs", flavor), "once")
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("name", text)
    .addColumn("text", text, (c) => c.notNull())
    .addColumn("version", text, (c) => c.notNull())
    .addColumn("disabled", bool, (c) => c.notNull())
    .addUniqueConstraint("a2a_configs_key", ["tenant", "owner", "task", "id"] as never[])
    .execute();
  await flavor
    .numbered(ofTask(db, "a2a_outbox", flavor))
    .addColumn("config_id", text, (c) => c.notNull())
    .addColumn("config_name", text)
    .addColumn("n", int, (c) => c.notNull())
    .addColumn("due", int)
    .addColumn("holder", text, (c) => c.notNull())
    .addColumn("attempts", int, (c) => c.notNull())
    .addColumn("text", text, (c) => c.notNull())
    .addUniqueConstraint("a2a_outbox_key", ["tenant", "owner", "task", "config_id", "n"] as never[])
    .execute();
  await flavor
    .numbered(ofTask(db, "a2a_letters", flavor))
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("name", text)
    .addColumn("text", text, (c) => c.notNull())
    .addColumn("answer", text)
    .addUniqueConstraint("a2a_letters_key", ["tenant", "owner", "task", "id"] as never[])
    .execute();
}

const ofTask = (
  db: Kysely<unknown>,
  table: string,
  { text }: Flavor,
): CreateTableBuilder<string, "tenant" | "owner" | "task"> =>
  db.schema
    .createTable(table)
    .addColumn("tenant", text, (c) => c.notNull())
    .addColumn("owner", text, (c) => c.notNull())
    .addColumn("task", text, (c) => c.notNull());

/** Listings, leases that end, tasks past their time, and what is due. */
async function indexes(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create index a2a_tasks_list on a2a_tasks (tenant, owner, ts desc, id desc)`,
    sql`create index a2a_tasks_context on a2a_tasks (tenant, owner, context_id, ts desc, id desc)`,
    sql`create index a2a_tasks_state on a2a_tasks (tenant, owner, state, ts desc, id desc)`,
    sql`create index a2a_tasks_expires on a2a_tasks (lease_expires) where lease_expires is not null`,
    sql`create index a2a_tasks_holder on a2a_tasks (lease_holder) where lease_holder is not null`,
    sql`create index a2a_tasks_ended on a2a_tasks (ended_at) where ended_at is not null`,
    sql`create index a2a_tasks_replay on a2a_tasks (ended_at) where ended_at is not null and replay_from < revision`,
    sql`create index a2a_outbox_due on a2a_outbox (due, seq) where due is not null`,
    sql`create index a2a_letters_waiting on a2a_letters (seq) where answer is null`,
  ];
  for (const statement of statements) await statement.execute(db);
}
