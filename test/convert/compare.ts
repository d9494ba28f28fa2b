import { readFileSync } from "node:fs";
import type { Decl, Field, Model, Type } from "../../codegen/ir/types.js";

const models = new Map<string, Model>();
const modelOf = (line: string): Model => {
  const known =
    models.get(line) ??
    (JSON.parse(readFileSync(new URL(`../../generated/v${line}/ir.json`, import.meta.url), "utf8")) as Model);
  models.set(line, known);
  return known;
};

/**
 * A value as §2 of the version mapping compares it: 1.0 without the defaults of fields that have no presence, 0.x without
 * `append`, `lastChunk` and `required` that are false.
 */
export function comparable(version: string, type: string, value: unknown): unknown {
  const line = version.split(".").slice(0, 2).join(".");
  const model = modelOf(line);
  return line.startsWith("0.") ? withoutFalse(value) : prune(model, { kind: "ref", name: type }, value);
}

function withoutFalse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFalse);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !(item === false && ["append", "lastChunk", "required"].includes(key)))
      .map(([key, item]) => [key, withoutFalse(item)]),
  );
}

function prune(model: Model, type: Type, value: unknown): unknown {
  if (type.kind === "array" && Array.isArray(value)) return value.map((item) => prune(model, type.of, item));
  if (typeof value !== "object" || value === null) return value;
  if (type.kind === "map")
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, prune(model, type.of, item)]));
  const decl: Decl | undefined =
    type.kind === "ref" ? model.decls.find(({ name }) => name === type.name) : undefined;
  if (decl?.kind !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const field = decl.fields.find(({ name }) => name === key);
      if (field !== undefined && isDefault(field, item)) return [];
      return [[key, field === undefined ? item : prune(model, field.type, item)]];
    }),
  );
}

const isDefault = ({ presence, required }: Field, value: unknown): boolean =>
  presence === "implicit" && !required && ['""', "0", "false", "[]", "{}"].includes(JSON.stringify(value));
