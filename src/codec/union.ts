import type { AnyOfRule, ChoiceRule, JsonObject, Rule, TaggedRule } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { isObject } from "./json.js";
import { type Field, fieldsOf } from "./object.js";
import { withoutPlaceholders } from "./oneof.js";
import { readRule } from "./read.js";
import { mismatch, oneOf, quote, type Reader, refuse, report } from "./reader.js";

/** A union told apart by its tag; in tolerant mode a missing tag is inferred from the members that are there. */
export function readTagged(rule: TaggedRule, value: unknown, reader: Reader): unknown {
  if (!isObject(value)) mismatch(reader, "an object", value);
  const { tag, variants, otherwise } = rule;
  const found: unknown = Object.hasOwn(value, tag) ? value[tag] : undefined;
  const known = (typeof found === "string" || typeof found === "number") && Object.hasOwn(variants, found);
  const variant = known ? variants[found] : otherwise;
  if (variant !== undefined) return readRule(variant, value, reader);
  const inferred = reader.tolerant && found == null ? inferTag(rule, value) : undefined;
  if (inferred !== undefined) {
    report(reader, "missing_tag", `read as ${inferred}`);
    return readTagged(rule, { ...value, [tag]: inferred }, reader);
  }
  reader.path.push(tag);
  return refuse(reader, `expected ${oneOf(Object.keys(variants).map(quote))}, found ${quote(found)}`);
}

/** The variant that has the most of its required members present, if it is one. */
function inferTag({ variants }: TaggedRule, value: JsonObject): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const [tag, variant] of Object.entries(variants)) {
    const present = spelled(variant, value).filter((field) => field.required).length;
    if (present === most) best = undefined;
    if (present > most) {
      best = tag;
      most = present;
    }
  }
  return best;
}

/** The fields of an object rule that a value has, in whatever spelling. */
function spelled(rule: Rule, value: JsonObject): readonly Field[] {
  if (rule.is !== "object") return [];
  const fields = fieldsOf(rule);
  return Object.keys(value).flatMap((key) => (value[key] === null ? [] : (fields.get(key) ?? [])));
}

/** A union told apart by which member is present. */
export function readChoice(rule: ChoiceRule, value: unknown, reader: Reader): unknown {
  if (!isObject(value)) mismatch(reader, "an object", value);
  const { variants, exclusive, otherwise } = rule;
  const members = variants.map(([member]) => member);
  const names = members.filter((member) => Object.hasOwn(value, member));
  const object = exclusive ? withoutPlaceholders(value, names, reader) : value;
  const present = variants.filter(
    ([member, of]) =>
      Object.hasOwn(object, member) ||
      (reader.tolerant && spelled(of, object).some(({ name }) => name === member)),
  );
  const variant = present[0]?.[1] ?? otherwise;
  if (variant !== undefined && !(exclusive && present.length > 1)) return readRule(variant, object, reader);
  const found = present.map(([member]) => member).join(" and ") || "none";
  return refuse(reader, `expected exactly one of ${oneOf(members)}, found ${found}`);
}

/** A union without a mark: the first alternative that accepts; else the error of the one that got furthest. */
export function readAnyOf(rule: AnyOfRule, value: unknown, reader: Reader): unknown {
  const { path, problems } = reader;
  const depth = path.length;
  const reported = problems?.length ?? 0;
  const expected: string[] = [];
  let best: A2AError | undefined;
  let furthest = -1;
  for (const alternative of rule.of) {
    try {
      return readRule(alternative, value, reader);
    } catch (error) {
      if (!(error instanceof A2AError)) throw error;
      if (path.length === depth && reader.expected !== undefined) expected.push(reader.expected);
      else if (path.length > furthest) {
        best = error;
        furthest = path.length;
      }
      path.length = depth;
      if (problems !== undefined) problems.length = reported;
    }
  }
  // One that accepts the kind of value was meant more than one that does not.
  throw best ?? mismatch(reader, oneOf(expected), value);
}
