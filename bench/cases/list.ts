import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchCase } from "../harness/bench-case.js";
import { fillMemory, fillOfficial, fillSqlite, scope } from "../harness/fill-tasks.js";
import { perRound } from "../harness/per-round.js";
import { quantile } from "../harness/statistics.js";
import { sqliteStore } from "../../src/sqlite.js";

type Subject = `${"memory" | "SQLite" | "official"}, ${"1,000" | "100,000"}`;
/** A page of 50 tasks, the newest; returns how many there are. */
type Page = () => Promise<number>;
const PAGES = 20;

const pageOf = perRound(async (subject: Subject, round): Promise<Page> => {
  const [store = "", few = ""] = subject.split(", ");
  const size = few === "1,000" ? 1_000 : round.effort.quick ? 20_000 : 100_000;
  if (store === "official") return fillOfficial(size);
  if (store === "memory") {
    const filled = await fillMemory(size);
    return async () => (await filled.list(scope, { pageSize: 50 })).tasks.length;
  }
  const folder = mkdtempSync(join(tmpdir(), "a2a-list-"));
  const path = join(folder, "tasks.db");
  await (await sqliteStore({ path })).close?.();
  await fillSqlite(path, size);
  const filled = await sqliteStore({ path });
  round.atEnd(async () => {
    await filled.close?.();
    rmSync(folder, { recursive: true, force: true });
  });
  return async () => (await filled.list(scope, { pageSize: 50 })).tasks.length;
});

/** The newest 50 tasks of many against those of few. */
export const list: BenchCase<Subject> = {
  name: "List 50 among 100,000 tasks",
  unit: "µs per page",
  subjects: [
    ...(["memory, 1,000", "memory, 100,000", "SQLite, 1,000", "SQLite, 100,000"] as const),
    ...(["official, 1,000", "official, 100,000"] as const),
  ],
  scarce: ["official, 100,000"],
  rounds: 1,
  alone: true,
  async measure(subject, round) {
    const page = await pageOf(subject, round);
    const times: number[] = [];
    for (let n = 0; n < (subject.startsWith("official") ? 3 : PAGES); n++) {
      const start = performance.now();
      if ((await page()) !== 50) throw new Error(`${subject}: not 50 tasks on a page`);
      times.push((performance.now() - start) * 1000);
    }
    return { cost: quantile(times, 0.25) };
  },
  targets: [
    { kind: "ratio", of: "memory, 1,000", to: "memory, 100,000", atLeast: 1 / 3 },
    { kind: "ratio", of: "SQLite, 1,000", to: "SQLite, 100,000", atLeast: 1 / 3 },
  ],
};
