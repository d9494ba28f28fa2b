import type { WireField, WireMessage, WireScalar, WireWellKnown } from "../descriptor.js";

/** A message as a `google.protobuf.DescriptorProto` in JSON. `name` is that within its package. */
export function describeMessage(message: WireMessage, name: string): object {
  const groups = [...new Set(message.fields.flatMap(({ oneof }) => (oneof === undefined ? [] : [oneof])))];
  const optional = message.fields.filter((field) => field.optional === true);
  const oneofIndex = (field: WireField): number | undefined => {
    if (field.oneof !== undefined) return groups.indexOf(field.oneof);
    // Presence of a scalar is a oneof of its own, after those of the file.
    return field.optional === true ? groups.length + optional.indexOf(field) : undefined;
  };
  return {
    name,
    field: message.fields.map((field) => ({
      name: protoName(field),
      number: field.no,
      label: field.repeated === true || field.key !== undefined ? REPEATED : OPTIONAL,
      ...(field.key === undefined
        ? typeOf(field)
        : { type: MESSAGE, typeName: `.${message.name}.${entryName(field)}` }),
      jsonName: field.name,
      oneofIndex: oneofIndex(field),
      proto3Optional: field.optional === true,
    })),
    nestedType: message.fields.flatMap((field) =>
      field.key === undefined ? [] : [entryOf(field, field.key)],
    ),
    oneofDecl: [...groups, ...optional.map((field) => `_${protoName(field)}`)].map((group) => ({
      name: group,
    })),
  };
}

/** The message that stands for an entry of a map. */
const entryOf = (field: WireField, key: WireScalar): object => ({
  name: entryName(field),
  field: [
    { name: "key", number: 1, label: OPTIONAL, type: TYPES[key], jsonName: "key" },
    { name: "value", number: 2, label: OPTIONAL, ...typeOf(field), jsonName: "value" },
  ],
  options: { mapEntry: true },
});

/** `security_schemes` → `SecuritySchemesEntry`, as protoc names it. */
const entryName = (field: WireField): string =>
  `${protoName(field).replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Entry`;

const protoName = ({ name, proto }: WireField): string =>
  proto ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function typeOf(field: WireField): object {
  switch (field.type) {
    case "message":
      return { type: MESSAGE, typeName: `.${field.of().name}` };
    case "enum":
      return { type: ENUM, typeName: `.${field.of().name}` };
    case "timestamp":
    case "struct":
    case "value":
    case "listValue":
      return { type: MESSAGE, typeName: WELL_KNOWN[field.type] };
    default:
      return { type: TYPES[field.type] };
  }
}

const WELL_KNOWN: Readonly<Record<WireWellKnown, string>> = {
  timestamp: ".google.protobuf.Timestamp",
  struct: ".google.protobuf.Struct",
  value: ".google.protobuf.Value",
  listValue: ".google.protobuf.ListValue",
};

// Numbers of google.protobuf.FieldDescriptorProto.Label and .Type.
const OPTIONAL = 1;
const REPEATED = 3;
const MESSAGE = 11;
const ENUM = 14;
const TYPES: Readonly<Record<WireScalar, number>> = {
  double: 1,
  float: 2,
  int64: 3,
  uint64: 4,
  int32: 5,
  fixed64: 6,
  fixed32: 7,
  bool: 8,
  string: 9,
  bytes: 12,
  uint32: 13,
  sfixed32: 15,
  sfixed64: 16,
  sint32: 17,
  sint64: 18,
};
