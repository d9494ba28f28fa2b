/**
 * Server CPU of stores against that of the memory store in the same run, and what an event of a stream of 10,000 chunks costs
 * against one of 1,000: `npm run bench:stores [-- --quick --only NAME --check --turns N --profile FOLDER]`. With `--check`,
 * exit code 1 where SQLite falls below a limit, or an event of the long stream costs a store more than twice as much.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildServers } from "./harness/build-servers.js";
import { measureLoad, repeat } from "./harness/load.js";
import { sendRequest } from "./harness/requests.js";
import { startServer, type ServerProcess } from "./harness/server-process.js";
import { quantile } from "./harness/statistics.js";
import { measureStream } from "./harness/stream.js";
import { taskOf } from "./harness/task-of.js";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    check: { type: "boolean", default: false },
    turns: { type: "string" },
    profile: { type: "string" },
  },
});
const CONNECTIONS = 32;
const TURNS = Number(options.turns ?? (options.quick ? 3 : 12));
/** What else runs on a shared machine only ever adds to a figure, so the lower ones are those of the server. */
const QUANTILE = 0.25;
/** Requests and streams that a new process gets before it is measured. */
const WARM = options.quick ? { requests: 1_000, streams: 2 } : { requests: 10_000, streams: 10 };

interface StoreCase {
  readonly name: string;
  /** The least that memory's CPU ÷ SQLite's may be, with NORMAL. */
  readonly limit: number;
  /** Server CPU of one request or event, in µs. */
  cpu(server: ServerProcess): Promise<number>;
}

const stream = (chunks: number, times: number, limit: number): StoreCase => ({
  name: `Stream of ${String(chunks)}`,
  limit,
  cpu: async (server) => (await measureStream(server, { chunks, times })).cost,
});

const cases: readonly StoreCase[] = [
  { name: `SendMessage, ${String(CONNECTIONS)} connections`, limit: 0.6, cpu: cpuOfSend },
  stream(1_000, 10, 0.45),
  stream(20_000, 1, 0.35),
].filter(({ name }) => name.toLowerCase().includes(options.only.toLowerCase()));
const LINEAR = "linear in the length of a stream";
const linear = LINEAR.includes(options.only.toLowerCase());
/** Ten times as long, and ten times as much where each event costs what came before it. */
const LINEAR_LIMIT = 2;
if (cases.length === 0 && !linear) throw new Error(`no case is named like ${options.only}`);

const folder = mkdtempSync(join(tmpdir(), "a2a-stores-"));
const postgres = process.env["A2A_TEST_POSTGRES"];
const stores: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  memory: {},
  "SQLite NORMAL": { BENCH_STORE: `sqlite:${join(folder, "normal.db")}` },
  "SQLite FULL": { BENCH_STORE: `sqlite:${join(folder, "full.db")}`, BENCH_SYNCHRONOUS: "FULL" },
  files: { BENCH_STORE: `files:${join(folder, "files")}` },
  ...(postgres !== undefined && postgres !== "" && { PostgreSQL: { BENCH_STORE: postgres } }),
};

const servers = new Map<string, ServerProcess>();
try {
  await buildServers(["ours"]);
  for (const [name, env] of Object.entries(stores)) {
    const profile = options.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profile}`];
    const server = await startServer("ours", { flags: profile, env });
    servers.set(name, server);
    await taskOf(server, sendRequest(server, "JSON-RPC"));
    await repeat(server, sendRequest(server, "JSON-RPC"), {
      connections: CONNECTIONS,
      amount: WARM.requests,
    });
    await measureStream(server, { chunks: 1_000, times: WARM.streams });
  }
  console.log(`Node ${process.version}; server CPU in µs, memory's CPU ÷ the store's`);
  for (const measured of cases) report(measured, await measure(measured));
  if (linear) await reportLinear();
} finally {
  for (const server of servers.values()) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure({ cpu }: StoreCase): Promise<Map<string, number[]>> {
  const names = [...servers.keys()];
  const figures = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let turn = 0; turn < TURNS; turn++) {
    // Each is first in its turn.
    for (const index of names.keys()) {
      const name = names[(turn + index) % names.length] ?? "";
      const server = servers.get(name);
      if (server !== undefined) figures.get(name)?.push(await cpu(server));
    }
  }
  return figures;
}

function report({ name, limit }: StoreCase, figures: ReadonlyMap<string, readonly number[]>): void {
  const memory = quantile(figures.get("memory") ?? [], QUANTILE);
  for (const [store, all] of figures) {
    const cpu = quantile(all, QUANTILE);
    const ratio = memory / cpu;
    const asserted = store === "SQLite NORMAL";
    const verdict = !asserted
      ? ""
      : ratio >= limit
        ? `ok, at least ${String(limit)}`
        : `MISS, below ${String(limit)}`;
    console.log(
      `${name.padEnd(28)} ${store.padEnd(14)} ${cpu.toFixed(1).padStart(7)}  ${ratio.toFixed(2)}  ${verdict}`.trimEnd(),
    );
    if (asserted && options.check && !(ratio >= limit)) process.exitCode = 1;
  }
}

/** CPU and bytes of each event of long streams against those of short ones; what goes to sockets is taken off. */
async function reportLinear(): Promise<void> {
  const costs = new Map<string, { readonly cpu: number; readonly bytes: number }[]>();
  for (const chunks of [1_000, 10_000]) {
    for (const [name, server] of servers) {
      const turns: { cpu: number; bytes: number }[] = [];
      for (let turn = 0; turn < Math.ceil(TURNS / 2); turn++) {
        const before = await server.usage();
        const { cost: cpu } = await measureStream(server, { chunks, times: 20_000 / chunks });
        turns.push({ cpu, bytes: ((await server.usage()).written - before.written) / 20_000 });
      }
      const low = (pick: (cost: (typeof turns)[number]) => number): number =>
        quantile(turns.map(pick), QUANTILE);
      costs.set(name, [
        ...(costs.get(name) ?? []),
        { cpu: low(({ cpu }) => cpu), bytes: low(({ bytes }) => bytes) },
      ]);
    }
  }
  const [shortSent = 0, longSent = 0] = (costs.get("memory") ?? []).map(({ bytes }) => bytes);
  for (const [name, [short, long]] of costs) {
    if (short === undefined || long === undefined) continue;
    const bytes = [short.bytes - shortSent, long.bytes - longSent] as const;
    // PostgreSQL writes in a process of its own: what is sent to it counts.
    const ratios = [long.cpu / short.cpu, ...(bytes[0] > 0 ? [bytes[1] / bytes[0]] : [])];
    const holds = ratios.every((ratio) => ratio <= LINEAR_LIMIT);
    const written = bytes[0] > 0 ? `, written ${bytes.map((n) => n.toFixed(0)).join(" → ")} bytes` : "";
    console.log(
      `1,000 → 10,000 chunks        ${name.padEnd(14)} CPU ${short.cpu.toFixed(1)} → ${long.cpu.toFixed(1)} µs${written} an event  ${holds ? "ok" : "MISS"}, at most × ${String(LINEAR_LIMIT)}`,
    );
    if (options.check && !holds) process.exitCode = 1;
  }
}

async function cpuOfSend(server: ServerProcess): Promise<number> {
  const amount = options.quick ? 500 : 2_000;
  return (await measureLoad(server, sendRequest(server, "JSON-RPC"), CONNECTIONS, amount)).cost;
}
