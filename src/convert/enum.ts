import type { EnumConversion } from "../descriptor.js";
import { memberOf } from "../codec/json.js";
import { quote } from "../codec/reader.js";
import { type Direction, refuse, report, type Run } from "./context.js";

/** Names of an enum; a name without a partner becomes the nearest one or the fallback, or is refused. */
export function compileEnum({ pairs, fallback, nearest }: EnumConversion, direction: Direction): Run {
  const isUp = direction === "up";
  const names = new Map(pairs.map(([older, newer]) => (isUp ? [older, newer] : [newer, older])));
  const instead = isUp ? nearest?.older : nearest?.newer;
  const otherwise = isUp ? fallback?.newer : fallback?.older;
  return (value, ctx) => {
    const name = names.get(value as string);
    if (name !== undefined) return name;
    const other = memberOf(instead, String(value)) ?? otherwise;
    if (other === undefined) refuse(ctx, `${quote(value)} has no counterpart in the other version`);
    report(ctx, "dropped");
    return other;
  };
}
