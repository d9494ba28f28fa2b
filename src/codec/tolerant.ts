import type { ChoiceRule, EnumRule, JsonObject, ObjectRule, Rule, TaggedRule } from "../descriptor.js";
import { isObject, memberOf } from "./json.js";
import { fieldsOf, NULLABLE } from "./object.js";
import { type Reader, refuse, report } from "./reader.js";

/**
 * The mode that also reads what other generations and sloppy peers write: their names and enum values, null for absent,
 * a missing tag, empty members beside the one that is meant, times without a zone, in replies lists without the one element
 * that they should have. Each use is a `Problem`.
 * Values go through here before they are read; it is a function of its own so that strict clients need not carry it.
 */
export function tolerant(rule: Rule, value: unknown, reader: Reader): unknown {
  switch (rule.is) {
    case "enum":
      return renameEnum(rule, value, reader);
    case "timestamp":
      if (typeof value !== "string" || !/T\d\d:\d\d:\d\d(?:\.\d+)?$/.test(value)) return value;
      report(reader, "missing_zone", "read as UTC");
      return `${value}Z`;
    case "list":
      if (!rule.min || !Array.isArray(value) || value.length > 0 || reader.request) return value;
      // Legal in 0.x, and what an agent said is passed on (version mapping 2.2).
      report(reader, "empty_list", "kept");
      reader.keepsEmpty = true;
      return value;
    case "object":
      return isObject(value) ? prepareObject(rule, value, reader) : value;
    case "tagged":
      return isObject(value) ? addTag(rule, value, reader) : value;
    case "choice":
      return isObject(value) ? prepareChoice(rule, value, reader) : value;
    default:
      return value;
  }
}

function renameEnum({ values, legacy }: EnumRule, value: unknown, reader: Reader): unknown {
  const name = typeof value === "string" && !values.includes(value) ? memberOf(legacy, value) : undefined;
  if (name === undefined) return value;
  report(reader, "legacy_value", `read as ${name}`);
  return name;
}

/** Names and nulls first, then the empty members of oneofs: they must be neither checked nor counted. */
function prepareObject(rule: ObjectRule, given: JsonObject, reader: Reader): JsonObject {
  let value = edit(given, reader, (key) => {
    const name = nameOf(rule, key);
    if (name === undefined) return undefined;
    if (given[key] === null && !rule.proto && !NULLABLE.test(rule.fields[name]?.is ?? "")) {
      return ["null_field"];
    }
    const known = fieldsOf(rule).has(key) || Object.hasOwn(given, name);
    return known ? undefined : ["legacy_name", name];
  });
  for (const { members } of rule.oneofs ?? []) {
    value = withoutPlaceholders(value, reader, (key) => {
      const name = fieldsOf(rule).get(key)?.name;
      if (name === undefined || !members.includes(name)) return false;
      // A null that is absent anyway is no placeholder.
      return value[key] !== null || NULLABLE.test(rule.fields[name]?.is ?? "");
    });
  }
  return value;
}

/** Adds the tag of the variant that has the most of its required members present, if it is one. */
function addTag({ tag, variants, otherwise }: TaggedRule, value: JsonObject, reader: Reader): JsonObject {
  if (otherwise !== undefined || memberOf(value, tag) != null) return value;
  let best: string | undefined;
  let most = 0;
  for (const [name, variant] of Object.entries(variants)) {
    if (variant.is !== "object") continue;
    const present = Object.keys(value).filter(
      (key) => value[key] !== null && variant.required?.includes(nameOf(variant, key) ?? ""),
    ).length;
    if (present === most) best = undefined;
    if (present > most) {
      best = name;
      most = present;
    }
  }
  if (best === undefined) return value;
  report(reader, "missing_tag", `read as ${best}`);
  return { ...value, [tag]: best };
}

function prepareChoice(rule: ChoiceRule, given: JsonObject, reader: Reader): JsonObject {
  const value = edit(given, reader, (key) => {
    if (given[key] === null) return undefined;
    const variant = rule.variants.find(([member, of]) => of.is === "object" && nameOf(of, key) === member);
    return variant === undefined || Object.hasOwn(given, variant[0])
      ? undefined
      : ["legacy_name", variant[0]];
  });
  if (!rule.exclusive) return value;
  return withoutPlaceholders(value, reader, (key) => rule.variants.some(([member]) => member === key));
}

/** Where just one of the members is filled: the object without the empty ones (`""`, `{}`, `[]`, null). */
function withoutPlaceholders(
  object: JsonObject,
  reader: Reader,
  isMember: (key: string) => boolean,
): JsonObject {
  const keys = Object.keys(object).filter(isMember);
  const empty = keys.filter((key) => {
    const value = object[key];
    return value === "" || value == null || (typeof value === "object" && Object.keys(value).length === 0);
  });
  if (empty.length !== keys.length - 1) return object;
  return edit(object, reader, (key) => (empty.includes(key) ? ["empty_placeholder"] : undefined));
}

/** The object with members dropped or renamed: `change` gives the code of the report and the new name, if any. */
function edit(
  object: JsonObject,
  reader: Reader,
  change: (key: string) => readonly [code: string, name?: string] | undefined,
): JsonObject {
  const changes = new Map<string, string | undefined>();
  for (const key of Object.keys(object)) {
    const [code, name] = change(key) ?? [];
    if (code === undefined) continue;
    reader.path.push(key);
    if (name !== undefined && [...changes.values()].includes(name)) {
      refuse(reader, `given twice, also as ${name}`);
    }
    report(reader, code, name === undefined ? "dropped" : `read as ${name}`);
    reader.path.pop();
    changes.set(key, name);
  }
  if (changes.size === 0) return object;
  // Entries, unlike assignments, keep a member named `__proto__` harmless.
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      const name = changes.has(key) ? changes.get(key) : key;
      return name === undefined ? [] : [[name, value]];
    }),
  );
}

/** The canonical name of a member, whichever generation spells it. */
const nameOf = (rule: ObjectRule, key: string): string | undefined =>
  fieldsOf(rule).get(key)?.name ?? memberOf(rule.legacy, key);
