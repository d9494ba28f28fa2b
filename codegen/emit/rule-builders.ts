import type { Builder } from "./builders.js";

/** An object without a mark of ProtoJSON. */
export const OBJECT: Builder = {
  name: "object",
  doc: "An object: its required fields, then the others.",
  code: (type) => objectBuilder(type, ""),
};

/** An object that follows ProtoJSON. */
export const MESSAGE: Builder = {
  name: "message",
  doc: "A message: its required fields, then the others.",
  code: (type) => objectBuilder(type, "proto: true, "),
};

const objectBuilder = (type: (name: string) => string, mark: string): string =>
  `(required: ${type("ObjectRule")}["fields"], optional: ${type("ObjectRule")}["fields"] = {}, more?: Partial<${type("ObjectRule")}>): ${type("ObjectRule")} => ({
    is: "object", ${mark}fields: { ...required, ...optional }, required: Object.keys(required), ...more,
  })`;

/** A message of ProtoJSON that has one oneof, and no required field beside it. */
export const ONE_OF: Builder = {
  name: "oneOf",
  doc: "A message with exactly one of these members; then its other fields.",
  code: (
    type,
  ) => `(members: ${type("ObjectRule")}["fields"], others: ${type("ObjectRule")}["fields"] = {}): ${type("ObjectRule")} => ({
    is: "object", proto: true, fields: { ...members, ...others },
    oneofs: [{ members: Object.keys(members), required: true }],
  })`,
};

/** A list whose elements are known by then. */
export const LIST: Builder = {
  name: "list",
  doc: "An array.",
  code: (type) => `(of: ${type("Rule")}): ${type("ListRule")} => ({ is: "list", of })`,
};

/** A map whose values are known by then. */
export const MAP: Builder = {
  name: "map",
  doc: "An object with free keys.",
  code: (type) => `(of: ${type("Rule")}): ${type("MapRule")} => ({ is: "map", of })`,
};
