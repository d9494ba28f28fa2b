import type { Decl, EnumValue, Field, Method, Model, Type } from "../../codegen/ir/types.js";

/** Short ways to write an IR by hand: `field("id", string, { required: true })`. */
export const string: Type = { kind: "scalar", name: "string" };
export const scalar = (name: Extract<Type, { kind: "scalar" }>["name"]): Type => ({ kind: "scalar", name });
export const ref = (name: string): Type => ({ kind: "ref", name });
export const array = (of: Type, min?: 1): Type => ({
  kind: "array",
  of,
  ...(min === undefined ? {} : { min }),
});
export const map = (of: Type): Type => ({ kind: "map", of });
export const literal = (value: string | number | boolean): Type => ({ kind: "literal", value });
export const tagged = (tag: string, variants: Record<string, Type>): Type => ({
  kind: "union",
  of: Object.values(variants),
  discrimination: {
    by: "tag",
    tag,
    variants: Object.entries(variants).map(([value, type]) => ({ value, type })),
  },
});
export const present = (variants: Record<string, Type>, exclusive = true): Type => ({
  kind: "union",
  of: Object.values(variants),
  discrimination: {
    by: "presence",
    exclusive,
    variants: Object.entries(variants).map(([member, type]) => ({ member, type })),
  },
});
export const anyOf = (...of: Type[]): Type => ({ kind: "union", of, discrimination: { by: "order" } });

export const field = (name: string, type: Type, more: Partial<Field> = {}): Field => ({
  name,
  type,
  required: false,
  presence: "explicit",
  aliases: [],
  legacy: [],
  blank: "value",
  pointer: `#/fields/${name}`,
  ...more,
});

export const objectOf = (
  name: string,
  fields: Field[],
  more: Partial<Extract<Decl, { kind: "object" }>> = {},
): Decl => ({
  kind: "object",
  name,
  pointer: `#/definitions/${name}`,
  fields,
  oneofs: [],
  proto: true,
  ...more,
});

export const enumOf = (
  name: string,
  values: Record<string, string>,
  more: Partial<EnumValue> = {},
): Decl => ({
  kind: "enum",
  name,
  pointer: `#/definitions/${name}`,
  values: Object.entries(values).map(([key, value], number) => ({ key, value, number, legacy: [], ...more })),
});

export const alias = (name: string, type: Type): Decl => ({
  kind: "alias",
  name,
  pointer: `#/definitions/${name}`,
  type,
});

export const method = (name: string, input: Type, output: Type, more: Partial<Method> = {}): Method => ({
  name,
  key: name.charAt(0).toLowerCase() + name.slice(1),
  kind: "unary",
  jsonrpc: name,
  rest: [],
  input,
  output,
  emptyInput: false,
  idempotent: false,
  errors: [],
  ...more,
});

/** A model of these declarations and nothing else. */
export const modelOf = (decls: Decl[], more: Partial<Model> = {}): Model => ({
  version: "9.0",
  release: "9.0.1",
  line: "v9.0",
  source: { file: "schemas/v9.0/a2a.json", sha256: "0123456789abcdef".repeat(4) },
  service: {
    name: "A2AService",
    headers: { version: "a2a-version", extensions: "a2a-extensions" },
    errorData: "details",
    restMediaType: "application/a2a+json",
    tenantPrefix: false,
    card: { path: "/.well-known/agent-card.json", type: decls[0]?.name ?? "Card" },
    helpers: "none",
  },
  decls,
  methods: [],
  errors: [],
  roots: [],
  ...more,
});
