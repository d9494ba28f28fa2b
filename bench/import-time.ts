/**
 * Time of a first import in a fresh process, against that of an empty module: `npm run import-time`.
 * Samples of all subjects are taken in turn; the median of 15 counts. `--check` exits with 1 above a limit.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryBundle } from "../scripts/temporary-bundle.js";

const samples = 15;
const check = process.argv.includes("--check");

interface Subject {
  readonly name: string;
  readonly source: string;
  /** At most this many times an empty module. */
  readonly limit?: number;
}

const subjects: readonly Subject[] = [
  { name: "empty module", source: "" },
  { name: ". + ./v1", source: `import "./index.js"; import "./v1/index.js";`, limit: 2.5 },
  { name: "./server", source: `import "./server.js";`, limit: 4 },
  { name: "./client", source: `import "./client.js";` },
  { name: "./node", source: `import "./node.js";` },
  { name: "official SDK, client", source: `import "@a2a-js/sdk/client";` },
  { name: "official SDK, server", source: `import "@a2a-js/sdk/server";` },
];

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

function sample(file: string): number {
  const script = `const t = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)}); process.stdout.write(String(performance.now() - t));`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`import of ${file} failed: ${run.stderr}`);
  return Number(run.stdout);
}

/** Median milliseconds per subject. */
function measure(folder: string): number[] {
  const files = subjects.map(({ source }, index) => {
    const file = join(folder, `import-${index}.mjs`);
    writeFileSync(file, source);
    return file;
  });
  const times = subjects.map((): number[] => []);
  for (let round = 0; round < samples; round += 1) {
    files.forEach((file, index) => times[index]?.push(sample(file)));
  }
  return times.map(median);
}

/** Prints the table; true where every limit holds. */
function report(medians: readonly number[]): boolean {
  const empty = medians[0] ?? Number.NaN;
  let good = true;
  for (const [index, { name, limit }] of subjects.entries()) {
    const ratio = (medians[index] ?? Number.NaN) / empty;
    const within = limit === undefined || ratio <= limit;
    good &&= within;
    const verdict = limit === undefined ? "" : `  ${within ? "≤" : "ABOVE"} ${limit}`;
    console.log(
      `${name.padEnd(22)} ${(medians[index] ?? Number.NaN).toFixed(2).padStart(7)} ms  ${ratio.toFixed(2).padStart(6)} ×${verdict}`,
    );
  }
  return good;
}

using built = await temporaryBundle();
// A busy machine can spoil one measurement, not two.
const good = report(measure(built.folder)) || (check && report(measure(built.folder)));
if (check && !good) process.exitCode = 1;
