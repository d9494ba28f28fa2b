import { measure } from "mitata";
import type { Effort } from "./effort.js";

/** Calls between two looks at the clock: by default 4,096, which is a second for what takes a quarter of a millisecond. */
const CALLS = 128;

/** Nanoseconds of one call that does not wait: lower quartile. */
export async function timeOf(work: () => unknown, { quick }: Effort): Promise<number> {
  const { p25 } = await measure(work, { min_cpu_time: quick ? 2e6 : 3e7, batch_samples: CALLS });
  return p25;
}
