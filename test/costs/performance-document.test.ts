import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fillDocument } from "../../bench/harness/fill-document.js";
import { plotsOf } from "../../bench/harness/plots.js";
import type { BenchResults } from "../../bench/harness/results.js";
import { tablesOf } from "../../bench/harness/tables.js";

const results = JSON.parse(readFileSync("bench/results.json", "utf8")) as BenchResults;

it("the tables of docs/performance.md are those of bench/results.json (npm run bench:docs)", () => {
  const document = readFileSync("docs/performance.md", "utf8");
  const filled = fillDocument(document, tablesOf(results));
  expect(document).toBe(filled);
  for (const name of Object.keys(tablesOf(results))) expect(document).toContain(`<!-- bench: ${name} -->`);
});

it("the plots are drawn from the same results", () => {
  for (const [name, svg] of Object.entries(plotsOf(results))) {
    expect(readFileSync(`docs/performance/${name}`, "utf8"), name).toBe(svg);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  }
});
