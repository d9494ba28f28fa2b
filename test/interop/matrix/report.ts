import { nameOf } from "./peers.js";
import type { RowReport } from "./table.js";

/** How often each outcome came, by cell of the table; a row that could not run counts once. */
export interface Tally {
  ok: number;
  absent: number;
  known: number;
  failed: number;
  unavailable: number;
}

/** Counts outcomes; what is stale has failed. */
export function tally(reports: readonly RowReport[]): Tally {
  const counts: Tally = { ok: 0, absent: 0, known: 0, failed: 0, unavailable: 0 };
  for (const report of reports) {
    if ("unavailable" in report) counts.unavailable++;
    else if ("broken" in report) counts.failed++;
    else
      for (const { verdict } of report.results)
        counts[verdict.outcome === "stale" ? "failed" : verdict.outcome]++;
  }
  return counts;
}

/** Everything that is no tick, with where it is and why; equal reasons stand together. */
export function remarks(reports: readonly RowReport[]): string {
  const byReason = new Map<string, string[]>();
  const add = (reason: string, where: string): void => {
    const places = byReason.get(reason) ?? [];
    places.push(where);
    byReason.set(reason, places);
  };
  for (const report of reports) {
    const name = nameOf(report.row);
    if ("unavailable" in report) add(`unavailable: ${report.unavailable}`, report.row.peer.id);
    else if ("broken" in report) add(`FAILED: ${report.broken}`, name);
    else
      for (const { step, verdict } of report.results) {
        if (verdict.outcome === "ok") continue;
        if ("problem" in verdict) add(`FAILED: ${verdict.problem}`, `${step} (${name})`);
        else
          add(
            `${verdict.outcome === "absent" ? "not offered" : "known"}: ${verdict.reason}`,
            `${step} (${name})`,
          );
      }
  }
  const rank = (reason: string): number =>
    reason.startsWith("FAILED")
      ? 3
      : reason.startsWith("unavailable")
        ? 2
        : reason.startsWith("known")
          ? 1
          : 0;
  return [...byReason]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([reason, places]) => `${reason}\n${[...new Set(places)].map((place) => `    ${place}`).join("\n")}`)
    .join("\n");
}

/** One line of JSON per step, for other programs. */
export function jsonLines(reports: readonly RowReport[]): string {
  return reports
    .flatMap((report): object[] => {
      const { client, server, binding, version } = report.row;
      const place = { client, server, binding, version };
      if ("unavailable" in report) return [{ ...place, outcome: "unavailable", reason: report.unavailable }];
      if ("broken" in report) return [{ ...place, outcome: "failed", problem: report.broken }];
      return report.results.map(({ step, verdict, line, ms }) => {
        const said = line === undefined ? {} : "seen" in line ? { seen: line.seen } : { failed: line.failed };
        return { ...place, step, ...verdict, ...said, ms };
      });
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}
