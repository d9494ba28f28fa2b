/**
 * `npm run bench:docs`: writes the tables of `docs/performance.md` and its plots from `bench/results.json`, which
 * `npm run bench -- --json bench/results.json` has written.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fillDocument } from "./harness/fill-document.js";
import { plotsOf } from "./harness/plots.js";
import type { BenchResults } from "./harness/results.js";
import { tablesOf } from "./harness/tables.js";

const DOCUMENT = "docs/performance.md";
const PLOTS = "docs/performance";

const results = JSON.parse(readFileSync("bench/results.json", "utf8")) as BenchResults;
writeFileSync(DOCUMENT, fillDocument(readFileSync(DOCUMENT, "utf8"), tablesOf(results)));
mkdirSync(PLOTS, { recursive: true });
for (const [name, svg] of Object.entries(plotsOf(results))) writeFileSync(`${PLOTS}/${name}`, svg);
