import { isObject } from "../../codec/json.js";
import { fieldsOf } from "../../codec/object.js";
import { quote } from "../../codec/reader.js";
import type { Json, JsonObject, ObjectRule } from "../../descriptor.js";
import { decodePart } from "./decode-part.js";
import { below, type Findings } from "./findings.js";
import { readRequirements } from "./security-requirements.js";

/** A member that must be a text: numbers are read as text, what is missing is `fallback`. */
export function readText(
  owner: JsonObject,
  name: string,
  pointer: string,
  findings: Findings,
  fallback = "",
): string {
  const value = owner[name];
  if (typeof value === "string") return value;
  const at = below(pointer, name);
  if (typeof value === "number") {
    findings.lenient(at, "wrong_type", `a number, read as ${quote(String(value))}`);
    return String(value);
  }
  const outcome = `read as ${fallback === "" ? "an empty text" : quote(fallback)}`;
  if (value === undefined || value === null) findings.lenient(at, "missing_member", `missing, ${outcome}`);
  else findings.lenient(at, "wrong_type", `expected a string, found ${quote(value)}, ${outcome}`);
  return fallback;
}

/** A list of texts; missing is empty where it is `required`, else undefined. */
export function readTexts(
  owner: JsonObject,
  name: string,
  pointer: string,
  findings: Findings,
  required: boolean,
): string[] | undefined {
  const value = owner[name];
  const at = below(pointer, name);
  if (value === undefined || value === null) {
    if (!required) return undefined;
    findings.lenient(at, "missing_member", "missing, read as an empty list");
    return [];
  }
  const list = typeof value === "string" ? [value] : Array.isArray(value) ? value : [];
  const texts = list.filter((item): item is string => typeof item === "string");
  if (!Array.isArray(value) || texts.length < list.length) {
    findings.lenient(at, "wrong_type", "expected a list of texts; what is none was left out");
  }
  return texts;
}

/** The members of an object under their canonical names: snake_case is what writers of protobuf print. */
export function camelMembers(
  given: JsonObject,
  rule: ObjectRule | undefined,
  legacy: readonly string[],
  pointer: string,
  findings: Findings,
): JsonObject {
  const known = rule === undefined ? undefined : fieldsOf(rule);
  const members = Object.entries(given).flatMap(([key, value]) => {
    const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (name === key || (known?.get(name) === undefined && !legacy.includes(name))) return [[key, value]];
    if (!Object.hasOwn(given, name)) return [[name, value]];
    findings.lenient(below(pointer, key), "given_twice", `given twice, also as ${name}, which counts`);
    return [];
  });
  return Object.fromEntries(members) as JsonObject;
}

/** Each element of a list that can be read; undefined where there is no list. */
export function readEach(
  value: Json | undefined,
  pointer: string,
  findings: Findings,
  read: (item: JsonObject, pointer: string) => JsonObject | undefined,
): JsonObject[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) {
    findings.lenient(pointer, "wrong_type", `expected a list, found ${quote(value)}, left out`);
    return undefined;
  }
  return value.flatMap((item: Json, index): JsonObject[] => {
    const at = below(pointer, index);
    if (isObject(item)) {
      const one = read(item, at);
      return one === undefined ? [] : [one];
    }
    findings.lenient(at, "wrong_type", `expected an object, found ${quote(item)}, left out`);
    return [];
  });
}

/** Who operates the agent; some write `name` for `organization`, or just a name. */
export function readProvider(
  value: Json | undefined,
  rule: ObjectRule,
  findings: Findings,
): Json | undefined {
  const pointer = "/provider";
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") {
    findings.lenient(pointer, "wrong_type", "a text, read as the organization");
    return { organization: value, url: "" };
  }
  if (!isObject(value)) return decodePart(rule, value, pointer, findings);
  const { name, ...provider } = value;
  if (provider["organization"] == null && typeof name === "string") {
    findings.lenient(below(pointer, "name"), "legacy_name", "read as organization, which is missing");
    provider["organization"] = name;
  } else if (name !== undefined) provider["name"] = name;
  provider["organization"] = readText(provider, "organization", pointer, findings);
  provider["url"] = readText(provider, "url", pointer, findings);
  return decodePart(rule, provider, pointer, findings);
}

/** One skill. */
export function readSkill(
  given: JsonObject,
  pointer: string,
  rule: ObjectRule,
  mixed: boolean,
  split: ReadonlyMap<string, readonly string[]>,
  findings: Findings,
): JsonObject | undefined {
  const skill = camelMembers(given, rule, [], pointer, findings);
  const requirements = readRequirements(skill, pointer, mixed, split, findings);
  delete skill["security"];
  if (requirements !== undefined) skill["securityRequirements"] = requirements;
  const known = [skill["id"], skill["name"]].find((one) => typeof one === "string" && one !== "");
  const fallback = typeof known === "string" ? known : "";
  for (const name of ["id", "name"]) skill[name] = readText(skill, name, pointer, findings, fallback);
  skill["description"] = readText(skill, "description", pointer, findings);
  for (const name of ["tags", "examples", "inputModes", "outputModes"]) {
    const texts = readTexts(skill, name, pointer, findings, name === "tags");
    if (texts !== undefined) skill[name] = texts;
  }
  return decodePart(rule, skill, pointer, findings);
}
