import type { JsonObject, ObjectRule } from "../descriptor.js";
import { oneOf, quote, type Reader, refusal, violation } from "./reader.js";

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
