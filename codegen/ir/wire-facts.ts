import type { ProtoField } from "../load/proto-facts.js";
import type { Field, ScalarName, Type } from "./types.js";

/** What scalars are in protobuf where nothing else is said. */
const WIRE: Readonly<Partial<Record<ScalarName, string>>> = {
  string: "string",
  boolean: "bool",
  int32: "int32",
  int64: "int64",
  number: "double",
  bytes: "bytes",
  timestamp: "google.protobuf.Timestamp",
  json: "google.protobuf.Value",
  struct: "google.protobuf.Struct",
};

/** The protobuf type of one value of a type; undefined for what protobuf has no word for, or a name of its own. */
export function wireTypeOf(type: Type): string | undefined {
  if (type.kind === "array" || type.kind === "map") return wireTypeOf(type.of);
  return type.kind === "scalar" ? WIRE[type.name] : undefined;
}

/** What the binary form needs of a field of the proto; types and names only where they do not follow from the JSON ones. */
export function wireFacts(
  name: string,
  type: Type,
  proto: ProtoField,
): Pick<Field, "number" | "protoName" | "wire" | "wireKey"> {
  const of = type.kind === "array" || type.kind === "map" ? type.of : type;
  const follows = of.kind === "ref" ? of.name === proto.type : wireTypeOf(of) === proto.type;
  return {
    number: proto.number,
    ...(proto.name === protoNameOf(name) ? {} : { protoName: proto.name }),
    ...(follows ? {} : { wire: proto.type }),
    ...(proto.key === undefined || proto.key === "string" ? {} : { wireKey: proto.key }),
  };
}

/** The proto name that a JSON name is derived from by default: `contextId` → `context_id`. */
export const protoNameOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
