import { shown } from "./print.js";
import { middleOf, pairedRatio } from "./ratio.js";
import type { BenchResults, CaseResult } from "./results.js";
import { verdictsOf } from "./verdicts.js";

/** The tables of the document, by the names of their places. */
export const tablesOf = (results: BenchResults): Record<string, string> => ({
  machine: machine(results),
  targets: targets(results),
  servers: servers(results.cases.filter(isOfServers)),
  others: others(results.cases.filter((result) => !isOfServers(result))),
});

const isOfServers = ({ subjects }: CaseResult): boolean =>
  subjects.includes("raw") && subjects.includes("ours");

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rules: readonly string[], rows: readonly string[][]): string =>
  [row(head), `|${rules.join("|")}|`, ...rows.map(row)].join("\n");

function machine({ node, cpus, rounds, load, quick, soak }: BenchResults): string {
  const [start, end] = load;
  const preliminary = quick || Math.max(start, end) > 4;
  const soaked =
    soak &&
    `RSS under ${String(soak.seconds)} s of mixed load (${shown(soak.answered)} requests), by thirds: ` +
      `${soak.thirds.map(shown).join(", ")} MB; last ÷ first ${soak.growth.toFixed(2)} (at most ${String(soak.limit)}).`;
  return [
    `Node ${node.slice(1)}, ${cpus}, ${String(rounds)} round${rounds === 1 ? "" : "s"}${quick ? ", quick" : ""}; ` +
      `load of the machine ${String(start)} at the start and ${String(end)} at the end.` +
      (quick ? " A quick run has 20,000 tasks in a list." : "") +
      (preliminary ? " **Preliminary: the machine was busy or the run short; read no second digit.**" : ""),
    ...(soaked === undefined ? [] : ["", soaked]),
  ].join("\n");
}

function targets({ cases }: BenchResults): string {
  const rows = cases.flatMap((result) =>
    verdictsOf(result).map(({ claim, limit, figure, holds }) => [
      claim,
      shown(limit),
      shown(figure),
      holds ? "held" : "**missed**",
    ]),
  );
  return table(["what", "limit", "figure", ""], ["---", "---:", "---:", "---"], rows);
}

const names = ["raw", "ours", "sqlite", "web", "official"] as const;

function servers(cases: readonly CaseResult[]): string {
  const ratio = (result: CaseResult, subject: string): string => {
    const spread = pairedRatio(result, "raw", subject);
    return spread ? `${spread.median.toFixed(2)} (${spread.low.toFixed(2)}–${spread.high.toFixed(2)})` : "–";
  };
  const rows = cases.map((result) => [
    result.name,
    result.unit,
    ...names.map((name) => shown(middleOf(result, name))),
    ...["ours", "sqlite", "web"].map((name) => ratio(result, name)),
    pairedRatio(result, "raw", "official")?.median.toPrecision(2) ?? "–",
    ...["raw", "ours", "official"].map((name) => shown(middleOf(result, name, "rate"))),
  ]);
  return table(
    [
      ...["case", "unit", ...names],
      ...["raw ÷ ours", "raw ÷ sqlite", "raw ÷ web", "raw ÷ official"],
      ...["raw /s", "ours /s", "official /s"],
    ],
    ["---", "---", ...Array.from({ length: names.length + 7 }, () => "---:")],
    rows,
  );
}

function others(cases: readonly CaseResult[]): string {
  const rows = cases.flatMap((result) =>
    result.subjects.map((subject, at) => {
      const [base = ""] = result.subjects;
      const ratio = at === 0 || result.alone === true ? undefined : pairedRatio(result, base, subject);
      return [
        at === 0 ? result.name : "",
        subject,
        shown(middleOf(result, subject)),
        result.unit,
        ratio ? ratio.median.toFixed(2) : "",
      ];
    }),
  );
  return table(
    ["case", "subject", "cost", "unit", "first ÷ this"],
    ["---", "---", "---:", "---", "---:"],
    rows,
  );
}
