import type { WireMessage } from "../descriptor.js";

// The part of google/protobuf/descriptor.proto that a proto3 file without comments needs.

const MethodDescriptor: WireMessage = {
  name: "google.protobuf.MethodDescriptorProto",
  fields: [
    { no: 1, name: "name", type: "string" },
    { no: 2, name: "inputType", type: "string" },
    { no: 3, name: "outputType", type: "string" },
    { no: 6, name: "serverStreaming", type: "bool" },
  ],
};

const ServiceDescriptor: WireMessage = {
  name: "google.protobuf.ServiceDescriptorProto",
  fields: [
    { no: 1, name: "name", type: "string" },
    { no: 2, name: "method", type: "message", of: () => MethodDescriptor, repeated: true },
  ],
};

const EnumValueDescriptor: WireMessage = {
  name: "google.protobuf.EnumValueDescriptorProto",
  fields: [
    { no: 1, name: "name", type: "string" },
    { no: 2, name: "number", type: "int32", optional: true },
  ],
};

const EnumDescriptor: WireMessage = {
  name: "google.protobuf.EnumDescriptorProto",
  fields: [
    { no: 1, name: "name", type: "string" },
    { no: 2, name: "value", type: "message", of: () => EnumValueDescriptor, repeated: true },
  ],
};

const FieldDescriptor: WireMessage = {
  name: "google.protobuf.FieldDescriptorProto",
  fields: [
    { no: 1, name: "name", type: "string" },
    { no: 3, name: "number", type: "int32" },
    { no: 4, name: "label", type: "int32" },
    { no: 5, name: "type", type: "int32" },
    { no: 6, name: "typeName", type: "string" },
    { no: 9, name: "oneofIndex", type: "int32", optional: true },
    { no: 10, name: "jsonName", type: "string" },
    { no: 17, name: "proto3Optional", type: "bool" },
  ],
};

const OneofDescriptor: WireMessage = {
  name: "google.protobuf.OneofDescriptorProto",
  fields: [{ no: 1, name: "name", type: "string" }],
};

const MessageOptions: WireMessage = {
  name: "google.protobuf.MessageOptions",
  fields: [{ no: 7, name: "mapEntry", type: "bool" }],
};

const MessageDescriptor: WireMessage = {
  name: "google.protobuf.DescriptorProto",
  fields: [
    { no: 1, name: "name", type: "string" },
    { no: 2, name: "field", type: "message", of: () => FieldDescriptor, repeated: true },
    { no: 3, name: "nestedType", type: "message", of: () => MessageDescriptor, repeated: true },
    { no: 7, name: "options", type: "message", of: () => MessageOptions },
    { no: 8, name: "oneofDecl", type: "message", of: () => OneofDescriptor, repeated: true },
  ],
};

/** `google.protobuf.FileDescriptorProto`, as far as {@link fileDescriptor} fills it. */
export const FileDescriptor: WireMessage = {
  name: "google.protobuf.FileDescriptorProto",
  fields: [
    { no: 1, name: "name", type: "string" },
    { no: 2, name: "package", type: "string" },
    { no: 3, name: "dependency", type: "string", repeated: true },
    { no: 4, name: "messageType", type: "message", of: () => MessageDescriptor, repeated: true },
    { no: 5, name: "enumType", type: "message", of: () => EnumDescriptor, repeated: true },
    { no: 6, name: "service", type: "message", of: () => ServiceDescriptor, repeated: true },
    { no: 12, name: "syntax", type: "string" },
  ],
};
