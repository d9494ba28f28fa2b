import type { Problem } from "../../codec/decode.js";

/** What the reading of a card came upon. */
export interface Findings {
  /** Everything, in the order of discovery. */
  readonly problems: readonly Problem[];
  /** What a reader that follows the specification to the letter would not have read, or would have read otherwise. */
  readonly leniencies: readonly Problem[];
  /** Something was read otherwise than it was written. */
  lenient(pointer: string, code: string, message: string): void;
  /** Nothing is wrong with the text, but who uses it should know. */
  advise(pointer: string, code: string, message: string): void;
}

/** An empty collection. */
export function createFindings(): Findings {
  const problems: Problem[] = [];
  const leniencies: Problem[] = [];
  // One member may be looked at for several interfaces.
  const known = new Set<string>();
  const add = (to: readonly Problem[][], problem: Problem): void => {
    const key = `${problem.code} ${problem.pointer}`;
    if (known.has(key)) return;
    known.add(key);
    for (const list of to) list.push(problem);
  };
  return {
    problems,
    leniencies,
    lenient: (pointer, code, message) => add([problems, leniencies], { pointer, code, message }),
    advise: (pointer, code, message) => add([problems], { pointer, code, message }),
  };
}

/** A JSON pointer one step further down. */
export const below = (pointer: string, step: string | number): string =>
  `${pointer}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
