import type { ConversionRule, HookConversion, ItemsConversion } from "../descriptor.js";
import { memberOf } from "../codec/json.js";
import { compile } from "./compile.js";
import { ABSENT, type Ctx, type Direction } from "./context.js";
import { hooks } from "./hooks.js";
import { compileWriteObject } from "./write-object.js";
import { compileWriteUnion } from "./write-union.js";
import { writeJson } from "./write-json.js";

/** Converts one value and gives it as JSON text; `ABSENT` where it has no place in the other form. */
export type Write = (value: unknown, ctx: Ctx) => string | typeof ABSENT;

const compiled = { up: new WeakMap<ConversionRule, Write>(), down: new WeakMap<ConversionRule, Write>() };

/**
 * A rule in one direction as a function that writes: the text is the very one that `JSON.stringify` makes of what `compile`
 * makes, without an object in between. What is rare is converted as ever and then encoded. Losses are not reported.
 */
export function compileWrite(rule: ConversionRule, direction: Direction): Write {
  if (rule.is === "same") return writeJson;
  const known = compiled[direction].get(rule);
  if (known !== undefined) return known;
  // Known before it is made, so that a rule may hold itself.
  const later: { write: Write } = { write: () => ABSENT };
  compiled[direction].set(rule, (value, ctx) => later.write(value, ctx));
  const whole = writeConverted(rule, direction);
  const write = make(rule, direction, whole);
  later.write = write;
  compiled[direction].set(rule, write);
  return write;
}

function make(rule: ConversionRule, direction: Direction, whole: Write): Write {
  switch (rule.is) {
    case "object":
      return compileWriteObject(rule, direction, whole) ?? whole;
    case "union":
      return compileWriteUnion(rule, direction, whole);
    case "items":
      return writeItems(rule, direction, whole);
    case "hook":
      return writeHook(rule, direction, whole);
    default:
      return whole;
  }
}

function writeConverted(rule: ConversionRule, direction: Direction): Write {
  const run = compile(rule, direction);
  return (value, ctx) => {
    const made = run === undefined ? value : run(value, ctx);
    return made === ABSENT ? ABSENT : writeJson(made);
  };
}

function writeItems({ of }: ItemsConversion, direction: Direction, whole: Write): Write {
  if (compile(of, direction) === undefined) return whole;
  const write = compileWrite(of, direction);
  return (value, ctx) => {
    if (!Array.isArray(value) || value.length === 0) return whole(value, ctx);
    const list: readonly unknown[] = value;
    const { path } = ctx;
    let text = "[";
    for (let index = 0; index < list.length; index++) {
      path.push(index);
      const item = write(list[index], ctx);
      path.pop();
      if (item !== ABSENT) text += text.length === 1 ? item : `,${item}`;
    }
    return `${text}]`;
  };
}

function writeHook({ hook: name, of }: HookConversion, direction: Direction, whole: Write): Write {
  const hook = memberOf(hooks, name);
  const inner = of === undefined ? writeJson : compileWrite(of, direction);
  if (hook?.[direction] === undefined) return inner;
  const leaves = hook.leaves?.[direction];
  if (leaves === undefined) return whole;
  return (value, ctx) => (leaves(value) ? inner(value, ctx) : whole(value, ctx));
}
