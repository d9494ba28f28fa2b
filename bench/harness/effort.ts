/** How much is done for a figure. */
export interface Effort {
  readonly quick: boolean;
  readonly rounds: number;
  /** Slices of each subject in a round. */
  readonly slices: number;
  /** Requests of each kind that a new process gets before it is measured, so that its code is compiled. */
  readonly warmUp: number;
  /** Requests of a slice of load. */
  readonly requests: number;
  /** Chunks of a slice of streams, about. */
  readonly chunks: number;
}

/** The effort of a run, and of a quick one. */
export const effortOf = (quick: boolean, rounds?: number): Effort =>
  quick
    ? { quick, rounds: rounds ?? 1, slices: 6, warmUp: 2_500, requests: 500, chunks: 8_000 }
    : { quick, rounds: rounds ?? 5, slices: 4, warmUp: 6_000, requests: 1_500, chunks: 10_000 };
