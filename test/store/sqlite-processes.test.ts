import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { birth } from "../../src/testing/conformance/fixtures.js";

const dir = mkdtempSync(join(tmpdir(), "a2a-sqlite-"));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

const scope = { tenant: "", owner: "" };
const writer = join(import.meta.dirname, "sqlite-writer.ts");
const write = async (path: string, name: string, count: number): Promise<number> => {
  const args = ["--import", "tsx", writer, path, name, String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
};

it("two processes append 1,000 events each to one task: all are kept, in the order of each", async () => {
  const path = join(dir, "two.db");
  const store = await sqliteStore({ path });
  expect(await store.commit([birth("a", { scope })])).toEqual(["ok"]);
  await Promise.all([write(path, "left", 1_000), write(path, "right", 1_000)]);
  const task = await store.read(scope, "a", { after: 1 });
  expect(task?.revision).toBe(2_001);
  expect(task?.events.map(({ n }) => n)).toEqual(Array.from({ length: 2_000 }, (_, i) => i + 2));
  for (const name of ["left", "right"]) {
    const own = task?.events.filter(({ text }) => text.startsWith(`"${name}`)).map(({ text }) => text);
    expect(own).toEqual(Array.from({ length: 1_000 }, (_, i) => `"${name} ${String(i)}"`));
  }
  await store.close?.();
}, 120_000);

it("processes that open a new file at once all find its tables", async () => {
  const path = join(dir, "new.db");
  expect(await Promise.all([1, 2, 3].map((i) => write(path, String(i), 0)))).toEqual([0, 0, 0]);
}, 60_000);
