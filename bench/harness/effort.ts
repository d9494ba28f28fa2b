/** How much is done for a figure. */
export interface Effort {
  readonly quick: boolean;
  /** Each has new processes: what a compiler made of the code differs from one process to the next. */
  readonly rounds: number;
  /** Slices of each subject in a round. */
  readonly slices: number;
  /** Requests of each kind that a new process gets first, so that its code is compiled for all of them; a case adds a slice of its own. */
  readonly warmUp: number;
  /** Requests of a slice of load: so many that a server collects its garbage several times. */
  readonly requests: number;
  /** Chunks of a slice of streams, about: as above. */
  readonly chunks: number;
  /** Which part of a slice those do who are ten times as slow and have no targets. */
  readonly scarce: number;
}

/** The effort of a run, and of a quick one. */
export const effortOf = (quick: boolean, rounds?: number): Effort =>
  quick
    ? { quick, rounds: rounds ?? 2, slices: 3, warmUp: 1_500, requests: 2_500, chunks: 30_000, scarce: 0.3 }
    : { quick, rounds: rounds ?? 5, slices: 3, warmUp: 2_000, requests: 3_000, chunks: 60_000, scarce: 0.3 };
