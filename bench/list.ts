/**
 * Time of a page of 50 tasks among 1,000,000 against one among 1,000: `npm run bench:list [-- --quick --only NAME --check]`; with
 * PostgreSQL beside SQLite: `npm run test:services -- npx tsx bench/list.ts`. With `--check`, exit code 1 where a page takes
 * more than 3 times as long.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { planList } from "../src/store/sql/list-pages.js";
import type { ListQuery, TaskStore } from "../src/store/types.js";
import { postgresStore } from "../src/postgres.js";
import { sqliteStore } from "../src/sqlite.js";
import { contextId, fillPostgres, fillSqlite, placeOf, scope, states } from "./harness/fill-tasks.js";
import { quantile } from "./harness/statistics.js";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    check: { type: "boolean", default: false },
  },
});
const LIMIT = 3;
const SIZES = [1_000, options.quick ? 20_000 : 1_000_000] as const;
const TURNS = options.quick ? 20 : 200;
/** What else runs on a shared machine only ever adds to a figure, so the lower ones are those of the store. */
const QUANTILE = 0.25;
/** Pages that are read before any is measured. */
const WARM = 20;

/** Pages to be read, of a store that holds `size` tasks. */
const cases: readonly { readonly name: string; query(size: number): ListQuery }[] = [
  { name: "first page", query: () => ({ pageSize: 50 }) },
  { name: "page in the middle", query: (size) => middle(size, { pageSize: 50 }) },
  { name: "of a context", query: () => ({ pageSize: 50, contextId }) },
  { name: "of a state", query: () => ({ pageSize: 50, state: states.live }) },
  {
    name: "of a state, in the middle",
    query: (size) => middle(size, { pageSize: 50, state: states.ended }),
  },
  { name: "of a context and a state", query: () => ({ pageSize: 50, contextId, state: states.ended }) },
];

/** A query that goes on where half of the tasks have been listed. */
function middle(size: number, query: ListQuery): ListQuery {
  const { ts, id } = placeOf(size / 2);
  return { ...query, pageToken: planList(scope, query).token(ts, id) };
}

const folder = mkdtempSync(join(tmpdir(), "a2a-list-"));
try {
  await compare("SQLite", async (size) => {
    const path = join(folder, `${String(size)}.db`);
    await (await sqliteStore({ path })).close?.();
    await fillSqlite(path, size);
    return sqliteStore({ path });
  });
  const url = process.env["A2A_TEST_POSTGRES"] ?? "";
  if (url === "") {
    console.log("PostgreSQL: not measured; run: npm run test:services -- npx tsx bench/list.ts");
  } else {
    await compare("PostgreSQL", async (size) => {
      const store = await postgresStore({ url, schema: `list_${String(size)}` });
      await fillPostgres(url, `list_${String(size)}`, size);
      return store;
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compare(name: string, open: (size: number) => Promise<TaskStore>): Promise<void> {
  const [few, many] = [await open(SIZES[0]), await open(SIZES[1])];
  for (const measured of cases) {
    if (!`${name} ${measured.name}`.toLowerCase().includes(options.only.toLowerCase())) continue;
    const sides = [few, many].map((store, at) => ({
      store,
      query: measured.query(SIZES[at] ?? 0),
      times: [] as number[],
    }));
    for (let turn = -WARM; turn < TURNS; turn++) {
      for (const { store, query, times } of sides) {
        const start = performance.now();
        const page = await store.list(scope, query);
        const took = performance.now() - start;
        if (page.tasks.length !== 50)
          throw new Error(`${name}: ${String(page.tasks.length)} tasks on a page`);
        if (turn >= 0) times.push(took);
      }
    }
    const [a = 0, b = 0] = sides.map(({ times }) => quantile(times, QUANTILE));
    const verdict = b / a <= LIMIT ? "ok" : "MISS";
    console.log(
      `${verdict.padEnd(4)} ${name.padEnd(10)} ${measured.name.padEnd(26)} ${a.toFixed(2)} ms → ${b.toFixed(2)} ms  ${(b / a).toFixed(2)} ×`,
    );
    if (options.check && !(b / a <= LIMIT)) process.exitCode = 1;
  }
  await few.close?.();
  await many.close?.();
}
