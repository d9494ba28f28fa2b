/**
 * Which rules of A2A 1.0.1 the tests prove: `npm run requirements` prints the shares by section, level and binding and
 * writes docs/requirements.md. Exit code 1 on an unknown id, a missing row, a test that does not exist, a MUST of the
 * server that is not proved on both bindings, or less than 95 % of the SHOULDs. `--check`: also where the document is
 * out of date, and nothing is written. `--open`: lists the rules that are not proved.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { manifests } from "../test/requirements.js";
import { isCovered, isElsewhere, isServerRule, problemsOf } from "../test/requirements/check.js";
import { details, rowsOf, shareOf, summary } from "../test/requirements/report.js";
import { rules } from "../test/requirements/rules.js";

const DOCUMENT = "docs/requirements.md";
const LEAST = { MUST: 1, SHOULD: 0.95 } as const;

const rows = rowsOf(rules, manifests);
const failures = problemsOf(rules, manifests);
for (const level of ["MUST", "SHOULD"] as const) {
  for (const binding of ["JSONRPC", "HTTP+JSON"] as const) {
    const { covered, all } = shareOf(rows, level, binding);
    console.log(`${level} of a server over ${binding}: ${String(covered)} of ${String(all)}`);
    if (covered < all * LEAST[level])
      failures.push(`${level}, ${binding}: ${String(all - covered)} rules are not proved`);
    if (!process.argv.includes("--open")) continue;
    for (const { rule, coverage } of rows) {
      const isOpen =
        rule.level === level &&
        isServerRule(rule, coverage) &&
        !isElsewhere(coverage, binding) &&
        !isCovered(coverage, binding);
      if (isOpen) console.log(`  ${rule.id} (${rule.who}) ${rule.text.slice(0, 120)}`);
    }
  }
}
console.log(`\n${summary(rows)}\n`);

const text = await format(
  `# Requirements\n\nThe rules of A2A 1.0.1 in our words, and the tests that name them in their titles. Written by \`npm run requirements\`.\n` +
    `† marks a rule that follows from a shape, an example or a standard that is referred to. Rules of the client alone, of\n` +
    `gRPC, and those about documents or organisations do not count for a server.\n\n${summary(rows)}\n\n${details(rows)}\n`,
  { parser: "markdown", printWidth: 110 },
);
const known = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, "utf8") : "";
if (process.argv.includes("--check")) {
  if (known !== text) failures.push(`${DOCUMENT} is out of date: npm run requirements`);
} else if (known !== text) writeFileSync(DOCUMENT, text);

for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;
