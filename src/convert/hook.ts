import type { HookConversion } from "../descriptor.js";
import { compile } from "./compile.js";
import type { Ctx, Direction, Run } from "./context.js";
import { hooks } from "./hooks.js";

/**
 * What data cannot say. `inner` converts by the rule that the hook stands around; an object that it returns is new, and may
 * be written into. Without a function for a direction, the rule alone does it.
 */
export interface Hook {
  readonly up?: (value: unknown, inner: Run, ctx: Ctx) => unknown;
  readonly down?: (value: unknown, inner: Run, ctx: Ctx) => unknown;
  /** Of a value that it has nothing to do with, so that the rule alone does it: true. Default: none is known to be one. */
  readonly leaves?: Readonly<Partial<Record<Direction, (value: unknown) => boolean>>>;
  /** Where a path of a result came from in `given`; undefined: where the rule says. Default: for every path. */
  readonly trace?: (
    direction: Direction,
    given: unknown,
    path: readonly string[],
  ) => readonly string[] | undefined;
}

/** The function of a hook around that of its rule. */
export function compileHook({ hook: name, of }: HookConversion, direction: Direction): Run {
  const inner: Run = (of === undefined ? undefined : compile(of, direction)) ?? ((value) => value);
  const run = Object.hasOwn(hooks, name) ? hooks[name]?.[direction] : undefined;
  return run === undefined ? inner : (value, ctx) => run(value, inner, ctx);
}
