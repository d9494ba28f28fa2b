import { byName } from "../load/stable-json.js";
import type { Decl, EnumValue, Field, Model, Oneof, Type, UnionType } from "../ir/types.js";
import { key, quote } from "./code.js";
import { block, docOf, fieldDoc } from "./docs.js";
import { createFile, type EmitFile } from "./file.js";
import { header } from "./header.js";
import { json2ts, type TypeSchema as Schema } from "./json2ts.js";
import type { Target } from "./target.js";

type ObjectDecl = Extract<Decl, { kind: "object" }>;
type EnumDecl = Extract<Decl, { kind: "enum" }>;

/** `types.ts`: enums as const objects first, then interfaces and aliases by name. */
export async function emitTypes(model: Model, target: Target): Promise<string> {
  const file = createFile();
  const decls = [...model.decls].sort((a, b) => byName(a.name, b.name));
  for (const decl of decls) file.declare(decl.name);
  for (const decl of decls) if (decl.kind === "enum") file.raw(enumText(decl));
  for (const decl of decls) if (decl.kind !== "enum") file.raw(await declText(decl, file, target));
  return file.text(header(model, target));
}

/** One declaration through json-schema-to-typescript, alone: with every `$ref` already a name it cannot make twins. */
async function declText(decl: Exclude<Decl, EnumDecl>, file: EmitFile, target: Target): Promise<string> {
  if (decl.kind === "object" && decl.fields.length === 0)
    return `${block(docOf(decl))}export type ${decl.name} = Record<string, never>;`;
  const schema =
    decl.kind === "alias" ? typeSchema(decl.type, file, target) : objectSchema(decl, file, target);
  // It respells names (`Task_status`), so it gets one that it keeps, and the real one is put in after it.
  const text = await json2ts({ ...schema, description: docOf(decl) }, "Declared");
  return (
    text
      .replace(/^export (interface|type) Declared\b/m, `export $1 ${decl.name}`)
      // House style: `key` for the name of an index, and a comment of one line on one line.
      .replaceAll("[k: string]", "[key: string]")
      .replace(/\/\*\*\n \* (.*)\n \*\//g, "/** $1 */")
  );
}

function objectSchema(decl: ObjectDecl, file: EmitFile, target: Target): Schema {
  const chosen = new Set(decl.oneofs.flatMap((oneof) => oneof.members));
  const common = decl.fields.filter((field) => !chosen.has(field.name));
  const parts = [
    ...(common.length > 0 || decl.oneofs.length === 0 ? [membersSchema(common, [], file, target)] : []),
    ...decl.oneofs.map((oneof) => oneofSchema(decl, oneof, file, target)),
  ];
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { allOf: parts };
}

/** A oneof in wire shape: one member set, the others `never`; none at all where the group is optional. */
function oneofSchema(decl: ObjectDecl, oneof: Oneof, file: EmitFile, target: Target): Schema {
  const variants = oneof.members.map((name) => {
    const field = decl.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new Error(`${decl.pointer}: oneof ${oneof.name} names no field ${name}.`);
    return membersSchema([{ ...field, required: true }], oneof.members, file, target);
  });
  const none = oneof.required ? [] : [membersSchema([], oneof.members, file, target)];
  return { anyOf: [...variants, ...none] };
}

/** An object of `fields`; the other names of `group` may not be set. In the order of the group, else of the fields. */
function membersSchema(
  fields: readonly Field[],
  group: readonly string[],
  file: EmitFile,
  target: Target,
): Schema {
  const properties: Record<string, Schema> = {};
  for (const name of group) properties[name] = { tsType: "never" };
  for (const field of fields) {
    if (field.name === "__proto__") throw new Error(`${field.pointer}: a field cannot be named __proto__.`);
    properties[field.name] = { ...typeSchema(field.type, file, target), description: fieldDoc(field) };
  }
  return {
    type: "object",
    additionalProperties: false,
    properties,
    required: fields.filter((field) => field.required).map((field) => field.name),
  };
}

function typeSchema(type: Type, file: EmitFile, target: Target): Schema {
  switch (type.kind) {
    case "ref":
      return { tsType: type.name };
    case "literal":
      return { const: type.value };
    case "array":
      return { type: "array", items: typeSchema(type.of, file, target) };
    case "map":
      return { type: "object", additionalProperties: typeSchema(type.of, file, target) };
    case "union":
      return unionSchema(type, file, target);
    case "scalar":
      if (type.name === "json") return { tsType: file.use(target.seam, "Json") };
      if (type.name === "struct") return { tsType: file.use(target.seam, "JsonObject") };
      return { type: SCALARS[type.name] };
  }
}

/** A union; where members exclude each other, each form rules out the marks of the others. */
function unionSchema({ of, discrimination }: UnionType, file: EmitFile, target: Target): Schema {
  const plain = { anyOf: of.map((option) => typeSchema(option, file, target)) };
  if (discrimination.by !== "presence" || !discrimination.exclusive) return plain;
  const { variants, otherwise } = discrimination;
  const forms = variants.map(({ member, type }) => {
    const others = variants.map((variant) => variant.member).filter((name) => name !== member);
    return { allOf: [typeSchema(type, file, target), membersSchema([], others, file, target)] };
  });
  return { anyOf: [...forms, ...(otherwise === undefined ? [] : [typeSchema(otherwise, file, target)])] };
}

const SCALARS = {
  string: "string",
  boolean: "boolean",
  int32: "number",
  int64: "string",
  integer: "number",
  number: "number",
  bytes: "string",
  timestamp: "string",
  null: "null",
} as const;

function enumText(decl: EnumDecl): string {
  const line = (value: EnumValue): string =>
    `${block(docOf(value.doc === undefined ? {} : { doc: value.doc }))}${key(value.key)}: ${quote(value.value)},`;
  return [
    `${block(docOf(decl))}export const ${decl.name} = {`,
    ...decl.values.map(line),
    "} as const;",
    `${block(docOf(decl))}export type ${decl.name} = (typeof ${decl.name})[keyof typeof ${decl.name}];`,
  ].join("\n");
}
