import type { CaseResult } from "./results.js";
import { median, quantile, type Spread } from "./statistics.js";

/**
 * Cost of `of` ÷ cost of `to`: the median over the rounds of the medians of the pairs in each, with the quartiles of all pairs.
 * A pair is two slices that were taken one after the other, so that drift of the machine cancels out. Undefined where one of
 * them was not measured.
 */
export function pairedRatio({ samples }: CaseResult, of: string, to: string): Spread | undefined {
  const rounds = (samples[of] ?? []).map((slices, round) =>
    slices.flatMap(({ cost }, slice) => {
      const other = samples[to]?.[round]?.[slice];
      return other === undefined ? [] : [cost / other.cost];
    }),
  );
  const pairs = rounds.flat();
  if (pairs.length === 0) return undefined;
  const medians = rounds.filter((round) => round.length > 0).map(median);
  return { median: median(medians), low: quantile(pairs, 0.25), high: quantile(pairs, 0.75) };
}

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
