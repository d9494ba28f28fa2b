import type { TestOutcome } from "./junit.js";
import type { KitRun } from "./kit-runs.js";

/** A run and how its tests came out. */
export type RunOutcome = readonly [KitRun, readonly TestOutcome[]];

const only = (tests: readonly TestOutcome[], outcome: TestOutcome["outcome"]): readonly TestOutcome[] =>
  tests.filter((test) => test.outcome === outcome);

/** The figures as a Markdown table. */
export function figures(outcomes: readonly RunOutcome[]): string {
  const rows = outcomes.map(([{ name, about }, tests]) => {
    const counts = (["passed", "failed", "skipped"] as const).map((outcome) => only(tests, outcome).length);
    return `| ${[name, about, ...counts].join(" | ")} |`;
  });
  return ["| run | agent | passed | failed | skipped |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** Every failed test and every skipped one, with the reason. */
export function remarks(outcomes: readonly RunOutcome[]): string {
  const lines: string[] = [];
  for (const [{ name }, tests] of outcomes) {
    for (const { id, why } of only(tests, "failed")) lines.push(`${name} failed: ${id}: ${why}`);
    const reasons = new Map<string, string[]>();
    for (const test of only(tests, "skipped")) {
      const reason = test.why.replace(/^Skipped: /, "");
      reasons.set(reason, [...(reasons.get(reason) ?? []), test.id]);
    }
    for (const [reason, ids] of reasons) lines.push(`${name} skipped, ${reason}:\n  ${ids.join("\n  ")}`);
  }
  return lines.join("\n");
}
