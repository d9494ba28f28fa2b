import type { EnumRule, ListRule, MapRule, Rule } from "../descriptor.js";
import { readObject } from "./object.js";
import { ABSENT, MAX_DEPTH, mismatch, objectOf, oneOf, quote, type Reader, refuse } from "./reader.js";
import { readScalar } from "./scalars.js";
import { readAnyOf, readChoice, readTagged } from "./union.js";

/** Reads one value by its rule: the canonical value, which is the value itself wherever it was canonical. */
export function readRule(rule: Rule, value: unknown, reader: Reader): unknown {
  if (reader.path.length >= MAX_DEPTH) refuse(reader, `nested deeper than ${String(MAX_DEPTH)} levels`);
  if (reader.mode !== undefined) value = reader.mode(rule, value, reader);
  switch (rule.is) {
    case "string":
      if (typeof value !== "string") mismatch(reader, "a string", value);
      return value === "" && rule.blank !== undefined ? ABSENT : value;
    case "object":
      return readObject(rule, value, reader);
    case "list":
      if (!Array.isArray(value)) mismatch(reader, "a list", value);
      return value.length < (rule.min ?? 0) && !reader.keepsEmpty ? ABSENT : readItems(rule, value, reader);
    case "enum":
      return readEnum(rule, value, reader);
    case "map":
      return readItems(rule, objectOf(value, reader), reader);
    case "literal":
      return value === rule.value ? value : mismatch(reader, JSON.stringify(rule.value), value);
    case "tagged":
      return readTagged(rule, value, reader);
    case "choice":
      return readChoice(rule, value, reader);
    case "anyOf":
      return readAnyOf(rule, value, reader);
    default:
      return readScalar(rule.is, value, reader);
  }
}

/** A name, or a number where the enum has them → the name (`A2A-PJ-f`); unknown ones are kept as text in replies. */
function readEnum({ values, numbers }: EnumRule, value: unknown, reader: Reader): unknown {
  const known = typeof value === "number" ? values[numbers?.indexOf(value) ?? -1] : value;
  if (typeof known === "string") {
    const at = values.indexOf(known);
    // The zero of protobuf stands for "not set", which the caller of an operation cannot mean (`A2A-4.1.5-a`).
    if (at >= 0) return reader.request && !reader.keepZero && numbers?.[at] === 0 ? ABSENT : known;
    if (!reader.request) return known;
  } else if (!reader.request && numbers !== undefined && Number.isInteger(value)) return String(value);
  return refuse(reader, `expected ${oneOf(values)}, found ${quote(value)}`);
}

/** The elements of a list or the values of a map. */
function readItems<T extends object>({ of }: ListRule | MapRule, value: T, reader: Reader): T {
  const { path } = reader;
  const items = value as Record<string | number, unknown>;
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const { length } = keys ?? (value as unknown as readonly unknown[]);
  let out: typeof items | undefined;
  for (let index = 0; index < length; index++) {
    const key = keys?.[index] ?? index;
    const item = items[key];
    path.push(key);
    const read = readRule(of, item, reader);
    if (read === ABSENT) refuse(reader, "must not be empty");
    path.pop();
    if (read === item) continue;
    out ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as typeof items;
    out[key] = read;
  }
  return (out as T | undefined) ?? value;
}
