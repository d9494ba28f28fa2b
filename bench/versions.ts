/**
 * Server CPU of a SendMessage of 0.3 and of 0.2 against one of 1.0, at one server: `npx tsx bench/versions.ts`. With
 * `--check`, exit code 1 where one of 0.3 costs more than 1.25 times one of 1.0.
 */
import { buildServers } from "./harness/build-servers.js";
import { repeat } from "./harness/load.js";
import { legacySendRequest, sendRequest, type BenchRequest } from "./harness/requests.js";
import { startServer, type ServerProcess } from "./harness/server-process.js";
import { quantile } from "./harness/statistics.js";
import { taskOf } from "./harness/task-of.js";
import { warmUp } from "./harness/warm-up.js";

const LIMIT = 1.25;
/** Short loads by turns, so that whatever else the machine does meets all of them alike. */
const TURNS = 40;
const REQUESTS = 500;
/**
 * Which of the figures of a version is taken. What else runs on a shared machine only ever adds to a figure, and by up
 * to three times, so the lower ones are those of the server.
 */
const QUANTILE = 0.25;
const CONNECTIONS = 32;

await buildServers(["ours"]);
const server = await startServer("ours");
await warmUp(server, 5000, "1.0");
const requests = new Map<string, BenchRequest>([
  ["1.0", sendRequest(server, "JSON-RPC")],
  ["0.3", legacySendRequest(server, "0.3")],
  ["0.2", legacySendRequest(server, "0.2")],
]);
for (const sent of requests.values()) {
  // An error of JSON-RPC would count as an answer.
  await taskOf(server, sent);
  await repeat(server, sent, { connections: CONNECTIONS, amount: 5000 });
}

const versions = [...requests.keys()];
const figures = new Map<string, number[]>(versions.map((version) => [version, []]));
for (let turn = 0; turn < TURNS; turn++) {
  // Each is first in its turn.
  const order = versions.map((_, index) => versions[(turn + index) % versions.length] ?? "");
  for (const version of order) {
    const sent = requests.get(version);
    if (sent !== undefined) figures.get(version)?.push(await cpuOf(server, sent));
  }
}
await server.stop();

const newest = quantile(figures.get("1.0") ?? [], QUANTILE);
for (const [version, all] of figures) {
  const cpu = quantile(all, QUANTILE);
  const ratio = cpu / newest;
  console.log(`SendMessage ${version}  ${cpu.toFixed(0).padStart(4)} µs  ${ratio.toFixed(2)} × 1.0`);
  if (version === "0.3" && process.argv.includes("--check") && !(ratio <= LIMIT)) process.exitCode = 1;
}

/** Server CPU of one request, in µs. */
async function cpuOf({ usage }: ServerProcess, sent: BenchRequest): Promise<number> {
  const before = await usage();
  const { requests: done } = await repeat(server, sent, { connections: CONNECTIONS, amount: REQUESTS });
  const after = await usage();
  return (after.cpu - before.cpu) / done.total;
}
