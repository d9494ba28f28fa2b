import { InputFault } from "../load/fault.js";
import type { ProtoField } from "../load/proto-facts.js";
import { refuseUnknownRequired } from "../load/required.js";
import type { Schema } from "../load/schema.js";
import { snakeCase } from "./names.js";
import type { Scope } from "./scope.js";
import { typeOf } from "./type-of.js";
import type { Decl, Field, Oneof, Type } from "./types.js";
import { wireFacts } from "./wire-facts.js";

/** Declares an object: fields in proto order where there is a proto, else in schema order. */
export function objectDecl(scope: Scope, name: string, schema: Schema, pointer: string): Decl {
  const properties = schema.properties ?? {};
  refuseUnknownRequired(schema.required ?? [], properties, pointer);
  const proto = protoFields(scope, name, Object.keys(properties), pointer);
  const known = proto?.map((field) => field.json) ?? [];
  const order = [...known, ...Object.keys(properties).filter((property) => !known.includes(property))];
  const fields = order.map((field) => {
    const type = properties[field];
    if (type === undefined) throw new InputFault(`has no property ${field}`, pointer);
    return fieldOf(
      scope,
      name,
      field,
      schema,
      proto?.find((candidate) => candidate.json === field),
      `${pointer}/properties/${field}`,
    );
  });
  return {
    kind: "object",
    name,
    pointer,
    fields,
    oneofs: oneofsOf(scope, name, proto, fields, pointer),
    proto: scope.isProtoJson,
  };
}

/** Fields of the message of that name; the JSON schema must list the same. */
function protoFields(
  scope: Scope,
  name: string,
  properties: readonly string[],
  pointer: string,
): readonly ProtoField[] | undefined {
  if (scope.proto === undefined) return undefined;
  const message = scope.proto.messages.find((candidate) => candidate.name === name);
  const missing = message?.fields.find((field) => !properties.includes(field.json));
  const extra = properties.find(
    (property) => message?.fields.some((field) => field.json === property) !== true,
  );
  if (scope.loaded.borrowedProto === true)
    return message?.fields.filter((field) => properties.includes(field.json));
  const todo = "take both files from one release";
  if (message === undefined) throw new InputFault(`the proto file has no message ${name}`, pointer, todo);
  if (missing !== undefined)
    throw new InputFault(`lacks ${missing.json}, which the proto file has`, pointer, todo);
  if (extra !== undefined) throw new InputFault(`has ${extra}, which the proto file lacks`, pointer, todo);
  return message.fields;
}

function fieldOf(
  scope: Scope,
  owner: string,
  name: string,
  schema: Schema,
  proto: ProtoField | undefined,
  pointer: string,
): Field {
  const property = schema.properties?.[name] ?? {};
  const path = `${owner}.${name}`;
  const type = typeOf(scope, property, { path, pointer });
  const aliases = Object.entries(schema.aliases ?? {}).flatMap(([alias, field]) =>
    field === name ? [alias] : [],
  );
  const protoName =
    proto === undefined || proto.name === name || aliases.includes(proto.name) ? [] : [proto.name];
  const snake = snakeCase(name);
  const legacy = scope.facts.spellings("fields", path);
  const loose = scope.facts.snakeCase && !scope.isProtoJson && snake !== name ? [snake] : [];
  const isOptional = scope.facts.isOptional(path);
  const byOverlay = scope.facts.isRequired(path);
  return {
    name,
    pointer,
    type,
    required:
      (proto?.required === true && !isOptional) || schema.required?.includes(name) === true || byOverlay,
    presence: presenceOf(scope, property, type, proto),
    ...(proto === undefined ? {} : wireFacts(name, type, proto)),
    aliases: [...aliases, ...protoName, ...scope.facts.aliases(path)],
    legacy: [...legacy, ...loose],
    ...(property.default === undefined || property.const !== undefined || scope.isProtoJson
      ? {}
      : { default: property.default }),
    blank: scope.facts.blank(path),
    ...(proto?.deprecated === true ? { deprecated: "Marked as deprecated by the specification." } : {}),
  };
}

/** proto3: singular scalars, lists and maps have no presence of their own; `optional`, oneof members and messages have. */
function presenceOf(
  scope: Scope,
  property: Schema,
  type: Type,
  proto: ProtoField | undefined,
): Field["presence"] {
  if (!scope.isProtoJson) return "explicit";
  if (type.kind === "array" || type.kind === "map") return "implicit";
  if (proto === undefined) return property.default === undefined ? "explicit" : "implicit";
  if (proto.label === "optional" || proto.oneof !== undefined) return "explicit";
  const isEnum = type.kind === "ref" && scope.definition(type.name)?.enum !== undefined;
  const isMessage =
    (type.kind === "ref" && !isEnum) ||
    (type.kind === "scalar" && ["struct", "json", "timestamp"].includes(type.name));
  return isMessage ? "explicit" : "implicit";
}

function oneofsOf(
  scope: Scope,
  owner: string,
  proto: readonly ProtoField[] | undefined,
  fields: readonly Field[],
  pointer: string,
): Oneof[] {
  const groups = new Map<string, string[]>();
  for (const field of proto ?? []) {
    if (field.oneof === undefined) continue;
    const members = groups.get(field.oneof);
    if (members === undefined) groups.set(field.oneof, [field.json]);
    else members.push(field.json);
  }
  const fromProto = [...groups].map(([name, members]): Oneof => ({
    name,
    members,
    required: scope.facts.isOneofRequired(`${owner}.${name}`),
  }));
  const added = scope.facts
    .addedOneofs(owner)
    .map(([name, members, required]): Oneof => ({ name, members, required }));
  const all = [...fromProto, ...added.filter(({ name }) => !groups.has(name))];
  const unknown = all
    .flatMap(({ members }) => members)
    .find((member) => !fields.some(({ name }) => name === member));
  if (unknown !== undefined) throw new InputFault(`a group names ${unknown}, which is not a field`, pointer);
  return all;
}
