import type { Decl, Field, JsonValue, Meta, Model, Oneof, Type } from "./types.js";

/** A JSON Schema, draft-07. */
export type JsonSchema = { readonly [keyword: string]: JsonValue };

/**
 * `published`: plain draft-07 with our docs, for readers and other tools.
 * `validator`: the same meaning for ajv, without docs and formats, with `discriminator`, `exactlyOne` and `if` chains, so that
 * a wrong value is found by one look and reported by one error.
 */
export type Flavour = "published" | "validator";

const DRAFT = "http://json-schema.org/draft-07/schema#";

/** The canonical schema of a version: one definition per declaration, all objects open. */
export function toJsonSchema(model: Model, flavour: Flavour = "published"): JsonSchema {
  const definitions = Object.fromEntries(model.decls.map((decl) => [decl.name, declSchema(decl, flavour)]));
  const title = flavour === "published" ? { title: `A2A ${model.release}` } : {};
  return { $schema: DRAFT, ...title, definitions };
}

/** A `$ref` to a definition of `toJsonSchema`. */
export const refTo = (name: string): string => `#/definitions/${name}`;

function declSchema(decl: Decl, flavour: Flavour): JsonSchema {
  const notes = noted(decl, flavour);
  switch (decl.kind) {
    case "enum":
      return { ...notes, type: "string", enum: decl.values.map(({ value }) => value) };
    case "alias":
      return { ...notes, ...typeSchema(decl.type, flavour) };
    case "object": {
      const required = decl.fields.filter((field) => field.required).map(({ name }) => name);
      return {
        ...notes,
        type: "object",
        ...(decl.fields.length === 0
          ? {}
          : {
              properties: Object.fromEntries(
                decl.fields.map((field) => [field.name, fieldSchema(field, flavour)]),
              ),
            }),
        ...(required.length === 0 ? {} : { required }),
        ...oneofSchema(decl.oneofs, flavour),
      };
    }
  }
}

function fieldSchema(field: Field, flavour: Flavour): JsonSchema {
  const preset = flavour === "published" && field.default !== undefined ? { default: field.default } : {};
  const blank = field.blank === "refused" ? { minLength: 1 } : {};
  return { ...noted(field, flavour), ...typeSchema(field.type, flavour), ...blank, ...preset };
}

const noted = ({ doc, deprecated }: Meta, flavour: Flavour): JsonSchema =>
  flavour === "validator"
    ? {}
    : {
        ...(doc === undefined ? {} : { description: doc }),
        ...(deprecated === undefined ? {} : { deprecated: true }),
      };

/** Which members may stand together: exactly one of a required group, at most one of another. */
function oneofSchema(oneofs: readonly Oneof[], flavour: Flavour): JsonSchema {
  const groups = oneofs.map((oneof): JsonSchema => {
    if (flavour === "validator") return { [oneof.required ? "exactlyOne" : "atMostOne"]: oneof.members };
    const each = oneof.members.map((name) => ({ required: [name] }));
    return { oneOf: oneof.required ? each : [...each, { not: { anyOf: each } }] };
  });
  const [only, ...more] = groups;
  return only === undefined ? {} : more.length === 0 ? only : { allOf: groups };
}

/** The schema of one use of a type. */
export function typeSchema(type: Type, flavour: Flavour): JsonSchema {
  switch (type.kind) {
    case "scalar":
      return type.name === "timestamp" && flavour === "published"
        ? { ...SCALARS.timestamp, format: "date-time" }
        : SCALARS[type.name];
    case "literal":
      return { const: type.value };
    case "ref":
      return { $ref: refTo(type.name) };
    case "array":
      return {
        type: "array",
        items: typeSchema(type.of, flavour),
        ...(type.min === undefined ? {} : { minItems: type.min }),
      };
    case "map":
      return { type: "object", additionalProperties: typeSchema(type.of, flavour) };
    case "union":
      return unionSchema(type, flavour);
  }
}

function unionSchema({ of, discrimination }: Extract<Type, { kind: "union" }>, flavour: Flavour): JsonSchema {
  switch (discrimination.by) {
    case "order":
      return { anyOf: of.map((option) => typeSchema(option, flavour)) };
    case "tag": {
      const { tag, variants, otherwise } = discrimination;
      const options = variants.map(({ type }) => typeSchema(type, flavour));
      if (otherwise !== undefined) return { anyOf: [...options, typeSchema(otherwise, flavour)] };
      // ajv's discriminator reads texts only; the error codes of JSON-RPC are numbers.
      const numeric = variants.some(({ value }) => /^-?\d+$/.test(value));
      if (flavour === "published" || numeric) return { oneOf: options };
      return { type: "object", required: [tag], discriminator: { propertyName: tag }, oneOf: options };
    }
    case "presence": {
      const { variants, exclusive, otherwise } = discrimination;
      const members = variants.map(({ member }) => member);
      const rest = otherwise === undefined ? [] : [typeSchema(otherwise, flavour)];
      const options = variants.map(({ type }) => typeSchema(type, flavour));
      if (flavour === "published")
        return { anyOf: [...options, ...rest], ...(exclusive ? apart(members) : {}) };
      const chosen = variants.reduceRight<JsonSchema>(
        (later, { member, type }) => ({
          if: { required: [member] },
          then: typeSchema(type, flavour),
          else: later,
        }),
        rest[0] ?? { exactlyOne: members },
      );
      return exclusive ? { type: "object", allOf: [{ atMostOne: members }, chosen] } : chosen;
    }
  }
}

/** No two of these members together. */
function apart(members: readonly string[]): JsonSchema {
  const pairs = members.flatMap((a, index) => members.slice(index + 1).map((b) => ({ required: [a, b] })));
  const [only, ...more] = pairs;
  return only === undefined ? {} : { not: more.length === 0 ? only : { anyOf: pairs } };
}

/** What the text of a scalar must look like, in every layer that checks by pattern. */
export const PATTERNS = {
  int64: "^-?\\d{1,20}$",
  bytes: "^[A-Za-z0-9+/]*={0,2}$",
  /** RFC 3339 with any offset, as ProtoJSON reads it. */
  timestamp:
    "^(?!0000)\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$",
} as const;

const SCALARS = {
  string: { type: "string" },
  boolean: { type: "boolean" },
  int32: { type: "integer", minimum: -2147483648, maximum: 2147483647 },
  int64: { type: "string", pattern: PATTERNS.int64 },
  // Beyond these a JSON number is no longer the integer that was written.
  integer: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  number: { type: "number" },
  bytes: { type: "string", pattern: PATTERNS.bytes },
  timestamp: { type: "string", pattern: PATTERNS.timestamp },
  json: {},
  struct: { type: "object" },
  null: { type: "null" },
} as const satisfies Record<string, JsonSchema>;
