import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSqlite } from "../../src/store/sqlite/sqlite-driver.js";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { storeConformance } from "../../src/testing/store-conformance.js";

/**
 * Runs the conformance suite on SQLite without a test runner, with whatever driver this Node.js has: prints what failed and
 * `N passed, N failed`. `--driver node:sqlite` fails where that one is not used. Bundled (`esbuild --bundle
 * --platform=node --format=esm --packages=external`) it also runs on versions of Node.js that the test runner is not made for.
 */
const { values } = parseArgs({ options: { driver: { type: "string" } } });
const db = await openSqlite(":memory:");
const driver = "backup" in db ? "better-sqlite3" : "node:sqlite";
db.close();
const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
const dir = mkdtempSync(join(tmpdir(), "a2a-sqlite-"));
storeConformance(
  "sqlite",
  async (options) => {
    const path = join(mkdtempSync(join(dir, "case-")), "tasks.db");
    const open = () => sqliteStore({ path, ...options });
    return { store: await open(), reopen: open };
  },
  { test: (name, run) => cases.push({ name, run }) },
);

let failed = 0;
for (const { name, run } of cases) {
  try {
    await run();
  } catch (error) {
    failed += 1;
    console.error(`${name}:`, error);
  }
}
rmSync(dir, { recursive: true });
const passed = `${String(cases.length - failed)} passed, ${String(failed)} failed`;
console.log(`Node.js ${process.versions.node}, ${driver}: ${passed}`);
if (values.driver !== undefined && values.driver !== driver) {
  console.error(`the driver should have been ${values.driver}`);
  failed += 1;
}
process.exitCode = failed === 0 && cases.length > 0 ? 0 : 1;
