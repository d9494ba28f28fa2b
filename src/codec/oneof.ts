import type { JsonObject, ObjectRule, OneofRule } from "../descriptor.js";
import { put } from "./json.js";
import { oneOf, quote, type Reader, Refusal, report, violation } from "./refusal.js";

/** Exactly one member of a required group, at most one of another; called only where the count does not settle it. */
export function settleOneofs(
  rule: ObjectRule,
  oneofs: readonly OneofRule[],
  object: JsonObject,
  original: JsonObject,
  reader: Reader,
): JsonObject {
  let result = object;
  for (const oneof of oneofs) {
    const set = oneof.members.filter((member) => Object.hasOwn(object, member));
    if (set.length === 1 || (set.length === 0 && !oneof.required)) continue;
    const filled = set.filter((member) => !isPlaceholder(object[member]));
    if (!reader.tolerant || set.length === 0 || filled.length !== 1)
      refuseOneof(rule, oneof, set, original, reader);
    result = without(result, (key) => set.includes(key) && !filled.includes(key), reader);
  }
  return result;
}

/** An object without some members, each reported: the empty placeholders beside a filled member. */
export function without(object: JsonObject, drop: (key: string) => boolean, reader: Reader): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) {
    if (drop(key))
      report(reader, "empty_placeholder", "an empty member beside the filled one was dropped", key);
    else put(copy, key, object[key]);
  }
  return copy;
}

/** `""`, `{}`, `[]` or null. */
export function isPlaceholder(value: unknown): boolean {
  return value === "" || value == null || (typeof value === "object" && Object.keys(value).length === 0);
}

function refuseOneof(
  rule: ObjectRule,
  oneof: OneofRule,
  set: readonly string[],
  original: JsonObject,
  reader: Reader,
): never {
  const unknown =
    set.length > 0 ? [] : Object.keys(original).filter((key) => !Object.hasOwn(rule.fields, key));
  const found = set.length > 0 ? set.join(" and ") : "none";
  const hint = unknown.length > 0 ? ` (unknown here: ${unknown.slice(0, 5).map(quote).join(", ")})` : "";
  const description = `expected exactly one of ${oneOf(oneof.members)}, found ${found}${hint}`;
  throw new Refusal([violation(reader, description)], reader.path.length, unknown);
}
