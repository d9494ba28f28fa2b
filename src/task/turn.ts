import { afterTick } from "./after-tick.js";

let count = 0;
let ends = false;

/** A number that stays the same while the code that runs now, and the promises it settles, go on. */
export function turn(): number {
  if (!ends) {
    ends = true;
    afterTick(end);
  }
  return count;
}

function end(): void {
  ends = false;
  count += 1;
}
