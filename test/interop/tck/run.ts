import { Command, Option } from "commander";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { expectRelease101 } from "./expectations.js";
import { runs03, runs10 } from "./kit-runs.js";
import { figures, remarks, type RunOutcome } from "./report.js";
import { runKit } from "./run-kit.js";

interface Options {
  readonly kit: string;
  readonly python?: string;
  readonly only?: string;
  readonly expect?: "1.0.1";
  readonly errorTable?: "1.0.0";
  readonly agent: "ours" | "official";
  readonly out: string;
}

const options = new Command("tck")
  .description("Has an official test kit test the agent, and prints a table.")
  .requiredOption("--kit <dir>", "folder of the kit for 1.0 or of the one for 0.3")
  .option("--python <file>", "its interpreter; default .venv/bin/python in its folder")
  .option("--only <names>", "runs, comma-separated")
  .addOption(
    new Option("--expect <release>", "changes a copy of the kit for 1.0 to what it says").choices(["1.0.1"]),
  )
  .addOption(new Option("--error-table <release>", "the agent has its HTTP statuses").choices(["1.0.0"]))
  .addOption(new Option("--agent <whose>").choices(["ours", "official"]).default("ours"))
  .option("--out <dir>", "where JUnit files and logs are put", ".cache/tck")
  .parse()
  .opts<Options>();

const shipped = resolve(options.kit);
const line = existsSync(join(shipped, "tests/compatibility")) ? "1.0" : "0.3";
const python = options.python ?? join(shipped, ".venv/bin/python");
if (!existsSync(join(shipped, "run_tck.py"))) throw new Error(`There is no kit in ${shipped}`);
if (!existsSync(python))
  throw new Error(`There is no interpreter ${python}; docs/conformance.md says how to get it`);

let kit = shipped;
if (options.expect !== undefined) {
  if (line !== "1.0") throw new Error("--expect is for the kit of 1.0");
  kit = mkdtempSync(join(tmpdir(), "tck-"));
  process.on("exit", () => rmSync(kit, { recursive: true, force: true }));
  const left = [".venv", ".git", "reports"];
  cpSync(shipped, kit, { recursive: true, filter: (path) => !left.includes(basename(path)) });
  expectRelease101(kit);
}

const out = resolve(options.out);
mkdirSync(out, { recursive: true });
const names = options.only?.split(",");
const chosen = (line === "1.0" ? runs10 : runs03).filter(({ name }) => names?.includes(name) ?? true);
const agent = options.agent === "ours" ? "../tck-agent.ts" : "./official-agent.ts";
const outcomes: RunOutcome[] = [];
for (const run of chosen) {
  console.error(`${run.name}: ${run.about} …`);
  const tests = await runKit(run, {
    kit,
    python,
    line,
    agent: new URL(agent, import.meta.url).pathname,
    agentArgs: options.errorTable === undefined ? [] : ["--error-table", options.errorTable],
    out,
  });
  outcomes.push([run, tests]);
}
console.log(`${remarks(outcomes)}\n\n${figures(outcomes)}`);
process.exitCode = outcomes.some(([, tests]) => tests.some(({ outcome }) => outcome === "failed")) ? 1 : 0;
