import type { AnyOfRule, ChoiceRule, JsonObject, Rule, TaggedRule } from "../descriptor.js";
import { isObject } from "./json.js";
import { isPlaceholder, without } from "./oneof.js";
import { readRule } from "./read.js";
import { kindOf, mismatch, oneOf, quote, type Reader, Refusal, refuse, report } from "./refusal.js";

/** A union told apart by its tag; in tolerant mode a missing tag is inferred from the members that are there. */
export function readTagged(rule: TaggedRule, value: unknown, reader: Reader): unknown {
  if (!isObject(value)) mismatch(reader, "an object", value);
  const tag: unknown = Object.hasOwn(value, rule.tag) ? value[rule.tag] : undefined;
  if (typeof tag === "string" || typeof tag === "number") {
    const variant = Object.hasOwn(rule.variants, tag) ? rule.variants[tag] : rule.otherwise;
    if (variant !== undefined) return readRule(variant, value, reader);
  } else if (tag === undefined || tag === null) {
    if (rule.otherwise !== undefined) return readRule(rule.otherwise, value, reader);
    const inferred = reader.tolerant ? inferTag(rule, value) : undefined;
    const variant = inferred === undefined ? undefined : rule.variants[inferred];
    if (inferred !== undefined && variant !== undefined) {
      report(reader, "tag_inferred", `a missing ${rule.tag} is read as ${inferred}`);
      return readRule(variant, { ...value, [rule.tag]: inferred }, reader);
    }
  }
  reader.path.push(rule.tag);
  const found = typeof tag === "string" ? quote(tag) : kindOf(tag);
  refuse(reader, `expected ${oneOf(Object.keys(rule.variants).map(quote))}, found ${found}`);
}

/** The one variant that has the most of its required members present, if it is one. */
function inferTag(rule: TaggedRule, value: JsonObject): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const [tag, variant] of Object.entries(rule.variants)) {
    const required = variant.is === "object" ? (variant.required ?? []) : [];
    const present = required.filter((name) => Object.hasOwn(value, name) && value[name] !== null).length;
    if (present === most) best = undefined;
    if (present > most) {
      best = tag;
      most = present;
    }
  }
  return best;
}

/** A union told apart by which member is present. */
export function readChoice(rule: ChoiceRule, value: unknown, reader: Reader): unknown {
  if (!isObject(value)) mismatch(reader, "an object", value);
  let object = value;
  const members = rule.variants.map(([member]) => member);
  let present = members.filter((member) => Object.hasOwn(object, member) && object[member] !== undefined);
  if (present.length > 1 && rule.exclusive) {
    const filled = present.filter((member) => !isPlaceholder(object[member]));
    if (!reader.tolerant || filled.length !== 1) {
      refuse(reader, `expected exactly one of ${oneOf(members)}, found ${present.join(" and ")}`);
    }
    const dropped = present;
    object = without(object, (key) => dropped.includes(key) && !filled.includes(key), reader);
    present = filled;
  }
  const variant = rule.variants.find(([member]) => member === present[0])?.[1] ?? rule.otherwise;
  if (variant === undefined) refuse(reader, `expected an object with ${oneOf(members)}, found neither`);
  return readRule(variant, object, reader);
}

/** A union without a mark: the first alternative that accepts; else the error of the one that got furthest. */
export function readAnyOf(rule: AnyOfRule, value: unknown, reader: Reader): unknown {
  const depth = reader.path.length;
  const problems = reader.problems?.length;
  let best: Refusal | undefined;
  for (const alternative of rule.of) {
    try {
      return readRule(alternative, value, reader);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (best === undefined || error.depth > best.depth) best = error;
      reader.path.length = depth;
      if (reader.problems !== undefined && problems !== undefined) reader.problems.length = problems;
    }
  }
  if (best !== undefined && best.depth > depth) throw best;
  mismatch(reader, oneOf(rule.of.map(describe)), value);
}

/** What a rule wants, in a word or two. */
function describe(rule: Rule): string {
  switch (rule.is) {
    case "literal":
      return JSON.stringify(rule.value);
    case "enum":
    case "object":
    case "tagged":
    case "choice":
      return `a ${rule.name}`;
    case "list":
      return "a list";
    case "map":
    case "struct":
      return "an object";
    case "anyOf":
      return oneOf(rule.of.map(describe));
    case "null":
      return "null";
    default:
      return `a ${rule.is}`;
  }
}
