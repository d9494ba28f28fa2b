import type { BenchCase, Slice } from "./bench-case.js";
import type { Effort } from "./effort.js";
import type { CaseResult } from "./results.js";
import { Round } from "./round.js";

/** Measures all cases, round by round; `told` hears of each round. */
export async function runCases(
  cases: readonly BenchCase[],
  effort: Effort,
  told: (text: string) => void,
): Promise<CaseResult[]> {
  const results: CaseResult[] = cases.map(({ name, unit, subjects, targets = [], alone }) => ({
    ...{ name, unit, subjects, targets, ...(alone && { alone }) },
    samples: Object.fromEntries(subjects.map((subject) => [subject, []])),
  }));
  for (let number = 0; number < effort.rounds; number++) {
    const start = performance.now();
    await using round = new Round(effort);
    const times: { readonly name: string; readonly time: number }[] = [];
    for (const [at, benchCase] of cases.entries()) {
      if (number >= (benchCase.rounds ?? Infinity)) continue;
      const begun = performance.now();
      const slices = await takeTurns(benchCase, round, number);
      for (const [subject, own] of slices) results[at]?.samples[subject]?.push(own);
      times.push({ name: benchCase.name, time: performance.now() - begun });
    }
    const longest = times.toSorted((a, b) => b.time - a.time).slice(0, LONGEST);
    const among = longest.map(({ name, time }) => `${secondsOf(time)} ${name}`).join("; ");
    const all = secondsOf(performance.now() - start);
    told(`round ${String(number + 1)} of ${String(effort.rounds)}: ${all}, of it ${among}`);
  }
  return results;
}

/** Rounds in which scarce subjects take part. */
const SCARCE_ROUNDS = 2;
/** Cases whose times are told. */
const LONGEST = 8;
const secondsOf = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * Short slices by turns, there and back again, so that whatever else the machine does meets all subjects alike; and each
 * subject is first in its round.
 */
async function takeTurns(
  { subjects, scarce = [], slices, warm, measure }: BenchCase,
  round: Round,
  number: number,
): Promise<Map<string, Slice[]>> {
  const fast = subjects.filter((subject) => !scarce.includes(subject));
  if (warm === true) for (const subject of fast) await measure(subject, round);
  const taken = new Map<string, Slice[]>(subjects.map((subject) => [subject, []]));
  const first = number % subjects.length;
  const forward = [...subjects.slice(first), ...subjects.slice(0, first)];
  for (let slice = 0; slice < (slices ?? round.effort.slices); slice++) {
    for (const subject of slice % 2 === 0 ? forward : forward.toReversed()) {
      if (!fast.includes(subject) && (slice > 0 || number >= SCARCE_ROUNDS)) continue;
      taken.get(subject)?.push(await measure(subject, round));
    }
  }
  return taken;
}
