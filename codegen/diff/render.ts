import type { Change, ModelDiff } from "./changes.js";

/** A diff as a table with aligned columns, and a line of counts above it. */
export function renderDiff({ from, to, changes }: ModelDiff): string {
  if (changes.length === 0) return `A2A ${from} → ${to}: no change of structure\n`;
  const rows = changes.map((change) => [change.what, change.change, change.name, detail(change)] as const);
  const head = ["what", "change", "name", "was → now"] as const;
  const widths = [0, 1, 2].map((i) => Math.max(...[head, ...rows].map((row) => (row[i] ?? "").length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  const rule = widths
    .map((width) => "-".repeat(width))
    .concat("---------")
    .join("  ");
  return [`A2A ${from} → ${to}: ${summary(changes)}`, "", line(head), rule, ...rows.map(line), ""].join("\n");
}

function detail({ was, now }: Change): string {
  if (was === undefined || now === undefined) return was ?? now ?? "";
  const [before, after] = [was.split(" | "), now.split(" | ")];
  // Of long unions only the members that came and went.
  if (before.length < 4 || after.length < 4) return `${was} → ${now}`;
  const came = after.filter((member) => !before.includes(member)).map((member) => `+ ${member}`);
  const went = before.filter((member) => !after.includes(member)).map((member) => `- ${member}`);
  return [...came, ...went].join(", ");
}

function summary(changes: readonly Change[]): string {
  const counts = new Map<string, number>();
  for (const { change } of changes) counts.set(change, (counts.get(change) ?? 0) + 1);
  return [...counts].map(([change, count]) => `${String(count)} ${change}`).join(", ");
}
