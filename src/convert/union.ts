import type { JsonObject, Selector, UnionConversion } from "../descriptor.js";
import { compile } from "./compile.js";
import { ABSENT, type Ctx, type Direction, refuse, report, type Run } from "./context.js";

/** What becomes of one variant. */
interface Variant {
  readonly mark: string;
  readonly run: Run | undefined;
  /** The member to wrap the result in. */
  readonly wrapper: string | undefined;
  /** Whether the other side has it. */
  readonly known: boolean;
}

/** A union: finds the variant by the mark of its side, and marks it as the other does. */
export function compileUnion(rule: UnionConversion, direction: Direction): Run {
  const [source, target] = direction === "up" ? (["older", "newer"] as const) : (["newer", "older"] as const);
  const variants = new Map<string, Variant>();
  for (const variant of rule.variants) {
    const [partner] = variant[target] ?? [];
    const run = variant.as === undefined ? undefined : compile(variant.as, direction);
    const wrapper = rule[target] === "wrapper" ? partner : undefined;
    for (const mark of variant[source] ?? [])
      variants.set(mark, { mark, run, wrapper, known: partner !== undefined });
  }
  const find = finder(rule[source], variants);
  const isWrapped = rule[source] === "wrapper";
  return (value, ctx) => {
    const object = value as JsonObject;
    const variant = find(object);
    if (variant === undefined) return refuse(ctx, "is nothing that the other version has");
    const { mark, run, wrapper, known } = variant;
    if (!known) return ABSENT;
    const result = isWrapped ? unwrap(object, mark, run, ctx) : run === undefined ? object : run(object, ctx);
    return wrapper === undefined || result === ABSENT ? result : { [wrapper]: result };
  };
}

function unwrap(object: JsonObject, mark: string, run: Run | undefined, ctx: Ctx): unknown {
  if (ctx.losses !== undefined) for (const key in object) if (key !== mark) report(ctx, "dropped", key);
  if (run === undefined) return object[mark];
  ctx.path.push(mark);
  const result = run(object[mark], ctx);
  ctx.path.pop();
  return result;
}

/** How a side tells its variants. */
export function finder<T>(
  selector: Selector,
  variants: ReadonlyMap<string, T>,
): (object: JsonObject) => T | undefined {
  if (typeof selector === "object") return (object) => variants.get(object[selector.tag] as string);
  const marks = [...variants.keys()];
  const kinds = [...variants.values()];
  // A loop without closure or destructuring: this runs for every part of every message.
  return (object) => {
    for (let index = 0; index < marks.length; index++) {
      if (object[marks[index] ?? ""] !== undefined) return kinds[index];
    }
    return undefined;
  };
}
