/**
 * The seam for generated code outside this package: bindings made with `codegen --schema … --out …` import types
 * from here and nothing else, and the form of 0.x that HTTP+JSON speaks the code for it. A breaking change of it will be a
 * new entry; this one then stays a major longer.
 */
export { formRest } from "./binding/form-rest-client.js";
export type {
  AnyOfRule,
  ChoiceRule,
  ConversionRule,
  EnumRule,
  ErrorDescriptor,
  GrpcService,
  Hop,
  Infer,
  InputOf,
  Json,
  JsonObject,
  ListRule,
  LiteralRule,
  MapRule,
  MethodDescriptor,
  ObjectRule,
  OneofRule,
  OutputOf,
  RestRoute,
  Rule,
  ScalarRule,
  ServiceDescriptor,
  StringRule,
  Table,
  TaggedRule,
  WireEnum,
  WireMessage,
} from "./descriptor.js";
