import type { JsonValue } from "../../ir/types.js";
import { InputFault } from "../fault.js";
import { refuseUnknownRequired } from "../required.js";
import type { CanonicalSchema, Schema, SchemaType } from "../schema.js";
import { byName } from "../stable-json.js";
import type { Dialect, Hoist, Raw } from "./dialect.js";
import { asList, asRaw, asStrings, isRaw, step } from "./raw.js";

/** Walks the definitions of a file into the canonical form; keys are sorted, prose is dropped, the unknown throws. */
export function canonical(dialect: Dialect, release: string): CanonicalSchema {
  const definitions: Record<string, Schema> = {};
  const hoist: Hoist = (name, schema, pointer) => {
    const earlier = definitions[name];
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(schema)) {
      throw new InputFault(`two different enums are called ${name}`, pointer);
    }
    if (dialect.definitions.has(name))
      throw new InputFault(`the name ${name} is taken by a definition`, pointer);
    definitions[name] = schema;
    return { ref: name };
  };
  const names = [...dialect.definitions.keys()].sort(byName);
  for (const name of names) {
    const entry = dialect.definitions.get(name);
    if (entry !== undefined) definitions[name] = new Walker(dialect, hoist).node(entry.node, entry.pointer);
  }
  const sorted = Object.keys(definitions).sort(byName);
  return {
    release,
    encoding: dialect.encoding,
    definitions: Object.fromEntries(sorted.map((name) => [name, definitions[name] ?? {}])),
  };
}

/** Keywords that carry no structure. */
const prose = new Set([
  "$schema",
  "$id",
  "title",
  "description",
  "examples",
  "$comment",
  "propertyNames",
  "deprecated",
]);
const structure = new Set([
  ...["type", "const", "enum", "default", "properties", "required", "items", "additionalProperties"],
  ...["anyOf", "oneOf", "patternProperties", "format"],
]);
const types = new Set(["string", "number", "integer", "boolean", "null", "object", "array"]);

class Walker {
  private readonly dialect: Dialect;
  private readonly hoist: Hoist;

  constructor(dialect: Dialect, hoist: Hoist) {
    this.dialect = dialect;
    this.hoist = hoist;
  }

  node(node: Raw, pointer: string): Schema {
    const fallback = node["default"] === undefined ? {} : { default: node["default"] as JsonValue };
    const special = this.dialect.special?.(node, pointer, this.hoist);
    if (special !== undefined) return { ...special, ...("ref" in special ? {} : fallback) };
    // A reference with siblings: in both dialects they only annotate.
    if (typeof node["$ref"] === "string")
      return { ...this.dialect.resolve(node["$ref"], pointer), ...fallback };
    for (const keyword of Object.keys(node)) {
      if (!prose.has(keyword) && !structure.has(keyword)) {
        throw new InputFault(
          `the keyword "${keyword}" is not supported`,
          pointer,
          "add it to the dialect that uses it",
        );
      }
    }
    return {
      ...this.scalar(node, pointer),
      ...(node["const"] === undefined ? fallback : {}),
      ...this.children(node, pointer),
    };
  }

  private scalar(node: Raw, pointer: string): Schema {
    const { type, format } = node;
    if (format !== undefined && format !== "date-time")
      throw new InputFault(`unknown format ${JSON.stringify(format)}`, pointer);
    return {
      ...(type === undefined ? {} : { type: schemaTypes(type, pointer) }),
      ...(format === undefined ? {} : { format: "date-time" as const }),
      ...(node["const"] === undefined ? {} : { const: constant(node["const"], pointer) }),
      ...(node["enum"] === undefined ? {} : { enum: asStrings(node["enum"], step(pointer, "enum")) }),
    };
  }

  private children(node: Raw, pointer: string): Schema {
    const union = node["anyOf"] ?? node["oneOf"];
    const at = (keyword: string, value: unknown): Schema =>
      this.node(asRaw(value, step(pointer, keyword)), step(pointer, keyword));
    const extra = node["additionalProperties"];
    const aliases = this.aliases(node, pointer);
    return {
      ...(node["properties"] === undefined
        ? {}
        : { properties: this.properties(asRaw(node["properties"], pointer), step(pointer, "properties")) }),
      ...(node["required"] === undefined
        ? {}
        : { required: this.required(node["required"], node["properties"] ?? {}, pointer) }),
      ...(node["items"] === undefined ? {} : { items: at("items", node["items"]) }),
      // `false` is no structure: unknown members are always ignored. Beside properties it only says "open".
      ...(isRaw(extra) && node["properties"] === undefined
        ? { additionalProperties: at("additionalProperties", extra) }
        : {}),
      ...(union === undefined
        ? {}
        : {
            anyOf: this.members(
              asList(union, pointer),
              step(pointer, node["anyOf"] === undefined ? "oneOf" : "anyOf"),
            ),
          }),
      ...(aliases === undefined ? {} : { aliases }),
    };
  }

  private properties(raw: Raw, pointer: string): Record<string, Schema> {
    return Object.fromEntries(
      Object.keys(raw)
        .sort(byName)
        .map((name) => [name, this.node(asRaw(raw[name], step(pointer, name)), step(pointer, name))]),
    );
  }

  private required(raw: unknown, properties: unknown, pointer: string): string[] {
    const names = asStrings(raw, step(pointer, "required"));
    refuseUnknownRequired(names, asRaw(properties, pointer), pointer);
    return [...names].sort(byName);
  }

  private members(raw: readonly unknown[], pointer: string): Schema[] {
    return raw.map((member, i) => this.node(asRaw(member, step(pointer, i)), step(pointer, i)));
  }

  /** `patternProperties: { "^(context_id)$": … }` admits the proto name of `contextId`. */
  private aliases(node: Raw, pointer: string): Record<string, string> | undefined {
    if (node["patternProperties"] === undefined) return undefined;
    const at = step(pointer, "patternProperties");
    const properties = isRaw(node["properties"]) ? Object.keys(node["properties"]) : [];
    const entries = Object.keys(asRaw(node["patternProperties"], at))
      .flatMap((pattern) => (/^\^\(([\w|]+)\)\$$/.exec(pattern)?.[1] ?? "").split("|"))
      .sort(byName)
      .map((alias): [string, string] => {
        const flat = alias.replace(/_/g, "").toLowerCase();
        const field = properties.find((property) => property.toLowerCase() === flat);
        if (alias === "" || field === undefined)
          throw new InputFault(`pattern for no property ("${alias}")`, at);
        return [alias, field];
      });
    return Object.fromEntries(entries);
  }
}

function schemaTypes(type: unknown, pointer: string): SchemaType | readonly SchemaType[] {
  const known = (name: unknown): name is SchemaType => typeof name === "string" && types.has(name);
  if (known(type)) return type;
  if (Array.isArray(type) && type.every(known)) return type;
  throw new InputFault(`unknown type ${JSON.stringify(type)}`, pointer);
}

function constant(value: unknown, pointer: string): string | number | boolean {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new InputFault("a constant must be a string, number or boolean", pointer);
}
