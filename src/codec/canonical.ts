import type { ObjectRule, Rule } from "../descriptor.js";
import { isJson, isObject, memberOf } from "./json.js";
import { fieldsOf } from "./object.js";
import { MAX_DEPTH } from "./reader.js";
import { isPlainInstant } from "./scalars.js";

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
export function canonicalCheck(rule: Rule): CanonicalCheck {
  const known = checks.get(rule);
  if (known !== undefined) return known;
  const check = checkOf(rule);
  checks.set(rule, check);
  return check;
}

function checkOf(rule: Rule): CanonicalCheck {
  switch (rule.is) {
    case "string": {
      const { blank } = rule;
      return (value) => typeof value === "string" && (value !== "" || blank === undefined);
    }
    case "object":
      return objectCheck(rule);
    case "list": {
      const { of, min = 0 } = rule;
      return (value, depth) =>
        Array.isArray(value) &&
        value.length >= min &&
        depth + 1 < MAX_DEPTH &&
        all(value, canonicalCheck(of), depth + 1);
    }
    case "map": {
      const { of } = rule;
      return (value, depth) =>
        isObject(value) && depth + 1 < MAX_DEPTH && all(Object.values(value), canonicalCheck(of), depth + 1);
    }
    case "enum":
      return (value) => typeof value === "string" && rule.values.includes(value);
    case "tagged":
      return (value, depth) => {
        const tag: unknown = isObject(value) ? memberOf(value, rule.tag) : undefined;
        const variant = typeof tag === "string" ? memberOf(rule.variants, tag) : undefined;
        return variant !== undefined && canonicalCheck(variant)(value, depth);
      };
    case "boolean":
      return (value) => typeof value === "boolean";
    case "int32":
      return (value) => typeof value === "number" && (value | 0) === value;
    case "literal":
      return (value) => value === rule.value;
    case "timestamp":
      return isPlainInstant;
    case "struct":
      return (value, depth) => isObject(value) && isJson(value, MAX_DEPTH - depth);
    case "json":
      return (value, depth) => value !== null && isJson(value, MAX_DEPTH - depth);
    default:
      return () => false;
  }
}

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
function objectCheck(rule: ObjectRule): CanonicalCheck {
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
        member = met.get(key) ?? memberCheck(rule, key);
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
function memberCheck(rule: ObjectRule, key: string): Member | undefined {
  const field = fieldsOf(rule).get(key);
  if (field?.name !== key) return undefined;
  return {
    check: canonicalCheck(field.rule),
    required: field.required ? 1 : 0,
    member: field.member ? 1 : 0,
  };
}
