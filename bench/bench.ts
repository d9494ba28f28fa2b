/**
 * `npm run bench [-- --quick --only NAME --rounds N --servers raw,ours --json FILE --check]`: what the same work costs this
 * library, a server of bare `node:http` and the official SDK. `--save FOLDER` keeps what was built, and `--before FOLDER` measures
 * it beside the code of now. `--soak` puts mixed load on our server for ten minutes besides; a quick run does so for ten seconds.
 * Exit code 1 with `--check` where a figure is far from its target, or memory grows.
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { allCases } from "./cases/all-cases.js";
import { buildServers, loadBefore, saveServers } from "./harness/build-servers.js";
import { chooseCases } from "./harness/choose-cases.js";
import { effortOf } from "./harness/effort.js";
import { print, shown, soakLine } from "./harness/print.js";
import type { BenchResults } from "./harness/results.js";
import { runCases } from "./harness/run-cases.js";
import { soak } from "./harness/soak.js";
import { verdictsOf } from "./harness/verdicts.js";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
    rounds: { type: "string" },
    servers: { type: "string" },
    save: { type: "string" },
    before: { type: "string" },
    soak: { type: "boolean", default: false },
  },
});
const effort = effortOf(options.quick, options.rounds === undefined ? undefined : Number(options.rounds));

const cases = chooseCases(allCases, {
  only: options.only,
  servers: options.servers?.split(","),
  quick: options.quick,
  before: options.before !== undefined,
});
if (cases.length === 0) throw new Error(`no case is named like ${options.only.join(" or ")}`);

await buildServers(["raw", "ours", "official", "crowd", "recorded", "reader"]);
if (options.save !== undefined) saveServers(options.save);
if (options.before !== undefined) loadBefore(options.before);

const load = (): number => Number((loadavg()[0] ?? 0).toFixed(1));
const start = load();
const told = (text: string): void => console.error(text);
const results: BenchResults = {
  node: process.version,
  cpus: `${String(cpus().length)} × ${cpus()[0]?.model ?? "unknown"}`,
  quick: options.quick,
  rounds: effort.rounds,
  cases: await runCases(cases, effort, told),
  ...((options.soak || (options.quick && options.only.length === 0)) && {
    soak: await soak(options.soak ? 600 : 10),
  }),
  load: [start, load()],
};

console.log(
  `Node ${results.node}, ${results.cpus}, ${String(results.rounds)} rounds, load ${results.load.join(" → ")}\n`,
);
for (const result of results.cases) console.log(`${print(result)}\n`);
if (results.soak) console.log(soakLine(results.soak));
if (options.check) {
  const far = results.cases.flatMap(verdictsOf).filter((verdict) => verdict.far);
  for (const { claim, limit, figure } of far)
    console.error(`FAR from its target: ${claim} ${shown(limit)}: ${shown(figure)}`);
  const grown = results.soak !== undefined && !(results.soak.growth <= results.soak.limit);
  if (far.length > 0 || grown) process.exitCode = 1;
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`);
