import { steps } from "./contract.js";
import type { Verdict } from "./judge.js";
import type { Row } from "./peers.js";
import type { Result } from "./run-row.js";

/** What came of a row: its results, or why there are none. */
export type RowReport =
  | { readonly row: Row; readonly results: readonly Result[] }
  | { readonly row: Row; readonly unavailable: string }
  | { readonly row: Row; readonly broken: string };

const signs: Readonly<Record<Verdict["outcome"], string>> = {
  ok: "✓",
  absent: "–",
  known: "known",
  failed: "✗",
  stale: "✗ stale",
};

/** The table of all rows, as Markdown that also reads well in a terminal. */
export function table(reports: readonly RowReport[]): string {
  const head = ["client → server", "binding", "version", ...steps];
  const lines = reports.map((report) => {
    const { client, server, binding, version } = report.row;
    const names = [`${client} → ${server}`, binding, version];
    if ("results" in report)
      return [...names, ...report.results.map(({ verdict }) => signs[verdict.outcome])];
    const [first, ...rest] = steps.map(() => ("broken" in report ? "✗" : "n/a"));
    return [...names, first ?? "", ...rest];
  });
  const widths = head.map((title, at) =>
    Math.max(title.length, ...lines.map((line) => (line[at] ?? "").length)),
  );
  const print = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [
    print(head),
    `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`,
    ...lines.map(print),
  ].join("\n");
}
