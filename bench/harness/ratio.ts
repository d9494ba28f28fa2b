import type { CaseResult } from "./results.js";
import { median, quantile, type Spread } from "./statistics.js";

/**
 * Cost of `of` ÷ cost of `to`: the median over the rounds, with the quartiles of all pairs. A pair is two slices that were taken
 * one after the other, so that drift of the machine cancels out. What a round counts is the sum of its pairs, not their
 * median: collections of garbage and the work of compilers come in lumps, which some slices get and others do not. Undefined
 * where one of them was not measured.
 */
export function pairedRatio({ samples }: CaseResult, of: string, to: string): Spread | undefined {
  const rounds = (samples[of] ?? []).map((slices, round) =>
    slices.flatMap(({ cost }, slice): Pair[] => {
      const other = samples[to]?.[round]?.[slice];
      return other === undefined ? [] : [{ of: cost, to: other.cost }];
    }),
  );
  const pairs = rounds.flat().map((pair) => ratioOf([pair]));
  if (pairs.length === 0) return undefined;
  const sums = rounds.filter((round) => round.length > 0).map(ratioOf);
  return { median: median(sums), low: quantile(pairs, 0.25), high: quantile(pairs, 0.75) };
}

interface Pair {
  readonly of: number;
  readonly to: number;
}

const ratioOf = (pairs: readonly Pair[]): number =>
  pairs.reduce((sum, { of }) => sum + of, 0) / pairs.reduce((sum, { to }) => sum + to, 0);

/**
 * Lower quartile of the costs of `of` ÷ that of `to`. What else runs on a shared machine only ever adds to a cost, so on a
 * loaded one this is nearer to the truth than the pairs.
 */
export const quietRatio = ({ samples }: CaseResult, of: string, to: string): number => {
  const quiet = (subject: string): number =>
    quantile(
      (samples[subject] ?? []).flat().map(({ cost }) => cost),
      0.25,
    );
  return quiet(of) / quiet(to);
};

/** Median of what one slice of a subject gave, in all rounds; NaN where it was not measured. */
export function middleOf(
  { samples }: CaseResult,
  subject: string,
  pick: "cost" | "rate" | "latency" = "cost",
): number {
  return median((samples[subject] ?? []).flat().flatMap((slice) => slice[pick] ?? []));
}
