/**
 * Which rules of A2A 1.0.1 the tests prove: `npm run requirements` prints the shares by section, level and binding and
 * writes docs/requirements.md. Exit code 1 on an unknown id, a missing row, a test that does not exist, a MUST of server
 * or client that is not proved on both bindings, or less than 95 % of the SHOULDs of a server or of a client alone. `--check`: also where the document is
 * out of date, and nothing is written. `--open`: lists the rules that are not proved.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { manifests } from "../test/requirements.js";
import { isCovered, isElsewhere, isRuleOf, problemsOf } from "../test/requirements/check.js";
import { details, rowsOf, shareOf, summary } from "../test/requirements/report.js";
import { rules } from "../test/requirements/rules.js";

const DOCUMENT = "docs/requirements.md";
const LEAST = { MUST: 1, SHOULD: 0.95 } as const;

const rows = rowsOf(rules, manifests);
const failures = problemsOf(rules, manifests);
for (const side of ["server", "client"] as const) {
  for (const level of ["MUST", "SHOULD"] as const) {
    for (const binding of ["JSONRPC", "HTTP+JSON"] as const) {
      const { covered, all } = shareOf(rows, side, level, binding);
      const alone = shareOf(
        rows.filter(({ rule }) => rule.who === side),
        side,
        level,
        binding,
      );
      console.log(
        `${level} of a ${side} over ${binding}: ${String(covered)} of ${String(all)}; ` +
          `of a ${side} alone: ${String(alone.covered)} of ${String(alone.all)}`,
      );
      // Those of both sides that are not proved are judged with the server's, among more rules.
      const judged = side === "client" && level === "SHOULD" ? [alone] : [{ covered, all }, alone];
      for (const share of judged) {
        if (share.covered < share.all * LEAST[level])
          failures.push(
            `${level} of a ${side}, ${binding}: ${String(share.all - share.covered)} rules are not proved`,
          );
      }
      if (!process.argv.includes("--open")) continue;
      for (const { rule, coverage } of rows) {
        const isOpen =
          rule.level === level &&
          isRuleOf(side, rule, coverage) &&
          !isElsewhere(coverage, binding) &&
          !isCovered(coverage, binding);
        if (isOpen) console.log(`  ${rule.id} (${rule.who}) ${rule.text.slice(0, 120)}`);
      }
    }
  }
  console.log(`\n${summary(rows, side)}\n`);
}

const ofGrpc = rows.filter(
  ({ coverage }) =>
    coverage.by === "grpc" || (coverage.by === "tests" && coverage.bindings.join() === "GRPC"),
);
const proved = ofGrpc.filter(({ coverage }) => isCovered(coverage, "GRPC")).length;
if (proved < ofGrpc.length) failures.push(`gRPC: ${String(ofGrpc.length - proved)} rules are not proved`);

const text = await format(
  `# Requirements\n\nThe rules of A2A 1.0.1 in our words, and the tests that name them in their titles. Written by \`npm run requirements\`.\n` +
    `† marks a rule that follows from a shape, an example or a standard that is referred to. Rules of gRPC alone\n` +
    `(${String(proved)} of ${String(ofGrpc.length)} are proved), and those about documents or organisations, do not count here. Rules for both sides count for both: most of their tests look at one of\n` +
    `them, as what they are about is shared.\n\n## Of a server\n\n${summary(rows, "server")}\n\n## Of a client\n\n${summary(rows, "client")}\n\n${details(rows)}\n`,
  { parser: "markdown", printWidth: 110 },
);
const known = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, "utf8") : "";
if (process.argv.includes("--check")) {
  if (known !== text) failures.push(`${DOCUMENT} is out of date: npm run requirements`);
} else if (known !== text) writeFileSync(DOCUMENT, text);

for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;
