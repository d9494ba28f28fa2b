import type { BenchCase } from "./bench-case.js";

/** What the options of a run say about its cases. */
export interface Choice {
  /** Parts of names; all cases where there are none. */
  readonly only: readonly string[];
  /** Subjects; all where there are none. */
  readonly servers: readonly string[] | undefined;
  readonly quick: boolean;
  /** Our server of before is measured as well. */
  readonly before: boolean;
}

/**
 * The cases of a run, each with the subjects that are wanted. A quick run of all cases measures what a target is about and nothing
 * else; one of named cases measures these whole.
 */
export function chooseCases(
  all: readonly BenchCase[],
  { only, servers, quick, before }: Choice,
): readonly BenchCase[] {
  const wanted = only.map((part) => part.toLowerCase());
  const everything = wanted.length === 0 && servers === undefined;
  return all
    .filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part)))
    .map((benchCase) => {
      const subjects =
        quick && everything
          ? aimedAt(benchCase)
          : benchCase.subjects.filter((subject) => servers?.includes(subject) ?? true);
      const ours = benchCase.subjects.includes("ours");
      return { ...benchCase, subjects: before && ours ? [...subjects, "before"] : subjects };
    })
    .filter(({ subjects }) => subjects.length > 0);
}

/** The subjects of a case that its targets compare. */
function aimedAt({ subjects, targets = [] }: BenchCase): readonly string[] {
  const named = targets.flatMap((target) =>
    target.kind === "ratio" ? [target.of, target.to] : [target.to, target.than],
  );
  return subjects.filter((subject) => named.includes(subject));
}
