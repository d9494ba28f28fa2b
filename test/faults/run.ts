/**
 * Faults against instances on one store: `npm run test:faults -- --scale 1 --seed 1`; `--only NAME` runs those whose names
 * begin so. Scale 1 is the full number of rounds. What must hold after each is in `invariants.ts`. Exit code 1 where it
 * does not. The seed repeats what was chosen by chance, but not the timing.
 */
import { parseArgs } from "node:util";
import { createRandom } from "../hostile/random.js";
import { postgresBin, startPostgres } from "../services/postgres.js";
import { redisBin } from "../services/redis.js";
import { bundleAgent } from "./bundle.js";
import { faults } from "./faults/index.js";
import { canMount } from "./small-disk.js";

const { values } = parseArgs({
  options: { scale: { type: "string", default: "1" }, seed: { type: "string" }, only: { type: "string" } },
});
const scale = Number(values.scale);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
console.log(`faults: scale ${String(scale)}, seed ${String(seed)}`);

const has = {
  postgres: postgresBin() !== undefined || "apt-get install postgresql",
  redis: redisBin() !== undefined || "apt-get install redis-server",
  mount: canMount() || "run as root, on Linux",
};
const chosen = faults.filter(({ name }) => name.startsWith(values.only ?? ""));
const needsServer = chosen.some(({ needs }) => needs?.includes("postgres"));
await using server = needsServer && has.postgres === true ? await startPostgres() : undefined;
const file = await bundleAgent();

let passed = 0;
let failed = 0;
for (const { name, needs = [], run } of chosen) {
  const missing = needs.map((need) => has[need]).filter((found) => found !== true);
  if (missing.length > 0) {
    console.log(`skipped ${name}: needs ${needs.join(" and ")}; ${missing.join(", ")}`);
    continue;
  }
  const start = Date.now();
  try {
    const random = createRandom(seed);
    const { struck, checked } = await run({ scale, random, file, postgres: server?.url ?? "" });
    const { tasks, completed, events, seen, streams, restarts, messages, problems } = checked;
    const isRight = problems.length === 0;
    if (isRight) passed += 1;
    else failed += 1;
    console.log(
      `${isRight ? "ok    " : "FAILED"} ${name}: ${struck}; ${String(tasks)} of ${String(checked.stored)} tasks (${String(completed)} completed, ` +
        `${String(checked.failed)} failed), ${String(events)} events, seen ${String(seen)} times in ` +
        `${String(streams)} streams (${String(restarts)} restarts), ${String(messages)} messages; ` +
        `${((Date.now() - start) / 1_000).toFixed(1)} s`,
    );
    for (const problem of problems.slice(0, 20)) console.log(`  ${problem.slice(0, 600)}`);
    if (problems.length > 20) console.log(`  … ${String(problems.length)} problems`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
  }
}
console.log(`${String(passed)} passed, ${String(failed)} failed`);
if (failed > 0) process.exitCode = 1;
