import type { JsonObject, ObjectRule, Rule } from "../descriptor.js";
import { memberOf, withoutAbsent } from "./json.js";
import { checkOneofs } from "./oneof.js";
import { readRule } from "./read.js";
import { ABSENT, objectOf, quote, type Reader, refusal, refuse, report, violation } from "./reader.js";
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
}

/** Kinds of rules to which null is a value. */
export const NULLABLE = /json|null|anyOf/;

const plans = new WeakMap<ObjectRule, ReadonlyMap<string, Field>>();

/** A message: known members under their canonical names and in their canonical form, copied only where one changes. */
export function readObject(rule: ObjectRule, given: unknown, reader: Reader): unknown {
  const value = objectOf(given, reader);
  const fields = fieldsOf(rule);
  const { request, path } = reader;
  let out: Record<string, unknown> | undefined;
  let required = 0;
  let members = 0;
  for (const key in value) {
    const item: unknown = value[key];
    const field = fields.get(key);
    let read = item;
    let name = key;
    path.push(key);
    if (field === undefined) {
      if (request) {
        report(reader, "unknown_field", "dropped");
        read = ABSENT;
      } else readJson(item, reader);
    } else {
      ({ name } = field);
      if (!field.text || typeof item !== "string") read = readField(rule, field, item, reader);
      if (read !== ABSENT) {
        if (name !== key) checkSpelling(field, out ?? value, reader);
        if (field.required) required++;
        if (field.member) members++;
      }
    }
    path.pop();
    if (read === item && name === key) continue;
    out ??= { ...value };
    // Another spelling may have put its value there.
    if (out[key] === item) out[key] = ABSENT;
    if (read !== ABSENT) out[name] = read;
  }
  const result = out === undefined ? value : withoutAbsent(out);
  if (required < (rule.required?.length ?? 0)) refuseMissing(rule, value, result, reader);
  if (rule.oneofs !== undefined && (members !== 1 || rule.oneofs.length > 1)) {
    checkOneofs(rule, result, value, reader);
  }
  return result;
}

/** The fields of a message by each of their spellings; built once for each rule, on first use. */
export function fieldsOf(rule: ObjectRule): ReadonlyMap<string, Field> {
  const known = plans.get(rule);
  if (known !== undefined) return known;
  const fields = new Map<string, Field>();
  const add = (spelling: string, name: string) => {
    const of = rule.fields[name];
    if (of === undefined) return;
    fields.set(spelling, {
      name,
      rule: of,
      text: of.is === "string" && of.blank === undefined,
      required: rule.required?.includes(name) ?? false,
      member: rule.oneofs?.some(({ members }) => members.includes(name)) ?? false,
    });
  };
  const names = Object.keys(rule.fields);
  for (const [spelling, name] of Object.entries(rule.aliases ?? {})) add(spelling, name);
  // The names of protobuf (`A2A-PJ-b`).
  if (rule.proto)
    for (const name of names)
      add(
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        name,
      );
  for (const name of names) add(name, name);
  plans.set(rule, fields);
  return fields;
}

function readField(rule: ObjectRule, { rule: of, required }: Field, item: unknown, reader: Reader): unknown {
  // Null is absence in ProtoJSON (`A2A-PJ-e`).
  if (item === undefined) return ABSENT;
  if (item === null && rule.proto && !NULLABLE.test(of.is)) return ABSENT;
  const read = readRule(of, item, reader);
  // Where it is REQUIRED, it is reported with the members that are missing.
  if (read === ABSENT && !required && (of.is === "list" || (of.is === "string" && of.blank === "refused"))) {
    refuse(reader, "must not be empty");
  }
  return read;
}

/** A value under another spelling must be the only one. */
function checkSpelling({ name }: Field, value: Readonly<Record<string, unknown>>, reader: Reader): void {
  if (Object.hasOwn(value, name) && value[name] != null && value[name] !== ABSENT) {
    refuse(reader, `given twice, also as ${name}`);
  }
}

/** All missing REQUIRED members of the object at once (`A2A-5.7-b`). */
function refuseMissing(rule: ObjectRule, value: JsonObject, result: JsonObject, reader: Reader): never {
  const missing = (rule.required ?? []).filter((name) => !Object.hasOwn(result, name));
  const violations = missing.map((name) => {
    reader.path.push(name);
    const one = violation(reader, `required, found ${quote(memberOf(value, name))}`);
    reader.path.pop();
    return one;
  });
  throw refusal(reader, violations);
}
