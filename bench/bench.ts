/** `npm run bench [-- --quick --only NAME --rounds N --servers raw,ours,official --json FILE]`: server CPU and event rates against a raw server and the official SDK. */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { buildServers, type ServerName } from "./harness/build-servers.js";
import { benchCases, type BenchCase, type Effort } from "./harness/cases.js";
import { warmUp } from "./harness/measure.js";
import { table, verdicts, type BenchResult } from "./harness/report.js";
import { startServer, type ServerProcess } from "./harness/server-process.js";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    json: { type: "string" },
    rounds: { type: "string" },
    servers: { type: "string" },
  },
});

const effort: Effort = options.quick
  ? { rounds: Number(options.rounds ?? 1), loadSeconds: 1, warmUpRequests: 500 }
  : { rounds: Number(options.rounds ?? 5), loadSeconds: 3, warmUpRequests: 5000 };

const cases = benchCases.filter(
  ({ name }) => options.only === undefined || name.toLowerCase().includes(options.only.toLowerCase()),
);
if (cases.length === 0) throw new Error(`no case is named like ${options.only ?? ""}`);
const chosen = options.servers?.split(",");
const names = [...new Set(cases.flatMap(({ servers }) => servers))].filter(
  (name) => chosen?.includes(name) ?? true,
);

await buildServers(names);
const result: BenchResult = {
  node: process.version,
  cpus: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
  rounds: effort.rounds,
  cases: Object.fromEntries(cases.map(({ name }) => [name, {}])),
};

for (let round = 0; round < effort.rounds; round++) {
  const servers = await startAll(names, effort);
  for (const benchCase of cases) {
    // The order turns from round to round, so that no server always runs in the wake of the same other one.
    for (const server of turned(servers, round)) await measure(benchCase, server);
  }
  for (const server of servers) await server.stop();
  console.error(`round ${round + 1} of ${effort.rounds} done`);
}

console.log(`Node ${result.node}, ${result.cpus}, median of ${result.rounds} rounds\n`);
console.log(table(cases, result));
console.log();
for (const { claim, figure, holds } of verdicts(result)) {
  console.log(`${holds ? "ok  " : "MISS"} ${claim}: ${figure.toFixed(2)}`);
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(result, null, 1)}\n`);

async function measure(benchCase: BenchCase, server: ServerProcess): Promise<void> {
  if (!benchCase.servers.includes(server.name)) return;
  const sample = await benchCase.run(server, effort);
  const samples = result.cases[benchCase.name];
  if (samples !== undefined) (samples[server.name] ??= []).push(sample);
}

/** New processes for each round: no round inherits what another left in memory. */
async function startAll(wanted: readonly ServerName[], { warmUpRequests }: Effort): Promise<ServerProcess[]> {
  const servers: ServerProcess[] = [];
  for (const name of wanted) {
    const server = await startServer(name);
    servers.push(server);
    await warmUp(server, warmUpRequests);
  }
  return servers;
}

function turned<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
