import { readFileSync, writeFileSync } from "node:fs";
import { known, type KnownEntry } from "./known.js";
import { table, type RowReport } from "./table.js";

const file = new URL("../../../docs/interop.md", import.meta.url);

/** Puts the table and what is known to differ into the documentation, between their marks. */
export function writeDocs(reports: readonly RowReport[]): void {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, between(between(text, "table", table(reports)), "known", differences()));
}

function between(text: string, mark: string, content: string): string {
  const [start, end] = [`<!-- ${mark} -->\n`, `<!-- /${mark} -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < 0) throw new Error(`docs/interop.md has no mark ${mark}`);
  return `${text.slice(0, from + start.length)}\n${content}\n\n${text.slice(to)}`;
}

const list = (value: string | readonly string[] | undefined, all: string): string =>
  value === undefined ? all : typeof value === "string" ? value : value.join(", ");

/** A differing member, or that the step broke off. */
const members = ({ seen }: KnownEntry): string =>
  Object.keys(seen)
    .map((name) => (name === "failed" ? "all of it" : name))
    .join(", ");

/** What is known to differ, as a table. */
export function differences(): string {
  const lines = known.map((one) => {
    const over = `${list(one.binding, "all")} ${list(one.version, "")}`.trim();
    const as = one.role ?? "both";
    const cells = [
      list(one.peer, "all"),
      as,
      over,
      list(one.step, "all"),
      members(one),
      one.kind,
      one.reason,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| peer | as | over | step | what differs | | why |",
    "|---|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}
