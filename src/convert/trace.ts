import type { ConversionRule, JsonObject, ObjectConversion, UnionConversion } from "../descriptor.js";
import { memberOf } from "../codec/json.js";
import type { Direction } from "./context.js";
import { hooks } from "./hooks.js";
import { sourceOf, targetOf } from "./moves.js";
import { readPath } from "./paths.js";
import { finder } from "./union.js";

type Path = readonly string[];

/**
 * Where a path of a converted value came from: the path in the value that was given. What a rule made up is traced to the
 * object around it.
 */
export function trace(rule: ConversionRule, direction: Direction, given: unknown, path: Path): Path {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  switch (rule.is) {
    case "same":
      return path;
    case "items":
      return [step, ...trace(rule.of, direction, readPath(given, [step]), rest)];
    case "wrap":
      if (rule.side === sourceOf(direction))
        return [rule.member, ...trace(rule.of, direction, readPath(given, [rule.member]), path)];
      return step === rule.member ? trace(rule.of, direction, given, rest) : [];
    case "object":
      return traceMember(rule, direction, given, path);
    case "union":
      return traceVariant(rule, direction, given, path);
    case "hook": {
      const traced = memberOf(hooks, rule.hook)?.trace?.(direction, given, path);
      if (traced !== undefined) return traced;
      return rule.of === undefined ? [] : trace(rule.of, direction, given, path);
    }
    default:
      return [];
  }
}

function traceMember({ members }: ObjectConversion, direction: Direction, given: unknown, path: Path): Path {
  const [source, target] = [sourceOf(direction), targetOf(direction)];
  for (const member of members) {
    const to = member[target]?.split(".");
    const from = member[source]?.split(".");
    if (to === undefined || !to.every((step, index) => step === path[index])) continue;
    // Hooks mostly keep the names of what they take care of.
    if (from === undefined) return member.hooked === true ? path : [];
    const rest = path.slice(to.length);
    const inner = member.as ?? { is: "same" };
    return [...from, ...trace(inner, direction, readPath(given, from), rest)];
  }
  return [];
}

function traceVariant(rule: UnionConversion, direction: Direction, given: unknown, path: Path): Path {
  const [source, target] = [sourceOf(direction), targetOf(direction)];
  const marks = new Map(
    rule.variants.flatMap((variant) =>
      (variant[source] ?? []).map((mark) => [mark, { mark, variant }] as const),
    ),
  );
  const found = finder(rule[source], marks)(given as JsonObject);
  if (found === undefined) return [];
  const inner = found.variant.as ?? { is: "same" };
  const rest = rule[target] === "wrapper" ? path.slice(1) : path;
  return rule[source] === "wrapper"
    ? [found.mark, ...trace(inner, direction, readPath(given, [found.mark]), rest)]
    : trace(inner, direction, given, rest);
}
