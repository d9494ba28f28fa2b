import { A2AError } from "../errors.js";
import { createChain, type Step } from "./chain.js";
import { compile } from "./compile.js";
import { ABSENT, type Ctx } from "./context.js";
import type { ConversionOptions } from "./types.js";
import { compileWrite, type Write } from "./write.js";

/** Converts what an agent said and gives it as JSON text; undefined where only the chain can say what is wrong with it. */
export type TextChain = (value: unknown, options?: ConversionOptions) => string | undefined;

/** The chain of these steps as one function that writes: the last of them makes text instead of an object. */
export function createTextChain(steps: readonly Step[]): TextChain {
  const all = steps.filter(({ rule, direction }) => compile(rule, direction) !== undefined);
  const last = all.at(-1);
  const before = createChain(all.slice(0, -1));
  let write: Write | undefined;
  return (given, options = {}) => {
    if (last === undefined) return JSON.stringify(given);
    write ??= compileWrite(last.rule, last.direction);
    const ctx: Ctx = { path: [], losses: undefined, options, request: false, releases: last.releases };
    try {
      const text = write(before(given, false, options), ctx);
      return text === ABSENT ? undefined : text;
    } catch (error) {
      if (error instanceof A2AError) return undefined;
      throw error;
    }
  };
}
