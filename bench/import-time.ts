/**
 * Time of a first import in a fresh process, against that of an empty module: `npm run import-time`.
 * Samples of all subjects are taken in turn; the median of 15 counts. `--check` exits with 1 above a limit.
 */
import { temporaryBundle } from "../scripts/temporary-bundle.js";
import { importSubjects as subjects, importTime, writeImport } from "./harness/import-time.js";
import { median } from "./harness/statistics.js";

const samples = 15;
const check = process.argv.includes("--check");

/** Median milliseconds per subject. */
function measure(folder: string): number[] {
  const files = subjects.map((subject) => writeImport(subject, folder));
  const times = subjects.map((): number[] => []);
  for (let round = 0; round < samples; round += 1) {
    files.forEach((file, index) => times[index]?.push(importTime(file)));
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
