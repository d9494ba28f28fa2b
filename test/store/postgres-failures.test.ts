import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { defineAgent, serve } from "../../src/server.js";
import { postgresStore } from "../../src/postgres.js";
import { alice, birth } from "../../src/testing/conformance/fixtures.js";
import { run } from "../cli/run.js";
import { freePort } from "../services/free-port.js";
import { postgresBin, startPostgres } from "../services/postgres.js";
import type { Service } from "../services/service.js";
import { ask } from "./postgres-fixture.js";

const SECRETS = ["hunter2", "guest", "127.0.0.1", "localhost", "very-private", "missing.invalid"];

/** All that can be seen of an error, its properties and causes included. */
const seen = (error: unknown): string => inspect(error, { depth: 10, showHidden: true });

/** What a promise was rejected with, when nothing in it is secret. */
async function failure(promise: unknown): Promise<unknown> {
  const error: unknown = await Promise.resolve(promise).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  for (const secret of SECRETS) expect(seen(error).replaceAll(/\n\s+at .*/g, "")).not.toContain(secret);
  return error;
}

describe.skipIf(postgresBin() === undefined)("what goes wrong with PostgreSQL tells no secrets", () => {
  let server: Service;
  const at = (user: string, database = "postgres"): string =>
    `postgres://${user}@127.0.0.1:${String(server.port)}/${database}`;

  beforeAll(async () => {
    server = await startPostgres();
    const sql = (text: string): Promise<Record<string, unknown>[]> => ask(server.url, "public", text);
    await sql("create role guest login password 'hunter2'");
    const [{ hba_file: file, loaded } = {}] = await sql(
      "select current_setting('hba_file') as hba_file, pg_conf_load_time()::text as loaded",
    );
    const rules = "array['host all guest all scram-sha-256', 'host all all all trust']";
    await sql(`copy (select unnest(${rules})) to '${String(file)}'`);
    await sql("select pg_reload_conf()");
    const loadedAt = async (): Promise<unknown> =>
      (await sql("select pg_conf_load_time()::text as loaded"))[0]?.["loaded"];
    while ((await loadedAt()) === loaded);
  }, 60_000);
  afterAll(() => server.dispose());

  test.each([
    ["a wrong password", () => at("guest:hunter22"), "CONFIG", /refused the login.*28P01/],
    ["no password", () => at("guest"), "CONFIG", /wants a password/],
    ["a user without rights", () => at("guest:hunter2"), "CONFIG", /may not do this.*42501/],
    ["no such database", () => at("a2a", "very-private"), "CONFIG", /no such database.*3D000/],
    ["no TLS", () => `${at("a2a")}?sslmode=verify-full`, "CONFIG", /TLS/],
    ["no such host", () => "postgres://guest:hunter2@missing.invalid/x", "NETWORK", /no address/],
  ])("%s", async (_, url, reason, message) => {
    expect(await failure(postgresStore({ url: url() }))).toMatchObject({
      reason,
      message: expect.stringMatching(message) as string,
    });
    const { code, out, err } = await run(["store", "migrate", url()]);
    expect(code).toBe(1);
    for (const secret of SECRETS) expect(out + err).not.toContain(secret);
  });

  test("a server that is not there, for a server of agents too", async () => {
    const url = `postgres://guest:hunter2@localhost:${String(await freePort())}/very-private`;
    const refused = {
      reason: "NETWORK",
      message: expect.stringMatching(/nothing listens.*ECONNREFUSED/) as string,
    };
    expect(await failure(postgresStore({ url }))).toMatchObject(refused);
    const agent = defineAgent({
      card: { name: "a", description: "b", skills: [] },
      handle: async () => "c",
    });
    let logged = "";
    const note = (...said: unknown[]): void => {
      logged += seen(said);
    };
    const logger = { debug: note, info: note, warn: note, error: note };
    expect(await failure(serve(agent, { port: 0, store: url, logger }))).toMatchObject(refused);
    for (const secret of SECRETS) expect(logged).not.toContain(secret);
  });

  test("a constraint, with the values that it refused", async () => {
    const store = await postgresStore({ url: server.url });
    await store.commit([birth("a")]);
    const checks = ["a2a_configs", "a2a_events"].map(
      (table) =>
        `alter table ${table} add constraint ${table}_short check (length(${table === "a2a_events" ? "body" : "text"}) < 20)`,
    );
    await ask(server.url, "public", checks.join(";"));
    const config = { id: "x", version: "1.0", text: JSON.stringify({ token: "very-private hunter2" }) };
    expect(await failure(store.configs.put(alice, "a", config))).toMatchObject({
      message: "store: PostgreSQL: a constraint refused what was written (23514, a2a_configs_short)",
    });
    const entry = birth("b", { events: [{ n: 1, text: config.text }] });
    expect(await failure(store.commit([entry]))).toMatchObject({
      message: expect.stringContaining("a2a_events_short") as string,
    });
    expect(await store.read(alice, "b")).toBeUndefined();
    await store.close?.();
  });

  test("a connection that is cut, tables that are gone, a store that is closed", async () => {
    const store = await postgresStore({ url: server.url, schema: "gone" });
    await ask(server.url, "public", "drop table gone.a2a_tasks");
    expect(await failure(store.read(alice, "a"))).toMatchObject({
      message: expect.stringMatching(/a2a-typed store migrate.*42P01/) as string,
    });
    await server.kill();
    expect(await failure(store.read(alice, "a"))).toMatchObject({ reason: "NETWORK" });
    await server.start();
    await store.close?.();
    expect(await failure(store.read(alice, "a"))).toMatchObject({
      message: "store: PostgreSQL: the store is closed",
    });
  });
});
