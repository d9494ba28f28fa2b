/** Whoever lacks a package of a store is told which one, and how to get it. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = join(import.meta.dirname, "lacking-packages.ts");
const opened = async (...args: readonly string[]): Promise<string> => {
  const run = ["--import", "tsx", script, ...args];
  return (await promisify(execFile)(process.execPath, run)).stdout.trim();
};

test("SQLite without either driver, or without what makes tables", async () => {
  expect(await opened(":memory:", "better-sqlite3")).toBe(
    "CONFIG store: SQLite needs Node.js 22.13 or later, or the package better-sqlite3; run: npm install better-sqlite3@12",
  );
  expect(await opened(":memory:", "kysely")).toBe(
    "CONFIG store: a database without its tables needs the package kysely; run: npm install kysely@0.28",
  );
  expect(await opened(":memory:")).toBe("opened");
}, 60_000);

test("PostgreSQL without its driver", async () => {
  expect(await opened("postgres://127.0.0.1:1/none", "pg")).toBe(
    "CONFIG store: PostgreSQL needs the package pg; run: npm install pg@8",
  );
}, 60_000);
