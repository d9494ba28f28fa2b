import type { ObjectRule, Rule } from "../descriptor.js";
import { explicitMembers } from "../versions/pivot.js";

/** What is done with members that the schema does not know. */
type Unknown = "kept" | "dropped";

/**
 * A value reduced to what counts, by its table (A2A-8.4.1): REQUIRED members and those with presence stay as they are,
 * other members that equal their default go, `null` is absent. Free-form values are never touched.
 */
export function canonicalForm(rule: Rule, value: unknown, unknown: Unknown): unknown {
  switch (rule.is) {
    case "object":
      return isObject(value) ? message(rule, value, unknown) : value;
    case "list":
      return Array.isArray(value) ? value.map((item) => canonicalForm(rule.of, item, unknown)) : value;
    case "map":
      return isObject(value)
        ? fromEntries(Object.entries(value).map(([name, of]) => [name, canonicalForm(rule.of, of, unknown)]))
        : value;
    default:
      return value;
  }
}

function message(rule: ObjectRule, value: Readonly<Record<string, unknown>>, unknown: Unknown): unknown {
  const kept = [...(rule.required ?? []), ...(explicitMembers.get(rule) ?? [])];
  return fromEntries(
    Object.entries(value).flatMap(([name, given]) => {
      const of = Object.hasOwn(rule.fields, name) ? rule.fields[name] : undefined;
      if (of === undefined) return unknown === "kept" && given !== undefined ? [[name, given] as const] : [];
      return isWritten(given, of, kept.includes(name))
        ? [[name, canonicalForm(of, given, unknown)] as const]
        : [];
    }),
  );
}

const isWritten = (value: unknown, rule: Rule, kept: boolean): boolean => {
  if (value === undefined || (value === null && rule.is !== "json")) return false;
  return kept || !isDefaultOf(rule, value);
};

/** Whether a value is the default of its kind in protobuf; messages and free-form values have none. */
const isDefaultOf = (rule: Rule, value: unknown): boolean => {
  switch (rule.is) {
    case "string":
    case "bytes":
      return value === "";
    case "boolean":
      return value === false;
    case "int32":
    case "integer":
    case "number":
      return value === 0;
    case "int64":
      return value === 0 || value === "0";
    case "enum":
      return value === rule.values[0] || value === 0;
    case "list":
      return Array.isArray(value) && value.length === 0;
    case "map":
      return isObject(value) && Object.keys(value).length === 0;
    default:
      return false;
  }
};

/** Own properties, whatever they are called: assigning `__proto__` would lose it. */
const fromEntries = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
