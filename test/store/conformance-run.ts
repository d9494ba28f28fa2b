import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { storeConformance } from "../../src/testing/store-conformance.js";

/**
 * Runs the conformance suite on SQLite without a test runner, with whatever driver this Node.js has: prints what failed and
 * `N passed, N failed`. Bundled (`esbuild --bundle --platform=node --format=esm --packages=external`) it also runs on
 * versions of Node.js that the test runner is not made for.
 */
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
console.log(
  `Node.js ${process.versions.node}: ${String(cases.length - failed)} passed, ${String(failed)} failed`,
);
process.exitCode = failed === 0 ? 0 : 1;
