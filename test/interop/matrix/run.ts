import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { runAll } from "./run-all.js";
import { nameOf, peers, rows, rowsAgainst } from "./peers.js";
import { jsonLines, remarks, tally } from "./report.js";
import { table } from "./table.js";
import { writeDocs } from "./write-docs.js";

const usage = `npm run test:interop -- [options]
  --list         the rows of the table, without running them
  --only WORDS   rows whose name has one of these words (comma-separated), e.g. js-1.3.0
  --against PEER every peer as client of that peer's server instead: shows who is right
  --json FILE    one line of JSON per step
  --docs         write the table to docs/interop.md
  --strict       a peer that cannot be had is a failure, too
  --verbose      what every step saw`;

const { values } = parseArgs({
  options: {
    list: { type: "boolean", default: false },
    only: { type: "string" },
    against: { type: "string" },
    json: { type: "string" },
    docs: { type: "boolean", default: false },
    strict: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const words = values.only?.split(",") ?? [];
const against = peers.find(({ id }) => id === values.against);
if (values.against !== undefined && !against)
  throw new Error(`No peer "${values.against}": one of ${peers.map(({ id }) => id).join(", ")}`);
const chosen = (against ? rowsAgainst(against) : rows).filter(
  (row) => words.length === 0 || words.some((word) => nameOf(row).includes(word)),
);

if (values.help) console.log(usage);
else if (values.list) for (const row of chosen) console.log(nameOf(row));
else if (chosen.length === 0) {
  console.error(`No row has "${values.only}" in its name; --list shows them.`);
  process.exitCode = 1;
} else {
  const reports = await runAll(chosen, (line) => console.log(line));
  if (values.verbose) console.log(`\n${jsonLines(reports)}`);
  if (values.json !== undefined) writeFileSync(values.json, jsonLines(reports));
  if (values.docs) writeDocs(reports);
  const { ok, absent, known, failed, unavailable } = tally(reports);
  console.log(`\n${table(reports)}\n\n${remarks(reports)}\n`);
  console.log(
    `interop: ${ok} ok, ${failed} failed, ${known} known, ${absent} not offered, ${unavailable} rows unavailable`,
  );
  process.exitCode = failed > 0 || (values.strict && unavailable > 0) ? 1 : 0;
}
