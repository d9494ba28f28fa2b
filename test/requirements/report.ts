import { isCovered, isElsewhere, isRuleOf, type Side } from "./check.js";
import type { Binding, Coverage, Manifest } from "./coverage.js";
import type { Rule } from "./rules.js";

/** Rules that count for one section, level and binding, and how many of them are proved. */
export interface Share {
  readonly covered: number;
  readonly all: number;
}

/** A rule and what is said of it. */
export interface Row {
  readonly rule: Rule;
  readonly coverage: Coverage;
}

const BINDINGS: readonly Binding[] = ["JSONRPC", "HTTP+JSON"];
const LEVELS = ["MUST", "SHOULD", "MAY"] as const;

/** All rules with their rows; a missing row counts as not looked at. */
export function rowsOf(rules: readonly Rule[], manifests: readonly Manifest[]): readonly Row[] {
  const coverage = new Map(manifests.flatMap((manifest) => Object.entries(manifest)));
  return rules.map((rule) => ({ rule, coverage: coverage.get(rule.id) ?? { by: "todo" } }));
}

/** The share of the rules of a side, of a level, that is proved on a binding. */
export function shareOf(rows: readonly Row[], side: Side, level: Rule["level"], binding: Binding): Share {
  const counted = rows.filter(
    ({ rule, coverage }) =>
      rule.level === level && isRuleOf(side, rule, coverage) && !isElsewhere(coverage, binding),
  );
  return {
    covered: counted.filter(({ coverage }) => isCovered(coverage, binding)).length,
    all: counted.length,
  };
}

/** A table of sections × levels and bindings for a side, in Markdown. */
export function summary(rows: readonly Row[], side: Side): string {
  const columns = LEVELS.flatMap((level) => BINDINGS.map((binding) => ({ level, binding })));
  const sections = [...new Set(rows.map(({ rule }) => rule.section))];
  const line = (name: string, some: readonly Row[]): string =>
    `| ${name} | ${columns.map(({ level, binding }) => shown(shareOf(some, side, level, binding))).join(" | ")} |`;
  return [
    `| section | ${columns.map(({ level, binding }) => `${level} ${binding}`).join(" | ")} |`,
    `|---|${columns.map(() => "--:|").join("")}`,
    ...sections.map((section) =>
      line(
        section,
        rows.filter(({ rule }) => rule.section === section),
      ),
    ),
    line("**all**", rows),
  ].join("\n");
}

/** Every rule with what proves it, in Markdown. */
export function details(rows: readonly Row[]): string {
  const sections = [...new Set(rows.map(({ rule }) => rule.section))];
  return sections
    .map((section) => {
      const own = rows.filter(({ rule }) => rule.section === section);
      const lines = own.map(
        ({ rule, coverage }) =>
          `| ${rule.id} | ${rule.level}${rule.implied ? "†" : ""} | ${rule.who} | ${rule.text.replaceAll("|", "\\|")} | ${said(coverage)} |`,
      );
      return [
        `## ${section}`,
        "",
        "| rule | level | who | what | proof |",
        "|---|---|---|---|---|",
        ...lines,
      ].join("\n");
    })
    .join("\n\n");
}

function said(coverage: Coverage): string {
  switch (coverage.by) {
    case "tests": {
      const files = coverage.tests.map((path) => `\`${path.replace(/^test\//, "")}\``).join(", ");
      return coverage.bindings.length === 1 ? `${files} (${coverage.bindings.join()})` : files;
    }
    case "reason":
      return `not held: ${coverage.reason}`;
    case "todo":
      return "not looked at yet";
    default:
      return coverage.by;
  }
}

const shown = ({ covered, all }: Share): string => (all === 0 ? "" : `${String(covered)}/${String(all)}`);
