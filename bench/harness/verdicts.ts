import type { Target } from "./bench-case.js";
import { middleOf, pairedRatio, quietRatio } from "./ratio.js";
import type { CaseResult } from "./results.js";

/** A target against the figures. */
export interface Verdict {
  readonly claim: string;
  readonly figure: number;
  readonly limit: number;
  readonly holds: boolean;
  /** True where it is further from the target than noise of a loaded machine explains: what `--check` fails for. */
  readonly far: boolean;
}

/** A ratio may be so much of its limit, and a cost its limit so much of it, before they count as far from the target. */
const MARGIN = 0.6;

/** What the figures say about the targets of a case; nothing where a subject was left out. */
export const verdictsOf = (result: CaseResult): Verdict[] =>
  (result.targets ?? []).flatMap((target) => {
    const figure = figureOf(result, target);
    if (figure === undefined || Number.isNaN(figure)) return [];
    const limit = target.kind === "ratio" ? target.atLeast : target.atMost;
    const holds = target.kind === "ratio" ? figure >= limit : figure <= limit;
    // In a short round one pause of a collector can decide about the pairs: the lower quartiles must be as far.
    const far =
      target.kind === "ratio"
        ? Math.max(figure, quietRatio(result, target.of, target.to)) < limit * MARGIN
        : figure * MARGIN > limit;
    return [{ claim: `${result.name}: ${claimOf(target, result.unit)}`, figure, limit, holds, far }];
  });

function figureOf(result: CaseResult, target: Target): number | undefined {
  if (target.kind === "ratio") return pairedRatio(result, target.of, target.to)?.median;
  const cost = middleOf(result, target.to);
  return target.than === undefined ? cost : cost - middleOf(result, target.than);
}

const claimOf = (target: Target, unit: string): string => {
  if (target.kind === "ratio") return `${target.of} ÷ ${target.to}, at least`;
  return `${unit}, ${target.to}${target.than === undefined ? "" : ` − ${target.than}`}, at most`;
};
