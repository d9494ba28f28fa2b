import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresStore } from "../../src/postgres.js";
import type { PgQuery } from "../../src/store/postgres/load-driver.js";
import type { CommitEntry, ListQuery, TaskStore } from "../../src/store/types.js";
import { serviceUrl } from "../services/service-url.js";
import { ask, newSchema } from "./postgres-fixture.js";
import { recordingPool } from "./recording-pool.js";

const url = serviceUrl("postgres", "the query plans of PostgreSQL") ?? "";
const TASKS = 20_000;
const EVENTS = 5_000;
/** Every fourth task ended; the others work. */
const ended = (i: string): string => `${i} % 4 = 0`;
/** When the i-th ended, ms; half of them are past their time now. */
const NOW = (TASKS / 2) * 1_000;

const fill = [
  `insert into a2a_tasks (tenant, owner, id, context_id, state, ts, terminal, ended_at, revision, at, received, fence,
    lease_holder, lease_expires, replay_from, snapshot)
  select '', '', 't' || i, 'c' || i % 500, case when i % 1000 = 999 then 'rare' when ${ended("i")} then 'done' else 'work' end,
    to_char(to_timestamp(i) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), ${ended("i")},
    case when ${ended("i")} then i * 1000 end, 2, 2, 0, 1,
    case when i % 100 = 1 then 'h' || i % 7 end, case when i % 100 = 1 then i * 1000 end,
    case when i > 9900 then 0 else 2 end, '{}'
  from generate_series(1, ${String(TASKS)}) i`,
  `insert into a2a_events (tenant, owner, task, first, last, body)
  select '', '', 't' || i, n, n, '2' || chr(10) || '{}' from generate_series(1, ${String(TASKS)}) i, generate_series(1, 2) n`,
  `insert into a2a_events (tenant, owner, task, first, last, body)
  select '', '', 't1', n, n, '2' || chr(10) || '{}' from generate_series(3, ${String(EVENTS)}) n`,
  `update a2a_tasks set revision = ${String(EVENTS)}, replay_from = 0 where id = 't1'`,
  "insert into a2a_counts select tenant, owner, state, count(*) from a2a_tasks group by 1, 2, 3",
  `insert into a2a_counts select '', 'o' || i, 'work', 1 from generate_series(1, 5000) i`,
  `insert into a2a_messages (tenant, owner, task, k, after, text)
  select '', '', 't' || i, k, 2, '{}' from generate_series(1, 2000) i, generate_series(1, 3) k`,
  `insert into a2a_configs (tenant, owner, task, id, text, version, disabled)
  select '', '', 't' || i, 'w' || w, '{}', '1.0', false from generate_series(1, 2000) i, generate_series(1, 3) w`,
  `insert into a2a_outbox (tenant, owner, task, config_id, n, due, holder, attempts, text)
  select '', '', 't' || i, 'w1', n, case when n = 1 then i end, '', 0, '{}'
  from generate_series(1, 2000) i, generate_series(1, 5) n`,
  `insert into a2a_letters (tenant, owner, task, id, text, answer)
  select '', '', 't' || i, 'l' || n, '{}', case when i % 100 <> 1 then '{}' end
  from generate_series(1, 4000) i, generate_series(1, 3) n`,
  "analyze a2a_tasks, a2a_events, a2a_counts, a2a_messages, a2a_configs, a2a_outbox, a2a_letters",
];

const scope = { tenant: "", owner: "" };
const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const work = (taskId: string, more: Partial<CommitEntry> = {}): CommitEntry => ({
  ...{ scope, taskId, expect: 2, fence: 1, events: [{ n: 3, text: "{}" }] },
  snapshot: { at: 3, received: 0, text: "{}" },
  ...more,
});

/** What a store does, and indexes by which it must find what it needs. */
const uses: readonly [what: string, use: (store: TaskStore) => unknown, ...indexes: string[]][] = [
  ["read", (s) => s.read(scope, "t77"), "a2a_tasks_key", "a2a_events_key", "a2a_messages_key"],
  [
    "read what is new",
    (s) => s.read(scope, "t1", { after: EVENTS - 1, size: 1, bare: true }),
    "a2a_events_key",
  ],
  ["claim", (s) => s.outbox.claim("me", 5, 1, 10), "a2a_outbox_due"],
  ["acquire", (s) => s.lease.acquire(scope, "t2", "me", 0, 1), "a2a_tasks_key"],
  [
    "renew",
    (s) => s.lease.renew([{ scope, taskId: "t101", lease: { holder: "h3", expires: 1, fence: 1 } }], 9),
    "a2a_tasks_key",
  ],
  ["expired", (s) => s.lease.expired(5_000, 10), "a2a_tasks_expires"],
  ["post", (s) => s.mail.post({ scope, taskId: "t3", id: "x", text: "{}" }), "a2a_tasks_key"],
  ["waiting", (s) => s.mail.waiting("h3", 10), "a2a_letters_waiting"],
  ["answer", (s) => s.mail.answer({ scope, taskId: "t1", id: "l1", text: "" }, "{}"), "a2a_letters_key"],
  ["collect", (s) => s.mail.collect({ scope, taskId: "t2", id: "l1", text: "" }), "a2a_letters_key"],
  [
    "put a webhook",
    (s) => s.configs.put(scope, "t5", { id: "n", text: "{}", version: "1.0" }),
    "a2a_tasks_key",
  ],
  ["get a webhook", (s) => s.configs.get(scope, "t5", "w1"), "a2a_configs_key"],
  ["list webhooks", (s) => s.configs.list(scope, "t5", { pageSize: 2 }), "a2a_configs_key"],
  ["delete a webhook", (s) => s.configs.delete(scope, "t6", "w1"), "a2a_configs_key", "a2a_outbox_key"],
  [
    "settle a delivery",
    async (s) => {
      const delivery = { scope, taskId: "t1", configId: "w1", n: 1, text: "", attempts: 0, holder: "me" };
      await s.outbox.ack(delivery, { retryAt: 9 });
      await s.outbox.ack(delivery);
    },
    "a2a_outbox_key",
  ],
  [
    "commit",
    (s) =>
      s.commit([
        work("t7", {
          outbox: [{ configId: "w1", n: 64_001, text: "{}" }],
          messages: [{ k: 4, after: 2, text: "{}" }],
          snapshot: { at: 3, received: 4, text: "{}" },
          configs: [{ id: "w1", text: "{}", version: "1.0" }],
          answers: [{ id: "l1", text: "{}" }],
          dropEvents: true,
        }),
        work("new", {
          expect: 0,
          events: [],
          head: { contextId: "", state: "work", timestamp: at(0), terminal: false },
        }),
      ]),
    "a2a_tasks_key",
    "a2a_events_key",
    "a2a_messages_key",
    "a2a_letters_key",
  ],
  [
    "delete",
    (s) => s.delete(scope, "t9"),
    "a2a_tasks_key",
    "a2a_events_key",
    "a2a_outbox_key",
    "a2a_letters_key",
  ],
  [
    "sweep",
    (s) => s.sweep(NOW, 10),
    "a2a_tasks_ended",
    "a2a_tasks_replay",
    "a2a_events_key",
    "a2a_configs_key",
  ],
];

const filters: readonly [ListQuery, string][] = [
  [{ pageSize: 10 }, "a2a_tasks_list"],
  [{ pageSize: 10, statusTimestampAfter: at(TASKS - 50) }, "a2a_tasks_list"],
  [{ pageSize: 10, contextId: "c7" }, "a2a_tasks_context"],
  [{ pageSize: 10, contextId: "c7", state: "work" }, "a2a_tasks_context"],
  [{ pageSize: 10, state: "rare" }, "a2a_tasks_state"],
  [{ pageSize: 10, state: "rare", statusTimestampAfter: at(TASKS - 3_000) }, "a2a_tasks_state"],
];

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly Plans?: readonly Plan[];
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

describe.skipIf(url === "")("PostgreSQL finds by index", () => {
  const schema = newSchema();
  const { pool, queries, end } = recordingPool(url);
  let store: TaskStore;

  beforeAll(async () => {
    store = await postgresStore({ pool, schema, ttl: 0, replayWindow: 0, maxEvents: 3 });
    await ask(url, schema, fill.join(";\n"));
  }, 120_000);
  afterAll(end);

  /** How the server runs the statements that were prepared, with their values and, as it does later, without a look at them. */
  async function plansOf(sent: readonly PgQuery[]): Promise<{ text: string; nodes: Plan[] }[]> {
    const plans: { text: string; nodes: Plan[] }[] = [];
    for (const { text, values = [] } of sent.filter(({ name }) => name !== undefined)) {
      for (const mode of ["force_custom_plan", "force_generic_plan"]) {
        const [{ "QUERY PLAN": found } = {}] = await explain(text, values, mode);
        const [{ Plan: root }] = found as [{ Plan: Plan }];
        plans.push({ text: `${mode}: ${text}`, nodes: nodes(root) });
      }
    }
    return plans;
  }

  async function explain(text: string, values: unknown[], mode: string): Promise<Record<string, unknown>[]> {
    const client = await pool.connect();
    try {
      await client.query({ text: `set plan_cache_mode = ${mode}` });
      await client.query({ text: "set search_path to public" });
      const name = `${mode}${String(queries.length)}`;
      // Bound like any other: the plan is that of the very statement.
      return [...(await client.query({ name, text: `explain (format json) ${text}`, values })).rows];
    } finally {
      client.release(true);
    }
  }

  async function check(use: () => unknown, indexes: readonly string[]): Promise<void> {
    const from = queries.length;
    await use();
    const plans = await plansOf(queries.slice(from));
    expect(plans.length).toBeGreaterThan(0);
    for (const { text, nodes: found } of plans) {
      const scans = found.filter((node) => node["Node Type"] === "Seq Scan");
      expect(
        scans.map((node) => node["Relation Name"]),
        text,
      ).toEqual([]);
    }
    const used = new Set(plans.flatMap(({ nodes: found }) => found.map((node) => node["Index Name"])));
    for (const index of indexes) expect(used).toContain(index);
  }

  test.each(uses)("%s", (_, use, ...indexes) => check(() => use(store), indexes));

  test.each(filters)("list by %j, page by page, none sorted", async (query, index) => {
    const from = queries.length;
    await check(async () => {
      const { nextPageToken: pageToken } = await store.list(scope, query);
      if (pageToken !== "") await store.list(scope, { ...query, pageToken });
    }, [index]);
    const pages = queries
      .slice(from)
      .filter(({ text }) => / limit \$\d+$/.test(text) && !text.startsWith("explain"));
    expect(pages.length).toBeGreaterThan(0);
    for (const { text, nodes: found } of await plansOf(pages)) {
      const top = found.findIndex((node) => node["Relation Name"] === "a2a_tasks");
      expect(
        found.slice(0, top).map((node) => node["Node Type"]),
        text,
      ).toEqual(["Limit"]);
    }
  });

  test("the newest events of a long task without its earlier ones", async () => {
    const from = queries.length;
    await store.read(scope, "t1", { after: EVENTS - 2, size: 1_000, bare: true });
    const [read] = queries.slice(from);
    const client = await pool.connect();
    const text = `explain (analyze, format json) ${read?.text ?? ""}`;
    const { rows } = await client.query({ text, values: read?.values ?? [] });
    client.release();
    const plan = JSON.stringify(rows);
    const looked = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)":(\d+)/g)].map(([, n]) =>
      Number(n),
    );
    expect(looked.length).toBeGreaterThan(3);
    expect(Math.max(...looked)).toBeLessThan(5);
  });

  test("a sweep takes what is past its time and no more than asked for, the longest ago first", async () => {
    const count = async (): Promise<unknown> =>
      (await ask(url, schema, "select count(*)::int as n from a2a_tasks where ended_at <= $1", [NOW]))[0]?.[
        "n"
      ];
    const before = Number(await count());
    expect(before).toBeGreaterThan(2_000);
    expect(await store.sweep(NOW, 100)).toBe(100);
    expect(await count()).toBe(before - 100);
    const [{ first } = {}] = await ask(url, schema, "select min(ended_at)::int as first from a2a_tasks");
    expect(first).toBeGreaterThan(400_000);
    let rounds = 0;
    for (let swept = 100; swept === 100; rounds += 1) swept = await store.sweep(NOW, 100);
    expect(rounds).toBe(Math.floor((before - 100) / 100) + 1);
    expect(await count()).toBe(0);
    const [left] = await ask(url, schema, "select count(*)::int as n from a2a_tasks where state = 'work'");
    expect(left?.["n"]).toBeGreaterThan(TASKS / 2);
    expect((await store.list(scope, { pageSize: 1, state: "done" })).totalSize).toBe(TASKS / 8);
  });
});
