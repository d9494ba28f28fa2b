import type { WireEnum, WireMessage } from "../descriptor.js";

/** An error with its details, as `grpc-status-details-bin` carries it. */
export const RpcStatus: WireMessage = {
  name: "google.rpc.Status",
  fields: [
    { no: 1, name: "code", type: "int32", always: true },
    { no: 2, name: "message", type: "string" },
    { no: 3, name: "details", type: "message", of: () => Any, repeated: true },
  ],
};

/** A message of a type that only its URL tells. */
const Any: WireMessage = {
  name: "google.protobuf.Any",
  fields: [
    { no: 1, name: "typeUrl", type: "string" },
    { no: 2, name: "value", type: "bytes" },
  ],
};

/** The detail that names an A2A error. */
export const ErrorInfo: WireMessage = {
  name: "google.rpc.ErrorInfo",
  fields: [
    { no: 1, name: "reason", type: "string", always: true },
    { no: 2, name: "domain", type: "string", always: true },
    { no: 3, name: "metadata", type: "string", key: "string" },
  ],
};

const FieldViolation: WireMessage = {
  name: "google.rpc.BadRequest.FieldViolation",
  fields: [
    { no: 1, name: "field", type: "string", always: true },
    { no: 2, name: "description", type: "string" },
  ],
};

/** The detail that lists refused fields. */
export const BadRequest: WireMessage = {
  name: "google.rpc.BadRequest",
  fields: [{ no: 1, name: "fieldViolations", type: "message", of: () => FieldViolation, repeated: true }],
};

/** An object as a message of its own. */
export const Struct: WireMessage = {
  name: "google.protobuf.Struct",
  fields: [{ no: 1, name: "fields", type: "value", key: "string" }],
};

const NullValue: WireEnum = { name: "google.protobuf.NullValue", values: { NULL_VALUE: 0 } };

/** Any JSON as a message of its own: the member says of which kind it is. */
export const Value: WireMessage = {
  name: "google.protobuf.Value",
  fields: [
    { no: 1, name: "nullValue", type: "enum", of: () => NullValue, oneof: "kind" },
    { no: 2, name: "numberValue", type: "double", oneof: "kind" },
    { no: 3, name: "stringValue", type: "string", oneof: "kind" },
    { no: 4, name: "boolValue", type: "bool", oneof: "kind" },
    { no: 5, name: "structValue", type: "struct", oneof: "kind" },
    { no: 6, name: "listValue", type: "listValue", oneof: "kind" },
  ],
};
