import type { ObjectRule, Rule } from "../descriptor.js";
import { isObject } from "./json.js";
import { settleOneofs } from "./oneof.js";
import { readRule } from "./read.js";
import { ABSENT, mismatch, quote, type Reader, refusal, refuse, report, violation } from "./reader.js";
import { readJson } from "./scalars.js";

/** What is known about one spelling of a field. */
export interface Field {
  readonly name: string;
  readonly rule: Rule;
  /** Any text will do. */
  readonly text: boolean;
  readonly required: boolean;
  /** Member of a oneof. */
  readonly member: boolean;
  /** Spelling of another generation. */
  readonly legacy: boolean;
  /** Null is a value. */
  readonly nullable: boolean;
  /** "No value" may be left out, or is reported with the missing members. */
  readonly optional: boolean;
  /** The enum value that stands for "not set" in requests. */
  readonly unset: string | undefined;
}

const plans = new WeakMap<ObjectRule, ReadonlyMap<string, Field>>();

/** A message: known members under their canonical names and in their canonical form, copied only where one changes. */
export function readObject(rule: ObjectRule, value: unknown, reader: Reader): unknown {
  if (!isObject(value)) mismatch(reader, "an object", value);
  const fields = fieldsOf(rule);
  const { request, path } = reader;
  let out: Record<string, unknown> | undefined;
  let required = 0;
  let members = 0;
  for (const key in value) {
    const item: unknown = value[key];
    const field = fields.get(key);
    let read: unknown = ABSENT;
    let name = key;
    if (field === undefined || (field.legacy && (!reader.tolerant || Object.hasOwn(value, field.name)))) {
      if (request) report(reader, "unknown_field", "an unknown field was dropped", key);
      else {
        path.push(key);
        read = readJson(item, reader);
        path.pop();
      }
    } else {
      ({ name } = field);
      if (field.text && typeof item === "string") read = item;
      else if (item !== undefined && !isAbsent(rule, field, key, item, reader)) {
        path.push(key);
        read = readRule(field.rule, item, reader);
        if (read === ABSENT && !field.optional) refuse(reader, "must not be empty");
        if (request && read === field.unset) read = ABSENT;
        path.pop();
      }
      if (read !== ABSENT) {
        if (field.required) required++;
        if (field.member) members++;
      }
    }
    if (read === item && name === key) continue;
    out ??= { ...value };
    // Another spelling may have put its value there.
    if (out[key] === item) delete out[key];
    if (read === ABSENT) continue;
    if (name !== key) {
      if (Object.hasOwn(out, name) && out[name] != null)
        refuse(reader, `${name} is given twice, also as ${key}`);
      if (field?.legacy) report(reader, "legacy_name", `read as ${name}`, key);
    }
    out[name] = read;
  }
  const result = (out as typeof value | undefined) ?? value;
  if (required < (rule.required?.length ?? 0)) refuseMissing(rule, value, result, reader);
  const { oneofs } = rule;
  if (oneofs === undefined || (members === 1 && oneofs.length === 1)) return result;
  return settleOneofs(rule, result, value, reader);
}

/** The fields of a message by each of their spellings; built once for each rule, on first use. */
export function fieldsOf(rule: ObjectRule): ReadonlyMap<string, Field> {
  const known = plans.get(rule);
  if (known !== undefined) return known;
  const fields = new Map<string, Field>();
  const add = (spelling: string, name: string, legacy: boolean) => {
    const of = rule.fields[name];
    if (of === undefined) return;
    const required = rule.required?.includes(name) ?? false;
    fields.set(spelling, {
      name,
      rule: of,
      text: of.is === "string" && of.blank === undefined,
      required,
      member: rule.oneofs?.some(({ members }) => members.includes(name)) ?? false,
      legacy,
      nullable: of.is === "json" || of.is === "null" || of.is === "anyOf",
      optional: required || (of.is === "string" && of.blank === "absent"),
      unset: of.is === "enum" ? of.values[of.numbers?.indexOf(0) ?? -1] : undefined,
    });
  };
  const names = Object.keys(rule.fields);
  for (const [spelling, name] of Object.entries(rule.legacy ?? {})) add(spelling, name, true);
  for (const [spelling, name] of Object.entries(rule.aliases ?? {})) add(spelling, name, false);
  // The names of protobuf (`A2A-PJ-b`).
  if (rule.proto)
    for (const name of names)
      add(
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        name,
        false,
      );
  for (const name of names) add(name, name, false);
  plans.set(rule, fields);
  return fields;
}

/** Null is absence in ProtoJSON (`A2A-PJ-e`), and a slip that the tolerant mode overlooks elsewhere. */
function isAbsent(rule: ObjectRule, field: Field, key: string, item: unknown, reader: Reader): boolean {
  if (item !== null || field.nullable || !(rule.proto ?? reader.tolerant)) return false;
  if (!rule.proto) report(reader, "null_field", "null is read as absent", key);
  return true;
}

/** All missing REQUIRED members of the object at once (`A2A-5.7-b`). */
function refuseMissing(
  rule: ObjectRule,
  value: Readonly<Record<string, unknown>>,
  result: Readonly<Record<string, unknown>>,
  reader: Reader,
): never {
  const missing = (rule.required ?? []).filter((name) => !Object.hasOwn(result, name));
  const violations = missing.map((name) => {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    return violation(reader, `required, found ${quote(found)}`, name);
  });
  throw refusal(reader, violations);
}
