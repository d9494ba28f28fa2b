import { A2AError } from "../errors.js";

/** The longest time that timers take, in ms: about 24 days. */
const LONGEST = 2 ** 31 - 1;

/** A time in seconds as ms, at most what timers take. Throws `INVALID_PARAMS` for what is no time. */
export function milliseconds(what: string, seconds: number): number {
  if (seconds > 0) return Math.min(seconds * 1_000, LONGEST);
  throw new A2AError("INVALID_PARAMS", `${what} must be more than 0 seconds, and is ${seconds}`);
}
