import type { AnyOfRule, ChoiceRule, JsonObject, Rule, TaggedRule } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { memberOf } from "./json.js";
import { readRule } from "./read.js";
import { mismatch, objectOf, oneOf, quote, type Reader, refuse } from "./reader.js";

/** The alternative that an object is by its tag; undefined where there is none. */
export function taggedVariant({ tag, variants, otherwise }: TaggedRule, value: JsonObject): Rule | undefined {
  const found: unknown = memberOf(value, tag);
  const known = typeof found === "string" || typeof found === "number";
  return (known ? memberOf(variants, String(found)) : undefined) ?? otherwise;
}

/** A union told apart by its tag. */
export function readTagged(rule: TaggedRule, given: unknown, reader: Reader): unknown {
  const value = objectOf(given, reader);
  const { tag, variants } = rule;
  const variant = taggedVariant(rule, value);
  if (variant !== undefined) return readRule(variant, value, reader);
  reader.path.push(tag);
  const found = quote(memberOf(value, tag));
  return refuse(reader, `expected ${oneOf(Object.keys(variants).map(quote))}, found ${found}`);
}

/** A union told apart by which member is present. */
export function readChoice(rule: ChoiceRule, given: unknown, reader: Reader): unknown {
  const value = objectOf(given, reader);
  const { variants, exclusive, otherwise } = rule;
  const members = variants.map(([member]) => member);
  const present = variants.filter(([member]) => Object.hasOwn(value, member));
  const variant = present[0]?.[1] ?? otherwise;
  if (variant !== undefined && !(exclusive && present.length > 1)) return readRule(variant, value, reader);
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
