import type { JsonObject, ObjectRule } from "../descriptor.js";
import { oneOf, quote, type Reader, refusal, report, violation } from "./reader.js";

/** Exactly one member of a required group, at most one of another (`A2A-PJ-k`); called where counting does not settle it. */
export function settleOneofs(
  rule: ObjectRule,
  object: JsonObject,
  original: JsonObject,
  reader: Reader,
): JsonObject {
  let result = object;
  for (const { members, required } of rule.oneofs ?? []) {
    const set = members.filter((member) => Object.hasOwn(object, member));
    if (set.length === 1 || (set.length === 0 && !required)) continue;
    const settled = withoutPlaceholders(result, set, reader);
    if (settled === undefined) {
      const unknown =
        set.length > 0 ? [] : Object.keys(original).filter((key) => !Object.hasOwn(rule.fields, key));
      const hint = unknown.length > 0 ? `, but unknown ${unknown.slice(0, 5).map(quote).join(", ")}` : "";
      const description = `expected exactly one of ${oneOf(members)}, found ${set.join(" and ") || "none"}${hint}`;
      throw refusal(reader, [violation(reader, description)], unknown);
    }
    result = settled;
  }
  return result;
}

/** In tolerant mode: the object with the one filled member of `set`, the empty ones (`""`, `{}`, `[]`, null) dropped and reported. */
export function withoutPlaceholders(
  object: JsonObject,
  set: readonly string[],
  reader: Reader,
): JsonObject | undefined {
  const isEmpty = (key: string) => {
    const value = object[key];
    return value === "" || value == null || (typeof value === "object" && Object.keys(value).length === 0);
  };
  const empty = set.filter(isEmpty);
  if (!reader.tolerant || empty.length !== set.length - 1) return undefined;
  const copy = { ...object };
  for (const key of empty) {
    report(reader, "empty_placeholder", "an empty member beside the filled one was dropped", key);
    delete copy[key];
  }
  return copy;
}
