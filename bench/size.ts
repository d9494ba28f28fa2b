/**
 * What a browser bundle of a part of this package weighs: `npm run size` prints the table and writes bench/sizes.md.
 * `--check` exits with 1 where a limit is exceeded or the committed table is out of date by more than 2 %.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/bundle.js";
import { temporaryBundle } from "../scripts/temporary-bundle.js";
import { sizeSubjects as subjects, weigh, type SizeSubject, type Weight } from "./harness/bundle-size.js";

const check = process.argv.includes("--check");
const table = join(root, "bench/sizes.md");

const kB = (bytes: number): string => (bytes / 1000).toFixed(1);

using built = await temporaryBundle();
const rows: (Weight & { subject: SizeSubject })[] = [];
for (const subject of subjects) rows.push({ subject, ...(await weigh(subject, built.folder)) });

const lines = rows.map(
  ({ subject, plain, gzipped, later }) =>
    `| ${subject.name} | ${kB(plain)} | ${kB(gzipped)} | ${subject.limit === undefined ? "" : `≤ ${kB(subject.limit)}`} | ${later > 0 ? `+ ${kB(later)}` : ""} |`,
);
const text = `# Sizes

Bundled, split and minified by esbuild from the built package; kB = 1,000 bytes. Made by \`npm run size\`. The last column
is what the first stream loads besides (the event-stream parser): part of the bundle where code is not split.

| bundle | minified kB | gzipped kB | limit, gzipped kB | later, gzipped kB |
|---|---:|---:|---:|---:|
${lines.join("\n")}
`;
console.log(text);

const over = rows.filter(({ subject, gzipped }) => subject.limit !== undefined && gzipped > subject.limit);
for (const { subject, gzipped } of over) console.error(`${subject.name}: ${gzipped} bytes, above its limit`);
if (!check) writeFileSync(table, text);
else if (over.length > 0 || isStale()) process.exitCode = 1;

/** True where a figure of the committed table is off by more than 2 %. */
function isStale(): boolean {
  const committed = existsSync(table) ? readFileSync(table, "utf8") : "";
  const stale = rows.filter(({ subject, gzipped }) => {
    const line = committed.split("\n").find((one) => one.startsWith(`| ${subject.name} |`));
    const old = Number(line?.split("|")[3]) * 1000;
    return !(Math.abs(old - gzipped) <= Math.max(0.02 * gzipped, 60));
  });
  for (const { subject } of stale)
    console.error(`bench/sizes.md is out of date: ${subject.name}; run npm run size`);
  return stale.length > 0;
}
