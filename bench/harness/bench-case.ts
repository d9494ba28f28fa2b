import type { ServerName } from "./server-process.js";
import type { Round } from "./round.js";

/** One figure, of one slice of one round. */
export interface Slice {
  /** What is compared, in the unit of the case: less is better. */
  readonly cost: number;
  /** Requests or events per second. */
  readonly rate?: number;
  /** 99th percentile of the latency in ms (load) or time to the first event in ms (streams). */
  readonly latency?: number;
}

/** What a case must show. */
export type Target =
  /** Cost of `of` ÷ cost of `to`, at least. */
  | { readonly kind: "ratio"; readonly of: string; readonly to: string; readonly atLeast: number }
  /** Cost of `to`; or what it costs more than `than`: at most. */
  | { readonly kind: "cost"; readonly to: string; readonly than?: string; readonly atMost: number };

/** One thing that is measured: the cost of the same work to several subjects, which take turns. */
export interface BenchCase<Subject extends string = string> {
  readonly name: string;
  /** Of the cost: `CPU µs per request`. */
  readonly unit: string;
  /** The first is what the others are compared with. */
  readonly subjects: readonly Subject[];
  /** Those that are measured once in each of the first two rounds: what is several times as slow needs no more. */
  readonly scarce?: readonly Subject[];
  /** Slices of each subject in a round, and rounds, where they differ from those of the run. */
  readonly slices?: number;
  readonly rounds?: number;
  /** True where a first slice of each subject that is not scarce is thrown away in a round: code is compiled for what came last. */
  readonly warm?: true;
  /** True where the subjects are not compared with the first. */
  readonly alone?: true;
  /** One slice. */
  measure(subject: Subject, round: Round): Promise<Slice>;
  readonly targets?: readonly Target[];
}

/** A case whose subjects are servers. */
export type ServerCase = BenchCase<ServerName>;
