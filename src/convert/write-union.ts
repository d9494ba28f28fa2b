import type { JsonObject, UnionConversion } from "../descriptor.js";
import { ABSENT, type Direction } from "./context.js";
import { sourceOf, targetOf } from "./moves.js";
import { finder } from "./union.js";
import { compileWrite, type Write } from "./write.js";
import { writeJson } from "./write-json.js";

/** How one variant is written. */
interface Variant {
  readonly mark: string;
  readonly write: Write;
  /** `{"task":`, where the other side wraps it. */
  readonly head: string | undefined;
}

/** A union: the variant that the mark of its side names; `whole` takes what the other side does not have. */
export function compileWriteUnion(rule: UnionConversion, direction: Direction, whole: Write): Write {
  const [source, target] = [sourceOf(direction), targetOf(direction)];
  const variants = new Map<string, Variant>();
  for (const variant of rule.variants) {
    const [partner] = variant[target] ?? [];
    if (partner === undefined) continue;
    const write = variant.as === undefined ? writeJson : compileWrite(variant.as, direction);
    const head = rule[target] === "wrapper" ? `{${JSON.stringify(partner)}:` : undefined;
    for (const mark of variant[source] ?? []) variants.set(mark, { mark, write, head });
  }
  // With those that have no partner it would be another variant that is found.
  if (rule.variants.some((variant) => variant[target] === undefined)) return whole;
  const find = finder(rule[source], variants);
  const isWrapped = rule[source] === "wrapper";
  return (value, ctx) => {
    const object = value as JsonObject;
    const variant = find(object);
    if (variant === undefined) return whole(value, ctx);
    const { mark, write, head } = variant;
    let text: string | typeof ABSENT;
    if (isWrapped) {
      ctx.path.push(mark);
      text = write(object[mark], ctx);
      ctx.path.pop();
    } else text = write(object, ctx);
    return head === undefined || text === ABSENT ? text : `${head}${text}}`;
  };
}
