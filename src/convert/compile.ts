import type { ConversionRule, Json } from "../descriptor.js";
import type { Direction, Run } from "./context.js";
import { compileEnum } from "./enum.js";
import { compileHook } from "./hook.js";
import { compileItems } from "./items.js";
import { compileObject } from "./object.js";
import { compileUnion } from "./union.js";
import { compileWrap } from "./wrap.js";

const compiled = { up: new WeakMap<ConversionRule, Run>(), down: new WeakMap<ConversionRule, Run>() };

/** The function of a rule in one direction, or undefined where it changes nothing; made once for each rule. */
export function compile(rule: ConversionRule, direction: Direction): Run | undefined {
  if (rule.is === "same") return undefined;
  const known = compiled[direction].get(rule);
  if (known !== undefined) return known;
  // Known before it is made, so that a rule may hold itself.
  const later: { run?: Run } = {};
  compiled[direction].set(rule, (value, ctx) => later.run?.(value, ctx));
  const run = make(rule, direction);
  later.run = run;
  compiled[direction].set(rule, run);
  return run;
}

function make(rule: Exclude<ConversionRule, { is: "same" }>, direction: Direction): Run {
  switch (rule.is) {
    case "not":
      return (value) => value !== true;
    case "constant": {
      const value = direction === "up" ? rule.newer : rule.older;
      return () => fresh(value);
    }
    case "enum":
      return compileEnum(rule, direction);
    case "items":
      return compileItems(rule, direction);
    case "wrap":
      return compileWrap(rule, direction);
    case "object":
      return compileObject(rule, direction);
    case "union":
      return compileUnion(rule, direction);
    case "hook":
      return compileHook(rule, direction);
  }
}

/** A copy of a value of the rules, so that nobody can write into it. */
export const fresh = (value: Json): Json =>
  typeof value === "object" && value !== null ? structuredClone(value) : value;
