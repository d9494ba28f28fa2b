import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresStore } from "../../src/postgres.js";
import { alice, birth } from "../../src/testing/conformance/fixtures.js";
import { ask } from "../store/postgres-fixture.js";
import { serviceUrl } from "../services/service-url.js";
import { run } from "./run.js";

const server = serviceUrl("postgres", "migrations of PostgreSQL by the command line") ?? "";

describe.skipIf(server === "")("store, in PostgreSQL", () => {
  const names = ["a", "b"].map((name) => `cli_${name}_${String(process.pid)}`);
  // The server takes any password, so one can be given that must not be seen.
  const [url = "", other = ""] = names.map((name) => {
    const at = new URL(server === "" ? "postgres://x" : server);
    at.password = "hunter2";
    at.pathname = name;
    return at.href;
  });
  beforeAll(async () => {
    for (const name of names) await ask(server, "public", `create database ${name}`);
  });
  afterAll(async () => {
    for (const name of names) await ask(server, "public", `drop database ${name} with (force)`);
  });

  /** Tables and columns with their types, indexes and constraints. */
  const shape = async (at: string): Promise<Record<string, unknown>[]> => [
    ...(await ask(
      at,
      "public",
      `select table_name, column_name, data_type, collation_name, is_nullable from information_schema.columns
      where table_name like 'a2a%' order by 1, 2`,
    )),
    ...(await ask(at, "public", "select indexdef from pg_indexes where tablename like 'a2a%' order by 1")),
  ];
  const clean = async (args: string[]): Promise<string> => {
    const { code, out, err } = await run(["store", ...args]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).not.toContain("hunter2");
    return out;
  };

  it("migrates, says what is applied, and takes it back", async () => {
    expect(await clean(["status", url])).toBe("pending 0001-tasks\n");
    expect(await shape(url)).toEqual([]);
    expect(await clean(["migrate", url])).toBe("applied 0001-tasks\n");
    expect(await clean(["migrate", url])).toBe("nothing to do\n");
    expect(await clean(["status", url])).toBe("applied 0001-tasks\n");
    expect(JSON.parse(await clean(["status", url, "--json"]))).toEqual([
      { name: "0001-tasks", applied: true },
    ]);
    const store = await postgresStore({ url });
    expect(await store.commit([birth("a")])).toEqual(["ok"]);
    expect((await store.read(alice, "a"))?.revision).toBe(1);
    await store.close?.();
    expect(await clean(["rollback", url])).toBe("took back 0001-tasks\n");
    expect(await shape(url)).toEqual([]);
    expect(await clean(["rollback", url])).toBe("nothing to do\n");
  });

  it("--sql prints what leads to the same tables, and what takes them back", async () => {
    const up = await clean(["migrate", other, "--sql"]);
    expect(await shape(other)).toEqual([]);
    const client = new pg.Client(other);
    await client.connect();
    await client.query(up);
    expect(await clean(["status", other])).toBe("applied 0001-tasks\n");
    expect(await clean(["migrate", other])).toBe("nothing to do\n");
    await clean(["migrate", url]);
    const made = await shape(other);
    expect(made.length).toBeGreaterThan(50);
    expect(made).toEqual(await shape(url));
    await client.query(await clean(["rollback", other, "--sql"]));
    await client.end();
    expect(await shape(other)).toEqual([]);
    expect(await clean(["status", other])).toBe("pending 0001-tasks\n");
  });

  it("refuses a database of a newer version, and tells no password", async () => {
    await clean(["migrate", other]);
    await ask(other, "public", "insert into kysely_migration values ('9999-future', '')");
    for (const command of ["migrate", "rollback", "status"]) {
      const { code, out, err } = await run(["store", command, other]);
      expect([code, err]).toEqual([1, expect.stringMatching(/CONFIG: .*9999-future.*update a2a-typed/)]);
      expect(out + err).not.toContain("hunter2");
    }
    for (const wrong of ["postgres://user:hunter2@host:99999/x", "postgresql:hunter2"]) {
      const { code, out, err } = await run(["store", "status", wrong]);
      expect(code).not.toBe(0);
      expect(out + err).not.toContain("hunter2");
    }
  });
});
