/**
 * `npm run test:runtimes`: the built package on Bun, Deno and workerd, each installed into a cache of the user.
 *   --only NAMES   comma-separated
 *   --json FILE    one line of JSON per step
 *   --strict       a runtime that cannot be had is a failure, too
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { temporaryBundle } from "../../scripts/temporary-bundle.js";
import { CommandFailed } from "../interop/matrix/command.js";
import { startChild, stopChild } from "../interop/matrix/children.js";
import { tailOf } from "../interop/matrix/tail.js";
import { bundleExample } from "./bundle-example.js";
import { steps, type Step } from "./conversation.js";
import { install } from "./install.js";
import { runtimes, type Runtime } from "./runtimes.js";

const stepMs = 20_000;
const startMs = 20_000;

interface Line {
  readonly runtime: string;
  readonly step: string;
  readonly outcome: "ok" | "failed" | "unavailable";
  readonly problem?: string;
}

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    json: { type: "string" },
    strict: { type: "boolean", default: false },
  },
});
const only = values.only?.toLowerCase().split(",");
using built = await temporaryBundle();
const lines: Line[] = [];
for (const runtime of runtimes) {
  if (only && !only.includes(runtime.name.toLowerCase())) continue;
  const said = await report(runtime);
  lines.push(...said);
  for (const { step, outcome, problem } of said)
    console.log(`${runtime.name}: ${step}: ${outcome}${problem === undefined ? "" : `: ${problem}`}`);
}
const count = (outcome: Line["outcome"]): number => lines.filter((line) => line.outcome === outcome).length;
const [ok, failed, lost] = [count("ok"), count("failed"), count("unavailable")];
console.log(`runtimes: ${ok} ok, ${failed} failed, ${lost} runtimes unavailable`);
if (values.json !== undefined)
  writeFileSync(values.json, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
process.exitCode = failed > 0 || ok + lost === 0 || (values.strict && lost > 0) ? 1 : 0;

async function report(runtime: Runtime): Promise<Line[]> {
  const line = (step: string, outcome: Line["outcome"], problem?: string): Line => ({
    runtime: runtime.name,
    step,
    outcome,
    ...(problem !== undefined && { problem }),
  });
  if (!runtime.package) return [line("install", "unavailable", "no package for this machine")];
  let binary: string;
  try {
    binary = await install(runtime.package);
  } catch (error) {
    if (error instanceof CommandFailed) return [line("install", "unavailable", error.message)];
    throw error;
  }
  const folder = join(built.folder, "runtimes", runtime.example);
  mkdirSync(folder, { recursive: true });
  const files = await bundleExample(runtime.example, built.folder, folder);
  const port = await freePort();
  const child = startChild(runtime.command(binary, folder, files, port), {
    env: { ...process.env, PORT: String(port), DENO_DIR: join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" },
  });
  child.stdout?.resume();
  const errors = tailOf(child.stderr);
  const url = `http://127.0.0.1:${port}`;
  const results: Line[] = [];
  try {
    await answering(url, once(child, "close"));
    for (const [name, step] of Object.entries(steps)) {
      const problem = await within(step, url);
      results.push(
        problem === undefined ? line(name, "ok") : line(name, "failed", `${problem}\n${errors()}`.trim()),
      );
    }
  } catch (error) {
    results.push(line("start", "failed", `${(error as Error).message}\n${errors()}`.trim()));
  } finally {
    await stopChild(child);
  }
  return results;
}

/** What is wrong with a step; it may hang. */
async function within(step: Step, url: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${stepMs / 1000} s`)), stepMs);
  });
  try {
    await Promise.race([step(url), late]);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    clearTimeout(timer);
  }
}

/** Asks for the card until it is there. */
async function answering(url: string, ended: Promise<unknown>): Promise<void> {
  const state = { ended: false };
  void ended.then(() => (state.ended = true));
  const deadline = Date.now() + startMs;
  for (;;) {
    const response = await fetch(`${url}/.well-known/agent-card.json`).catch(() => undefined);
    await response?.body?.cancel();
    if (response) return;
    if (state.ended || Date.now() > deadline) throw new Error("it does not answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
