/**
 * Events per second of our client and of the official SDK's, which read the same recorded streams, and the CPU of each:
 * `npm run bench:client [-- --check --quick --only NAME --rounds N]`. With `--check`, exit code 1 where `createClient` does
 * not read twice as many tokens; the rest is for information: `agent.start` keeps the task as well, which the SDK does not.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleOf, buildServers } from "./harness/build-servers.js";
import { startServer } from "./harness/server-process.js";
import { quantile } from "./harness/statistics.js";
import type { ReadSample } from "./servers/reader.js";

const { values: options } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    rounds: { type: "string" },
  },
});
const ROUNDS = Number(options.rounds ?? (options.quick ? 3 : 12));
/** Streams that a new process reads before it is measured. */
const WARM = 3;
/** What else runs on a shared machine only ever adds to a figure, so the lower ones are those of the client. */
const QUANTILE = 0.25;

const names = ["bare", "client", "agent", "official"] as const;
type ReaderName = (typeof names)[number];
const titles: Readonly<Record<ReaderName, string>> = {
  bare: "fetch and JSON.parse",
  client: "createClient",
  agent: "agent.start",
  official: "official SDK",
};

interface Recording {
  readonly name: string;
  readonly chunks: number;
  /** Characters of each chunk; default: a token of about 18. */
  readonly size?: number;
  /** Events per second of `createClient` ÷ the official SDK's, at least. */
  readonly limit?: number;
}
const recordings: readonly Recording[] = [
  { name: "tokens", chunks: options.quick ? 20_000 : 100_000, limit: 2 },
  { name: "large", chunks: 200, size: 100_000 },
].filter(({ name }) => name.includes(options.only));

await buildServers(["ours", "recorded", "reader"]);
for (const recording of recordings) await measure(recording);

async function measure(recording: Recording): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "a2a-client-"));
  const file = join(folder, "stream");
  writeFileSync(file, await record(recording));
  const server = await startServer("recorded", { env: { RECORDED: file } });
  const readers = new Map<ReaderName, ChildProcess>();
  try {
    const url = `http://127.0.0.1:${String(server.port)}/`;
    for (const name of names) readers.set(name, await startReader(name, url));
    const samples = new Map<ReaderName, ReadSample[]>(names.map((name) => [name, []]));
    for (let round = -WARM; round < ROUNDS; round++) {
      // Each is first in its turn.
      for (const [index] of names.entries()) {
        const name = names[(round + WARM + index) % names.length] ?? "bare";
        const sample = await read(readers.get(name));
        if (round >= 0) samples.get(name)?.push(sample);
      }
    }
    report(recording, samples);
  } finally {
    for (const child of readers.values()) child.disconnect();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** What our server answers to a message that asks for so many chunks. */
async function record({ chunks, size }: Recording): Promise<string> {
  const ours = await startServer("ours");
  const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: `stream:${String(chunks)}` }] };
  const response = await fetch(`http://127.0.0.1:${String(ours.port)}${ours.rpcPath}`, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: "recorded",
      method: "SendStreamingMessage",
      params: { message },
    }),
  });
  const text = await response.text();
  await ours.stop();
  return size === undefined
    ? text
    : text.replaceAll(/(?<=")token number \d+(?=")/g, (token) => token.padEnd(size, "x"));
}

async function startReader(name: ReaderName, url: string): Promise<ChildProcess> {
  const child = fork(bundleOf("reader"), {
    env: { ...process.env, READER: name, RECORDED_AT: url, NODE_ENV: "production" },
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.once("exit", (code) => {
    if (code !== 0 && code !== null) throw new Error(`reader ${name} ended with code ${String(code)}`);
  });
  await once(child, "message");
  return child;
}

async function read(child: ChildProcess | undefined): Promise<ReadSample> {
  if (child === undefined) throw new Error("the reader does not run");
  const answer = once(child, "message");
  child.send("read");
  return ((await answer) as [ReadSample])[0];
}

function report(
  { name: title, limit }: Recording,
  samples: ReadonlyMap<ReaderName, readonly ReadSample[]>,
): void {
  const of = (name: ReaderName): readonly ReadSample[] => samples.get(name) ?? [];
  const expected = JSON.stringify(shown(of("bare")[0]));
  for (const name of names) {
    const other = of(name).find((sample) => JSON.stringify(shown(sample)) !== expected);
    if (other) throw new Error(`${titles[name]} read ${JSON.stringify(shown(other))}, not ${expected}`);
  }
  console.log(`${title}: ${expected}, ${String(ROUNDS)} rounds`);
  const cost = (name: ReaderName): number =>
    quantile(
      of(name).map(({ cpu, events }) => cpu / events),
      QUANTILE,
    );
  const speed = (name: ReaderName): number =>
    1000 /
    quantile(
      of(name).map(({ time, events }) => time / events),
      QUANTILE,
    );
  for (const name of names) {
    const ratio = speed(name) / speed("official");
    const bound = name === "client" && limit !== undefined;
    const held = !bound || ratio >= limit;
    if (options.check && !held) process.exitCode = 1;
    console.log(
      `${bound ? (held ? "ok  " : "MISS") : "    "} ${titles[name].padEnd(22)} ` +
        `${Math.round(speed(name)).toLocaleString("en").padStart(9)} events/s, of the official SDK's ${ratio.toFixed(2)}   ` +
        `${cost(name).toFixed(2).padStart(7)} µs of CPU per event, official ÷ this ${(cost("official") / cost(name)).toFixed(2)}`,
    );
  }
}

function shown(sample: ReadSample | undefined): unknown {
  return sample && { events: sample.events, characters: sample.characters };
}
