import { isObject } from "../codec/json.js";
import type { ObjectRule, Rule } from "../descriptor.js";

/**
 * A canonical value without the optional members that say nothing: nothing at all, an empty list or an empty map.
 * What a REQUIRED member or the choice of a oneof holds stays, as do members that the table does not know.
 */
export function withoutEmpty(rule: Rule, value: unknown): unknown {
  if (Array.isArray(value))
    return rule.is === "list" ? value.map((item) => withoutEmpty(rule.of, item)) : value;
  if (!isObject(value)) return value;
  if (rule.is === "map") return mapEntries(value, (item) => withoutEmpty(rule.of, item));
  if (rule.is !== "object") return value;
  return mapEntries(value, (item, name) => {
    const of = Object.hasOwn(rule.fields, name) ? rule.fields[name] : undefined;
    if (of === undefined) return item;
    return isNeeded(rule, name) || !saysNothing(of, item) ? withoutEmpty(of, item) : undefined;
  });
}

const isNeeded = (rule: ObjectRule, name: string): boolean =>
  rule.required?.includes(name) === true ||
  rule.oneofs?.some(({ members }) => members.includes(name)) === true;

function saysNothing(rule: Rule, value: unknown): boolean {
  if (rule.is === "list") return Array.isArray(value) && value.length === 0;
  return (rule.is === "map" || rule.is === "struct") && isObject(value) && Object.keys(value).length === 0;
}

function mapEntries(
  object: Readonly<Record<string, unknown>>,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const changed = value === undefined ? undefined : change(value, name);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}
