import { beforeAll, describe, expect, test } from "vitest";
import { postgresStore } from "../../src/postgres.js";
import { serviceUrl } from "../services/service-url.js";
import { ask, newSchema } from "./postgres-fixture.js";

const url = serviceUrl("postgres", "the query plans of PostgreSQL") ?? "";
const TASKS = 20_000;

describe.skipIf(url === "")("PostgreSQL finds by index", () => {
  const schema = newSchema();
  beforeAll(async () => {
    await (await postgresStore({ url, schema, max: 1 })).close?.();
    await ask(
      url,
      schema,
      `insert into a2a_tasks (tenant, owner, id, context_id, state, ts, terminal, ended_at, revision, at, received, fence,
        lease_holder, lease_expires, replay_from, snapshot)
      select '', '', 't' || i, 'c' || i % 500, 's' || i % 5, '2030-01-01T' || lpad(i::text, 9, '0'), i % 5 = 0,
        case when i % 5 = 0 then i end, 2, 2, 0, 1, case when i % 100 = 1 then 'h' || i end,
        case when i % 100 = 1 then i end, case when i < 100 then 0 else 2 end, '{}'
      from generate_series(1, ${String(TASKS)}) i`,
    );
    await ask(url, schema, "analyze a2a_tasks");
  });

  const scope = "tenant = '' and owner = ''";
  test.each([
    ["a page", `select * from a2a_tasks where ${scope} order by ts desc, id desc limit 51`, "list"],
    [
      "a later page",
      `select * from a2a_tasks where ${scope} and (ts, id) < ('2030-01-01T000010000', 't10000') order by ts desc, id desc limit 51`,
      "list",
    ],
    [
      "a page of a context",
      `select * from a2a_tasks where ${scope} and context_id = 'c7' order by ts desc, id desc limit 11`,
      "context",
    ],
    [
      "a page of a rare state",
      `select * from a2a_tasks where ${scope} and state = 's9' order by ts desc, id desc limit 51`,
      "state",
    ],
    [
      "tasks past their time",
      `select id from a2a_tasks where ended_at <= 100 order by ended_at limit 100 for update skip locked`,
      "ended",
    ],
    [
      "events past their time",
      `select id from a2a_tasks where ended_at <= 50 and replay_from < revision order by ended_at limit 100`,
      "replay",
    ],
    [
      "leases that ended",
      `select id from a2a_tasks where lease_expires < 500 order by lease_expires, id limit 10`,
      "expires",
    ],
  ])("%s", async (_, text, index) => {
    const plan = (await ask(url, schema, `explain ${text}`)).map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain(`a2a_tasks_${index}`);
    expect(plan).not.toContain("Seq Scan");
  });
});
