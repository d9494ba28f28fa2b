import type { JsonObject, ObjectRule, OneofRule, Rule } from "../descriptor.js";
import { isObject, membersBefore, put } from "./json.js";
import { readRule } from "./read.js";
import {
  ABSENT,
  kindOf,
  mismatch,
  quote,
  type Reader,
  Refusal,
  refuse,
  report,
  violation,
} from "./refusal.js";
import { settleOneofs } from "./oneof.js";
import { readJson } from "./scalars.js";

/** What is known about one spelling of a field. */
interface Field {
  readonly name: string;
  readonly rule: Rule;
  /** Text that needs no further look. */
  readonly text: boolean;
  /** Null is a value here. */
  readonly nullable: boolean;
  readonly required: boolean;
  readonly member: boolean;
  readonly legacy: boolean;
  /** The enum value that stands for "not set" in requests. */
  readonly unset: string | undefined;
}

interface Plan {
  readonly fields: ReadonlyMap<string, Field>;
  readonly required: number;
  readonly oneofs: readonly OneofRule[] | undefined;
}

const plans = new WeakMap<ObjectRule, Plan>();

/** A message: known members checked and brought to their canonical names and values, copied only where one changes. */
export function readObject(rule: ObjectRule, value: unknown, reader: Reader): unknown {
  if (!isObject(value)) mismatch(reader, "an object", value);
  const plan = plans.get(rule) ?? planOf(rule);
  let out: Record<string, unknown> | undefined;
  let required = 0;
  let members = 0;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const item: unknown = value[key];
    const field = plan.fields.get(key);
    let name = key;
    let read: unknown;
    if (field === undefined || (field.legacy && !isLegacyUse(value, field, reader))) {
      read = readUnknown(key, item, reader);
    } else {
      name = field.name;
      if (field.text && typeof item === "string") read = item;
      else read = readField(rule, field, key, item, reader);
      if (read !== ABSENT) {
        if (name !== key) respelled(value, out, field, key, reader);
        if (field.required) required++;
        if (field.member) members++;
      }
    }
    if (out === undefined && (read !== item || name !== key)) out = membersBefore(value, key);
    if (out !== undefined && read !== ABSENT) put(out, name, read);
  }
  const result = (out ?? value) as JsonObject;
  if (required < plan.required) refuseMissing(rule, value, result, reader);
  if (plan.oneofs !== undefined && (members !== 1 || plan.oneofs.length > 1)) {
    return settleOneofs(rule, plan.oneofs, result, value, reader);
  }
  return result;
}

function planOf(rule: ObjectRule): Plan {
  const fields = new Map<string, Field>();
  const add = (spelling: string, name: string, legacy: boolean) => {
    const of = rule.fields[name];
    if (of === undefined || fields.has(spelling)) return;
    fields.set(spelling, {
      name,
      rule: of,
      text: of.is === "string" && of.blank === undefined,
      nullable: takesNull(of),
      required: rule.required?.includes(name) ?? false,
      member: rule.oneofs?.some((oneof) => oneof.members.includes(name)) ?? false,
      legacy,
      unset: of.is === "enum" ? of.values[of.numbers?.indexOf(0) ?? -1] : undefined,
    });
  };
  for (const name of Object.keys(rule.fields)) add(name, name, false);
  for (const [spelling, name] of Object.entries(rule.aliases ?? {})) add(spelling, name, false);
  for (const [spelling, name] of Object.entries(rule.legacy ?? {})) add(spelling, name, true);
  const plan = { fields, required: rule.required?.length ?? 0, oneofs: rule.oneofs };
  plans.set(rule, plan);
  return plan;
}

function takesNull(rule: Rule): boolean {
  return rule.is === "json" || rule.is === "null" || (rule.is === "anyOf" && rule.of.some(takesNull));
}

/** Unknown members never reach a task, and are kept in replies: signatures cover them. */
function readUnknown(key: string, item: unknown, reader: Reader): unknown {
  if (reader.request) {
    report(reader, "unknown_field", "an unknown field was dropped", key);
    return ABSENT;
  }
  reader.path.push(key);
  readJson(item, reader);
  reader.path.pop();
  return item;
}

function readField(rule: ObjectRule, field: Field, key: string, item: unknown, reader: Reader): unknown {
  if (item === undefined) return ABSENT;
  if (item === null && !field.nullable) {
    if (rule.proto) return ABSENT;
    if (reader.tolerant) {
      report(reader, "null_field", "null is read as absent", key);
      return ABSENT;
    }
  }
  reader.path.push(key);
  const read = readRule(field.rule, item, reader);
  if (read === ABSENT && !field.required && !isDroppable(field.rule)) refuse(reader, `must not be empty`);
  reader.path.pop();
  return read === field.unset && reader.request ? ABSENT : read;
}

function isDroppable(rule: Rule): boolean {
  return rule.is === "string" && rule.blank === "absent";
}

/** A spelling of another generation counts in tolerant mode, and only where the right one is missing. */
function isLegacyUse(value: JsonObject, field: Field, reader: Reader): boolean {
  return reader.tolerant && !Object.hasOwn(value, field.name);
}

function respelled(
  value: JsonObject,
  out: Record<string, unknown> | undefined,
  field: Field,
  key: string,
  reader: Reader,
): void {
  const { name } = field;
  if (
    (Object.hasOwn(value, name) && value[name] !== null) ||
    (out !== undefined && Object.hasOwn(out, name))
  ) {
    refuse(reader, `the same field is given twice: ${name} and ${key}`);
  }
  if (field.legacy) report(reader, "legacy_name", `read as ${name}`, key);
}

/** All missing REQUIRED members of the object at once (`A2A-5.7-b`). */
function refuseMissing(rule: ObjectRule, value: JsonObject, result: JsonObject, reader: Reader): never {
  const missing = (rule.required ?? []).filter((name) => !Object.hasOwn(result, name));
  const violations = missing.map((name) => {
    const found: unknown = Object.hasOwn(value, name) ? value[name] : undefined;
    const what = typeof found === "string" && found !== "" ? quote(found) : kindOf(found);
    return violation(
      reader,
      found === undefined ? "required, but missing" : `required, but found ${what}`,
      name,
    );
  });
  throw new Refusal(violations, reader.path.length);
}
