import { middleOf, pairedRatio, quietRatio } from "./ratio.js";
import type { CaseResult } from "./results.js";
import type { SoakResult } from "./soak.js";
import { verdictsOf } from "./verdicts.js";

/** Three significant figures, thousands apart. */
export const shown = (value: number): string =>
  Number.isNaN(value)
    ? "–"
    : value >= 100
      ? Math.round(value).toLocaleString("en")
      : String(Number(value.toPrecision(3)));

/** One case as lines of a terminal: cost and rate of each subject, and its ratio to the first with the quartiles of the pairs; and what it is by lower quartiles. */
export function print(result: CaseResult): string {
  const [base = "", ...others] = result.subjects;
  const line = (subject: string): string => {
    const rate = middleOf(result, subject, "rate");
    const cost = shown(middleOf(result, subject)).padStart(9);
    const ratio =
      result.alone !== true && others.includes(subject) ? pairedRatio(result, base, subject) : undefined;
    const compared = ratio
      ? `  ${base} ÷ ${subject}  ${ratio.median.toFixed(3)}  [${ratio.low.toFixed(2)} … ${ratio.high.toFixed(2)}]  quiet ${quietRatio(result, base, subject).toFixed(3)}`
      : "";
    const perSecond = Number.isNaN(rate) ? "" : `${shown(rate).padStart(10)} /s`;
    return `  ${subject.padEnd(12)} ${cost}${perSecond}${compared}`;
  };
  const judged = verdictsOf(result).map(
    ({ claim, limit, figure, holds }) =>
      `  ${holds ? "ok  " : "MISS"} ${claim} ${shown(limit)}: ${shown(figure)}`,
  );
  return [`${result.name} (${result.unit})`, ...result.subjects.map(line), ...judged].join("\n");
}

/** The soak in one line. */
export const soakLine = ({ seconds, answered, thirds, growth, limit }: SoakResult): string =>
  `${growth <= limit ? "ok  " : "MISS"} RSS under ${String(seconds)} s of mixed load, ${shown(answered)} requests: ` +
  `${thirds.map(shown).join(", ")} MB in its thirds, last ÷ first ${growth.toFixed(3)}, at most ${String(limit)}`;
