import type { EnumRule, ListRule, MapRule, Rule } from "../descriptor.js";
import { isObject, membersBefore, put } from "./json.js";
import { readObject } from "./object.js";
import { ABSENT, kindOf, MAX_DEPTH, mismatch, oneOf, quote, type Reader, refuse, report } from "./refusal.js";
import { readScalar } from "./scalars.js";
import { readAnyOf, readChoice, readTagged } from "./union.js";

/** Reads one value by its rule: the canonical value, which is the value itself wherever it was canonical. */
export function readRule(rule: Rule, value: unknown, reader: Reader): unknown {
  switch (rule.is) {
    case "string":
      if (typeof value !== "string") mismatch(reader, "a string", value);
      return value === "" && rule.blank !== undefined ? ABSENT : value;
    case "object":
      checkDepth(reader);
      return readObject(rule, value, reader);
    case "list":
      checkDepth(reader);
      return readList(rule, value, reader);
    case "enum":
      return readEnum(rule, value, reader);
    case "map":
      checkDepth(reader);
      return readMap(rule, value, reader);
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

function checkDepth(reader: Reader): void {
  if (reader.path.length >= MAX_DEPTH) refuse(reader, `nested deeper than ${String(MAX_DEPTH)} levels`);
}

/** A name, or a number where the enum has them → the name (`A2A-PJ-f`). */
function readEnum(rule: EnumRule, value: unknown, reader: Reader): string {
  if (typeof value === "string") {
    if (rule.values.includes(value)) return value;
    const { legacy } = rule;
    if (reader.tolerant && legacy !== undefined && Object.hasOwn(legacy, value)) {
      const name = legacy[value] ?? value;
      report(reader, "legacy_value", `${quote(value)} is read as ${name}`);
      return name;
    }
    if (!reader.request) return value;
  } else if (typeof value === "number" && rule.numbers !== undefined) {
    const name = rule.values[rule.numbers.indexOf(value)];
    if (name !== undefined) return name;
    if (!reader.request && Number.isInteger(value)) return String(value);
  }
  const found =
    typeof value === "string" ? quote(value) : typeof value === "number" ? String(value) : kindOf(value);
  return refuse(reader, `expected ${oneOf(rule.values)}, found ${found}`);
}

function readList(rule: ListRule, value: unknown, reader: Reader): unknown {
  if (!Array.isArray(value)) mismatch(reader, "a list", value);
  if (value.length === 0 && rule.min !== undefined) return ABSENT;
  const items: readonly unknown[] = value;
  const { of } = rule;
  let out: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    reader.path.push(index);
    const read = readRule(of, item, reader);
    if (read === ABSENT) refuse(reader, "must not be empty");
    reader.path.pop();
    if (out !== undefined) out.push(read);
    else if (read !== item) {
      out = items.slice(0, index);
      out.push(read);
    }
  }
  return out ?? value;
}

function readMap(rule: MapRule, value: unknown, reader: Reader): unknown {
  if (!isObject(value)) mismatch(reader, "an object", value);
  let out: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const item = value[key];
    reader.path.push(key);
    const read = readRule(rule.of, item, reader);
    if (read === ABSENT) refuse(reader, "must not be empty");
    reader.path.pop();
    if (out === undefined && read !== item) out = membersBefore(value, key);
    if (out !== undefined) put(out, key, read);
  }
  return out ?? value;
}
