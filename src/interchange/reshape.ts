import { isObject } from "../codec/json.js";
import { fieldsOf } from "../codec/object.js";
import { report, type Reader } from "../codec/reader.js";
import type { Loss } from "../convert/types.js";
import type { JsonObject, Rule } from "../descriptor.js";

/** What is known while one value is read. */
export interface Reading {
  readonly reader: Reader;
  readonly losses: Loss[] | undefined;
}

/** Makes of an object what the table of the newest version can read; returns the object itself where it need not. */
export type Reshape = (value: JsonObject, reading: Reading) => JsonObject;

/** An object of 0.x whose members are those of 1.x: what else it has goes (`kind`, `final`), each with a report. */
export function withoutUnknown(rule: Rule, value: JsonObject, reader: Reader): JsonObject {
  if (rule.is !== "object") return value;
  const known = fieldsOf(rule);
  const kept = Object.entries(value).filter(([name]) => {
    if (known.has(name) || Object.hasOwn(rule.legacy ?? {}, name)) return true;
    reader.path.push(name);
    report(reader, "legacy_member", "dropped");
    reader.path.pop();
    return false;
  });
  return Object.fromEntries(kept);
}

/** A reshape for objects that differ by nothing else, where `isLegacy` finds a mark of 0.x. */
export const unmarked =
  (rule: Rule, isLegacy: (value: JsonObject) => boolean): Reshape =>
  (value, { reader }) =>
    isLegacy(value) ? withoutUnknown(rule, value, reader) : value;

/** The first member of these names that is an object. */
export const objectIn = (value: JsonObject, ...names: readonly string[]): JsonObject | undefined =>
  names.map((name) => value[name]).find(isObject);
