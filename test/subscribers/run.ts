/**
 * `npm run test:subscribers -- --scale 1`: what idle subscribers of one task cost, beside event streams of bare
 * `node:http` in the same run. Scale 1 is 10,000. Servers and subscribers are processes of their own.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { createClient, jsonRpc } from "a2a-typed";
import { A2A, userMessage } from "a2a-typed/v1";
import { buildPrograms } from "./build-programs.js";
import { startWorker, type Worker } from "./worker.js";

const most = 1.3;
const waitMs = 60_000;
const MiB = 1024 * 1024;

const { values } = parseArgs({ options: { scale: { type: "string", default: "1" } } });
const wanted = Math.round(10_000 * Number(values.scale));
const files = execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim();
const possible = files === "unlimited" ? Infinity : Number(files) - 100;
const count = Math.min(wanted, possible);
if (count < wanted) console.log(`ulimit -n is ${files}: ${count} subscribers instead of ${wanted}`);

using programs = await buildPrograms(["server-raw", "server-ours", "subscribers"]);
const start = (name: string): Worker => startWorker(programs.file(name));

/** Says what does not hold; the rest is measured all the same. */
function check(holds: boolean, problem: string): void {
  if (holds) return;
  console.error(`FAILED: ${problem}`);
  process.exitCode = 1;
}

/** Asks again until the answer is right. */
async function until(question: () => Promise<number>, right: number): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const value = await question();
    if (value === right) return;
    if (Date.now() > deadline) throw new Error(`${value} instead of ${right} after ${waitMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Creates a task of this name and returns its path. */
async function taskOf(server: Worker, name: string): Promise<string> {
  await using client = createClient(A2A, jsonRpc({ url: `http://127.0.0.1:${await server.ask("port")}` }));
  const { task } = await client.sendMessage({
    message: userMessage(name),
    configuration: { returnImmediately: true },
  });
  return `/tasks/${task?.id ?? ""}:subscribe`;
}

/** Bytes that each subscriber costs while it is open. */
async function costOf(title: string, server: Worker, path: string): Promise<number> {
  await using subscribers = start("subscribers");
  const port = await server.ask("port");
  const gone = (): Promise<void> => until(() => server.ask("connections"), 0);
  // Code, pools and tables of a first crowd are no cost of the second.
  await subscribers.ask("open", { port, path, count: Math.min(count, 500) });
  await server.ask("event");
  await subscribers.ask("close");
  await gone();
  const before = await server.ask("heap");
  assert.equal(await subscribers.ask("open", { port, path, count }), count);
  const during = await server.ask("heap");
  await server.ask("event");
  await until(() => subscribers.ask("told"), count);
  await subscribers.ask("close");
  await gone();
  const after = await server.ask("heap");
  const each = (during - before) / count;
  console.log(
    `${title}: ${Math.round(each)} bytes for each of ${count}; one event reached all; ` +
      `${Math.round(((after - before) / (during - before)) * 100)} % left after closing`,
  );
  check(after - before < (during - before) * 0.1, `${title}: the heap does not come back`);
  return each;
}

await using raw = start("server-raw");
const least = await costOf("node:http", raw, "/");
await using ours = start("server-ours");
const each = await costOf("a2a-typed", ours, await taskOf(ours, "idle"));
console.log(`ratio ${(each / least).toFixed(2)}, at most ${most}`);
check(each <= least * most, `a subscriber costs ${(each / least).toFixed(2)} times that of node:http`);

/** Heap that a task leaves behind which streams a lot. */
async function growth(name: string, prepare: (path: string) => Promise<unknown>): Promise<number> {
  const path = await taskOf(ours, name);
  await prepare(path);
  const before = await ours.ask("heap");
  await ours.ask("stream", { task: name, events: 3_000, bytes: 10_000 });
  return (await ours.ask("heap")) - before;
}
await using stalled = start("subscribers");
const alone = await growth("alone", () => Promise.resolve());
const port = await ours.ask("port");
const watched = await growth("watched", async (path) => {
  await stalled.ask("stall", { port, path });
  await until(() => ours.ask("connections"), 1);
});
console.log(
  `a subscriber that never reads: ${((watched - alone) / MiB).toFixed(2)} MiB while 30 MB are streamed`,
);
check(watched - alone <= MiB, "a subscriber that never reads costs more than 1 MiB");
