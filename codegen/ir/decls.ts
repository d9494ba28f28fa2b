import { step } from "../load/dialects/raw.js";
import type { Schema } from "../load/schema.js";
import { byName } from "../load/stable-json.js";
import { enumDecl } from "./enums.js";
import { objectDecl } from "./objects.js";
import type { Scope } from "./scope.js";
import { plainTypeOf } from "./type-of.js";
import type { Decl } from "./types.js";

/** Declares every definition of the schema. */
export function declareAll(scope: Scope): void {
  for (const name of Object.keys(scope.loaded.schema.definitions).sort(byName)) {
    const schema = scope.definition(name);
    if (schema !== undefined) scope.declare(declOf(scope, name, schema, step("#/definitions", name)));
  }
}

function declOf(scope: Scope, name: string, schema: Schema, pointer: string): Decl {
  if (schema.enum !== undefined) return enumDecl(scope, name, schema, pointer);
  const isObject = schema.type === "object" && (schema.properties !== undefined || scope.isProtoJson);
  if (isObject) return objectDecl(scope, name, schema, pointer);
  return { kind: "alias", name, pointer, type: plainTypeOf(scope, schema, { path: name, pointer }) };
}

/** Where the message without fields comes from. */
export const EMPTY = "google.protobuf.Empty";

/** The message without fields: result of a method that returns nothing, or params of one that takes none. */
export function emptyDecl(scope: Scope): Decl {
  return {
    kind: "object",
    name: "Empty",
    doc: "A message without fields.",
    pointer: EMPTY,
    fields: [],
    oneofs: [],
    proto: scope.isProtoJson,
  };
}
