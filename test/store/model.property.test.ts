/**
 * Stores against a reference that is a list and nothing more: any sequence of calls is answered alike. `A2A_MODEL_RUNS` says
 * how many sequences (`npm run test:model`: 5,000 for each store), `A2A_MODEL_SEED` repeats a run.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, test } from "vitest";
import { fileStore } from "../../src/files.js";
import { postgresStore } from "../../src/postgres.js";
import { memoryStore, type TaskStore } from "../../src/server.js";
import { sqliteStore } from "../../src/sqlite.js";
import { serviceUrl } from "../services/service-url.js";
import { Reference, TTL, WINDOW } from "./model/reference.js";
import { steps, type Real } from "./model/steps.js";
import { emptyTables, newSchema } from "./postgres-fixture.js";

const runs = Number(process.env["A2A_MODEL_RUNS"] ?? 15);
const seed = Number(process.env["A2A_MODEL_SEED"] ?? Date.now() % 1_000_000_007);
const bounds = { ttl: TTL, replayWindow: WINDOW };
const postgres = serviceUrl("postgres", "any sequence of calls to the PostgreSQL store");
const schema = newSchema();

type Opened = Pick<Real, "store" | "reopen" | "forgetsClaims"> & { done?(): unknown };

function inFolder(open: (dir: string) => TaskStore | Promise<TaskStore>): () => Promise<Opened> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), "a2a-model-"));
    const done = (): void => {
      rmSync(dir, { recursive: true });
    };
    return { store: await open(dir), reopen: async () => open(dir), done };
  };
}

const stores: Record<string, () => Opened | Promise<Opened>> = {
  memory: () => ({ store: memoryStore(bounds) }),
  files: async () => ({ ...(await inFolder((dir) => fileStore({ dir, ...bounds }))()), forgetsClaims: true }),
  SQLite: inFolder((dir) => sqliteStore({ path: join(dir, "tasks.db"), ...bounds })),
  ...(postgres !== undefined && {
    async PostgreSQL() {
      const reopen = (): Promise<TaskStore> => postgresStore({ url: postgres, schema, max: 4, ...bounds });
      const store = await reopen();
      await emptyTables(postgres, schema);
      return { store, reopen };
    },
  }),
};

describe("any sequence of calls is answered as by the reference", () => {
  for (const [name, open] of Object.entries(stores)) {
    test(name, { timeout: 60_000 + runs * 2_000 }, async () => {
      const commandLists = fc.commands(steps, { maxCommands: 60, size: "max" });
      const sequence = fc.asyncProperty(commandLists, async (commands) => {
        const { done, ...opened } = await open();
        const real: Real = { ...opened, now: Date.UTC(2030, 0, 1), claimed: [], count: 0 };
        try {
          await fc.asyncModelRun(() => ({ model: new Reference(), real }), commands);
        } finally {
          await real.store.close?.();
          await done?.();
        }
      });
      // What fails is printed with its seed.
      await fc.assert(sequence, { numRuns: runs, seed });
    });
  }
});
