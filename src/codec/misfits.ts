import type { Rule } from "../descriptor.js";
import { isObject, memberOf } from "./json.js";
import { fieldsOf } from "./object.js";
import { variantOf } from "./variant-of.js";

/** How deep a value is looked at, and how many elements of a list or map: enough to tell shapes apart. */
const LEVELS = 6;
const ELEMENTS = 3;

/**
 * How much of a value a table has no place for: unknown members and names, kinds of values that it does not expect. Of
 * two tables that are two spellings of one thing, the value is of the one that it fits better.
 */
export function misfits(rule: Rule, value: unknown, levels = LEVELS): number {
  if (value === undefined || value === null || levels === 0) return 0;
  const inner = (of: Rule, item: unknown): number => misfits(of, item, levels - 1);
  const sum = (of: Rule, items: readonly unknown[]): number =>
    items.slice(0, ELEMENTS).reduce<number>((total, item) => total + inner(of, item), 0);
  switch (rule.is) {
    case "object": {
      if (!isObject(value)) return 1;
      const fields = fieldsOf(rule);
      return Object.entries(value).reduce((total, [key, item]) => {
        const known = fields.get(key)?.rule ?? rule.fields[memberOf(rule.legacy, key) ?? ""];
        return total + (known === undefined ? 1 : inner(known, item));
      }, 0);
    }
    case "list":
      return Array.isArray(value) ? sum(rule.of, value) : 1;
    case "map":
      return isObject(value) ? sum(rule.of, Object.values(value)) : 1;
    case "enum":
      return typeof value === "string" && !rule.values.includes(value) ? 1 : 0;
    case "literal":
      return value === rule.value ? 0 : 1;
    case "tagged":
    case "choice": {
      if (!isObject(value)) return 1;
      const variant = variantOf(rule, value);
      return variant === undefined ? Math.max(1, Object.keys(value).length) : misfits(variant, value, levels);
    }
    case "anyOf":
      return Math.min(...rule.of.map((of) => misfits(of, value, levels)));
    case "null":
      return 1;
    case "boolean":
      return typeof value === "boolean" ? 0 : 1;
    case "string":
    case "bytes":
    case "timestamp":
      return typeof value === "string" ? 0 : 1;
    case "struct":
      return isObject(value) ? 0 : 1;
    default:
      return 0;
  }
}
