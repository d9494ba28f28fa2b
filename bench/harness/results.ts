import type { BenchCase, Slice } from "./bench-case.js";
import type { SoakResult } from "./soak.js";

/** What was measured of one case: by subject, then by round, the slices in their order. */
export type Samples = Record<string, Slice[][]>;

/** One case of a run, with what it takes to read its samples. */
export interface CaseResult extends Pick<BenchCase, "name" | "unit" | "subjects" | "targets" | "alone"> {
  readonly samples: Samples;
}

/** Everything a run measured: what `--json` writes. */
export interface BenchResults {
  readonly node: string;
  readonly cpus: string;
  /** Load of the machine (1 minute) at the start and at the end. */
  readonly load: readonly [number, number];
  readonly quick: boolean;
  readonly rounds: number;
  readonly cases: readonly CaseResult[];
  readonly soak?: SoakResult;
}
