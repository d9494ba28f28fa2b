import { InputFault } from "./fault.js";
import type { ProtoFacts, ProtoField } from "./proto-facts.js";
import type { CanonicalSchema, Schema } from "./schema.js";
import { byName } from "./stable-json.js";

/** The JSON of protobuf's scalars and well-known types. */
const SCALARS: Readonly<Record<string, Schema>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  double: { type: "number" },
  float: { type: "number" },
  bytes: { type: "string", format: "bytes" },
  "google.protobuf.Struct": { type: "object" },
  "google.protobuf.Value": {},
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
};

/**
 * The schema of the ProtoJSON of a proto file, from its facts alone: what 1.x publishes as `a2a.json` and 0.x does not.
 * Throws {@link InputFault} for a type that is neither known nor declared.
 */
export function schemaOfProto(facts: ProtoFacts, release: string, file: string): CanonicalSchema {
  const declared = new Set([...facts.messages, ...facts.enums].map(({ name }) => name));
  const typed = ({ type, label, name }: ProtoField, owner: string): Schema => {
    const scalar = Object.hasOwn(SCALARS, type) ? SCALARS[type] : undefined;
    if (scalar === undefined && !declared.has(type))
      throw new InputFault(
        `has the type ${type}, which the file does not declare`,
        `${file} ${owner}.${name}`,
      );
    const one: Schema = scalar ?? { ref: type };
    if (label === "repeated") return { type: "array", items: one };
    return label === "map" ? { type: "object", additionalProperties: one } : one;
  };
  const definitions = [
    ...facts.messages.map((message): [string, Schema] => {
      const fields = message.fields.map((field): [string, Schema] => [
        field.json,
        typed(field, message.name),
      ]);
      return [message.name, { type: "object", properties: Object.fromEntries(fields) }];
    }),
    ...facts.enums.map(({ name, values }): [string, Schema] => [
      name,
      { type: "string", enum: values.map((value) => value.name) },
    ]),
  ];
  return {
    release,
    encoding: "proto-json",
    definitions: Object.fromEntries(definitions.sort(([a], [b]) => byName(a, b))),
  };
}
