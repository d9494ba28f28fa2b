import type { JsonObject, ObjectRule } from "../descriptor.js";
import { withoutAbsent } from "./json.js";
import { ABSENT, oneOf, quote, type Reader, refusal, report, violation } from "./reader.js";

/**
 * Refuses two members of one group, or none of a required group (`A2A-PJ-k`); called where counting does not settle it.
 * The members are those of the decoded `object`; `original` still has the unknown ones, for the message.
 */
export function checkOneofs(
  rule: ObjectRule,
  object: JsonObject,
  original: JsonObject,
  reader: Reader,
): void {
  for (const { members, required } of rule.oneofs ?? []) {
    const set = members.filter((member) => Object.hasOwn(object, member));
    if (set.length === 1 || (set.length === 0 && !required)) continue;
    const found = set.join(" and ") || "none";
    const unknown =
      set.length > 0 ? [] : Object.keys(original).filter((key) => !Object.hasOwn(rule.fields, key));
    const hint = unknown.length > 0 ? `, but unknown ${unknown.slice(0, 5).map(quote).join(", ")}` : "";
    const description = `expected exactly one of ${oneOf(members)}, found ${found}${hint}`;
    throw refusal(reader, [violation(reader, description)], unknown);
  }
}

/** In tolerant mode, where just one of the members `keys` is filled: the object without the empty ones (`""`, `{}`, `[]`, null). */
export function withoutPlaceholders(object: JsonObject, keys: readonly string[], reader: Reader): JsonObject {
  const empty = keys.filter((key) => {
    const value = object[key];
    return value === "" || value == null || (typeof value === "object" && Object.keys(value).length === 0);
  });
  if (!reader.tolerant || empty.length === 0 || empty.length !== keys.length - 1) return object;
  const copy: Record<string, unknown> = { ...object };
  for (const key of empty) {
    reader.path.push(key);
    report(reader, "empty_placeholder", "dropped");
    reader.path.pop();
    copy[key] = ABSENT;
  }
  return withoutAbsent(copy);
}
