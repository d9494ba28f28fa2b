/** What in a JSON value does not belong to the version whose rule it is held against: members, names of enums, constants. */
import type { Rule } from "../../../src/descriptor.js";

/** Pointers of everything that the rule does not know. */
export function strays(rule: Rule, value: unknown, at = ""): string[] {
  if (value === undefined) return [];
  switch (rule.is) {
    case "literal":
      return value === rule.value ? [] : [`${at} = ${JSON.stringify(value)}`];
    case "enum":
      return rule.values.includes(value as string) ? [] : [`${at} = ${JSON.stringify(value)}`];
    case "list":
      return Array.isArray(value)
        ? value.flatMap((item, i) => strays(rule.of, item, `${at}/${String(i)}`))
        : [at];
    case "map":
      return entriesOf(value).flatMap(([name, item]) => strays(rule.of, item, `${at}/${name}`));
    case "object":
      return entriesOf(value).flatMap(([name, item]) => {
        const field = Object.hasOwn(rule.fields, name) ? rule.fields[name] : undefined;
        return field === undefined ? [`${at}/${name}`] : strays(field, item, `${at}/${name}`);
      });
    case "tagged": {
      const tag = (value as Record<string, unknown>)[rule.tag];
      const variant =
        typeof tag === "string" && Object.hasOwn(rule.variants, tag) ? rule.variants[tag] : rule.otherwise;
      return variant === undefined
        ? [`${at}/${rule.tag} = ${JSON.stringify(tag)}`]
        : strays(variant, value, at);
    }
    case "choice": {
      const found =
        rule.variants.find(([member]) => Object.hasOwn(value as object, member))?.[1] ?? rule.otherwise;
      return found === undefined
        ? [`${at} is none of ${rule.variants.map(([member]) => member).join(", ")}`]
        : strays(found, value, at);
    }
    case "anyOf":
      return fewest(rule.of.map((one) => strays(one, value, at)));
    case "null":
      return value === null ? [] : [at];
    default:
      // Scalars and free JSON have no names of their own.
      return [];
  }
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

const fewest = (all: string[][]): string[] => all.toSorted((a, b) => a.length - b.length)[0] ?? [];
