import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { storeConformance } from "../../src/testing/store-conformance.js";

const dir = mkdtempSync(join(tmpdir(), "a2a-sqlite-"));
afterAll(() => {
  rmSync(dir, { recursive: true });
});
let files = 0;

storeConformance(
  "sqlite",
  async (options) => {
    files += 1;
    const path = join(dir, `${String(files)}.db`);
    const open = () => sqliteStore({ path, ...options });
    return { store: await open(), reopen: open };
  },
  { test },
);
