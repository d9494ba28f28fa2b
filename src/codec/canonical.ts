import type { JsonObject, ObjectRule, Rule } from "../descriptor.js";
import type { isJson } from "./json.js";
import type { fieldsOf } from "./object.js";

/** What decoding uses as well: it is handed over, so that bundlers can keep this file apart from it. */
export interface CanonicalParts {
  readonly fieldsOf: typeof fieldsOf;
  readonly isJson: typeof isJson;
}

/** Levels of nesting that are looked at: no more than are decoded. */
const MAX_DEPTH = 100;

/** A time that is canonical whatever the calendar says: in UTC, on a day that every month has, of this millennium. */
const PLAIN_INSTANT =
  /^2\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?Z$/;

/**
 * Says of a value of a reply, which stands `depth` levels below its root, whether `decode` would certainly return it as it
 * came, in every mode and without a problem to report. False says nothing: the value is to be decoded then.
 */
export type CanonicalCheck = (value: unknown, depth: number) => boolean;

const checks = new WeakMap<Rule, CanonicalCheck>();

/**
 * The check of a rule, made once. It is for streams, whose events nearly all are canonical and alike: it keeps no account
 * of where it stands, and looks a member up only where the value before had another one in its place.
 */
export function canonicalCheck(rule: Rule, parts: CanonicalParts): CanonicalCheck {
  const known = checks.get(rule);
  if (known !== undefined) return known;
  const check = checkOf(rule, parts);
  checks.set(rule, check);
  return check;
}

function checkOf(rule: Rule, parts: CanonicalParts): CanonicalCheck {
  const { isJson } = parts;
  switch (rule.is) {
    case "string": {
      const { blank } = rule;
      return (value) => typeof value === "string" && (value !== "" || blank === undefined);
    }
    case "object":
      return objectCheck(rule, parts);
    case "list": {
      const { of, min = 0 } = rule;
      return (value, depth) =>
        Array.isArray(value) &&
        value.length >= min &&
        depth + 1 < MAX_DEPTH &&
        all(value, canonicalCheck(of, parts), depth + 1);
    }
    case "map": {
      const { of } = rule;
      return (value, depth) =>
        isObject(value) &&
        depth + 1 < MAX_DEPTH &&
        all(Object.values(value), canonicalCheck(of, parts), depth + 1);
    }
    case "enum":
      return (value) => typeof value === "string" && rule.values.includes(value);
    case "tagged":
      return (value, depth) => {
        if (!isObject(value) || !Object.hasOwn(value, rule.tag)) return false;
        const tag = value[rule.tag];
        const variant = typeof tag === "string" && Object.hasOwn(rule.variants, tag) && rule.variants[tag];
        return typeof variant === "object" && canonicalCheck(variant, parts)(value, depth);
      };
    case "boolean":
      return (value) => typeof value === "boolean";
    case "int32":
      return (value) => typeof value === "number" && (value | 0) === value;
    case "literal":
      return (value) => value === rule.value;
    case "timestamp":
      return (value) => typeof value === "string" && PLAIN_INSTANT.test(value);
    case "struct":
      return (value, depth) => isObject(value) && isJson(value, MAX_DEPTH - depth);
    case "json":
      return (value, depth) => value !== null && isJson(value, MAX_DEPTH - depth);
    default:
      return () => false;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function all(values: readonly unknown[], check: CanonicalCheck, depth: number): boolean {
  for (const value of values) if (!check(value, depth)) return false;
  return true;
}

interface Member {
  readonly check: CanonicalCheck;
  /** 1 where it is REQUIRED. */
  readonly required: number;
  /** 1 where it is of a oneof. */
  readonly member: number;
}

/** Every member under its own name, none of them null, all that are REQUIRED, and just one of a oneof. */
function objectCheck(rule: ObjectRule, parts: CanonicalParts): CanonicalCheck {
  const { required: names = [], oneofs = [] } = rule;
  // As the object before had them.
  const keys: string[] = [];
  const members: Member[] = [];
  const met = new Map<string, Member>();
  return (value, depth) => {
    if (!isObject(value) || depth + 1 >= MAX_DEPTH) return false;
    let at = 0;
    let required = 0;
    let set = 0;
    for (const key in value) {
      let member = members[at];
      if (member === undefined || keys[at] !== key) {
        member = met.get(key) ?? memberCheck(rule, key, parts);
        if (member === undefined) return false;
        met.set(key, member);
        keys[at] = key;
        members[at] = member;
      }
      at += 1;
      const item = value[key];
      if (item === null || !member.check(item, depth + 1)) return false;
      required += member.required;
      set += member.member;
    }
    return required === names.length && (oneofs.length === 0 || (oneofs.length === 1 && set === 1));
  };
}

/** Undefined where there is no such member, or not under that name. */
function memberCheck(rule: ObjectRule, key: string, parts: CanonicalParts): Member | undefined {
  const field = parts.fieldsOf(rule).get(key);
  if (field?.name !== key) return undefined;
  return {
    check: canonicalCheck(field.rule, parts),
    required: field.required ? 1 : 0,
    member: field.member ? 1 : 0,
  };
}
