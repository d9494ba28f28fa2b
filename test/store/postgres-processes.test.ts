import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { postgresStore } from "../../src/postgres.js";
import { birth } from "../../src/testing/conformance/fixtures.js";
import { serviceUrl } from "../services/service-url.js";
import { newSchema } from "./postgres-fixture.js";

const url = serviceUrl("postgres", "two processes on one PostgreSQL") ?? "";
const scope = { tenant: "", owner: "" };
const writer = join(import.meta.dirname, "postgres-writer.ts");
const write = async (schema: string, name: string, count: number): Promise<number> => {
  const args = ["--import", "tsx", writer, url, schema, name, String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
};

test.skipIf(url === "")(
  "two processes append 1,000 events each to one task: all are kept, in the order of each, refusals are conflicts",
  async () => {
    const schema = newSchema();
    const store = await postgresStore({ url, schema });
    expect(await store.commit([birth("a", { scope })])).toEqual(["ok"]);
    await Promise.all([write(schema, "left", 1_000), write(schema, "right", 1_000)]);
    const task = await store.read(scope, "a", { after: 1 });
    expect(task?.revision).toBe(2_001);
    expect(task?.events.map(({ n }) => n)).toEqual(Array.from({ length: 2_000 }, (_, i) => i + 2));
    for (const name of ["left", "right"]) {
      const own = task?.events.filter(({ text }) => text.startsWith(`"${name}`)).map(({ text }) => text);
      expect(own).toEqual(Array.from({ length: 1_000 }, (_, i) => `"${name} ${String(i)}"`));
    }
    await store.close?.();
  },
  240_000,
);
