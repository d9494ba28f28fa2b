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
    for (const [at, benchCase] of cases.entries()) {
      if (number >= (benchCase.rounds ?? Infinity)) continue;
      const slices = await takeTurns(benchCase, round, number);
      for (const [subject, own] of slices) results[at]?.samples[subject]?.push(own);
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    told(`round ${String(number + 1)} of ${String(effort.rounds)}: ${seconds} s`);
  }
  return results;
}

/**
 * Short slices by turns, there and back again, so that whatever else the machine does meets all subjects alike; and each
 * subject is first in its round.
 */
async function takeTurns(
  { subjects, scarce = [], slices, measure }: BenchCase,
  round: Round,
  number: number,
): Promise<Map<string, Slice[]>> {
  const taken = new Map<string, Slice[]>(subjects.map((subject) => [subject, []]));
  const first = number % subjects.length;
  const forward = [...subjects.slice(first), ...subjects.slice(0, first)];
  for (let slice = 0; slice < (slices ?? round.effort.slices); slice++) {
    for (const subject of slice % 2 === 0 ? forward : forward.toReversed()) {
      if (slice > 0 && scarce.includes(subject)) continue;
      taken.get(subject)?.push(await measure(subject, round));
    }
  }
  return taken;
}
