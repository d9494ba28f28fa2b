import type { ConversionRule } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { compile } from "./compile.js";
import {
  ABSENT,
  type Ctx,
  type Direction,
  pointerOf,
  refuse,
  type Releases,
  type Run,
  stepsOf,
} from "./context.js";
import { moveViolations } from "./move-violations.js";
import { trace } from "./trace.js";
import type { ConversionOptions, Loss } from "./types.js";

/** One step of a chain: a rule, and the way it is taken. */
export interface Step {
  readonly rule: ConversionRule;
  readonly direction: Direction;
  /** The releases of its two forms, where they are known. */
  readonly releases: Releases;
}

/** A chain of steps as one function. `request`: what a caller sent, so what the target does not allow is refused. */
export type ChainRun = (
  value: unknown,
  request: boolean,
  options?: ConversionOptions,
  losses?: Loss[],
) => unknown;

interface Link extends Step {
  readonly run: Run;
}

/** The steps one after the other. Losses and refusals of every step point into the value that was given. */
export function createChain(steps: readonly Step[]): ChainRun {
  let compiled: readonly Link[] | undefined;
  return (given, request, options = {}, losses) => {
    const links = (compiled ??= steps.flatMap((step) => {
      const run = compile(step.rule, step.direction);
      return run === undefined ? [] : [{ ...step, run }];
    }));
    const [first] = links;
    if (first === undefined) return given;
    if (links.length === 1) return convertOnce(first, given, request, options, losses);
    const inputs: unknown[] = [];
    let value = given;
    for (const [index, link] of links.entries()) {
      const before = losses?.length ?? 0;
      const ctx: Ctx = { path: [], losses, options, request, releases: link.releases };
      inputs.push(value);
      value = index === 0 ? link.run(value, ctx) : refused(() => link.run(value, ctx), links, index, inputs);
      if (value === ABSENT) refuse(ctx, "has no place in the other version");
      if (index > 0 && losses !== undefined) {
        const own = losses
          .splice(before)
          .map((loss) => ({ ...loss, path: back(loss.path, links, index, inputs) }));
        // What an earlier step wrote and a later one spells otherwise was never in the value given.
        for (const loss of own) {
          const isKnown = losses.some(({ path, code }) => path === loss.path && code === loss.code);
          if (!isKnown && (loss.code !== "normalized" || isThere(given, loss.path))) losses.push(loss);
        }
      }
    }
    return value;
  };
}

/** A chain of one link: nothing to trace back. */
function convertOnce(
  { run, releases }: Link,
  given: unknown,
  request: boolean,
  options: ConversionOptions,
  losses: Loss[] | undefined,
): unknown {
  const ctx: Ctx = { path: [], losses, options, request, releases };
  const value = run(given, ctx);
  return value === ABSENT ? refuse(ctx, "has no place in the other version") : value;
}

/** A pointer into the input of one link as a pointer into what was given. */
function back(pointer: string, links: readonly Link[], index: number, inputs: readonly unknown[]): string {
  let path: readonly string[] = stepsOf(pointer);
  for (let at = index - 1; at >= 0; at--) {
    const link = links[at];
    if (link !== undefined) path = trace(link.rule, link.direction, inputs[at], path);
  }
  return pointerOf(path);
}

function isThere(value: unknown, pointer: string): boolean {
  let at: unknown = value;
  for (const step of stepsOf(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return false;
    at = (at as Record<string, unknown>)[step];
  }
  return true;
}

function refused<T>(run: () => T, links: readonly Link[], index: number, inputs: readonly unknown[]): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof A2AError)) throw error;
    throw moveViolations(error, (pointer) => back(pointer, links, index, inputs));
  }
}
