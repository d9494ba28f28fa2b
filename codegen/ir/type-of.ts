import { InputFault } from "../load/fault.js";
import type { Schema } from "../load/schema.js";
import { enumDecl } from "./enums.js";
import { upperFirst } from "./names.js";
import { objectDecl } from "./objects.js";
import type { Scope } from "./scope.js";
import type { Type } from "./types.js";
import { discriminate } from "./unions.js";

/** Where a type is used: `path` is `Type` or `Type.field`, the key of overlay facts. */
export interface Place {
  readonly path: string;
  readonly pointer: string;
}

/** The type that a schema node stands for; what has no name but needs one is declared on the way. */
export function typeOf(scope: Scope, schema: Schema, place: Place): Type {
  const stated = scope.facts.scalarAt(place.path);
  if (stated !== undefined) return { kind: "scalar", name: stated };
  const named = scope.named.get(place.path);
  if (named !== undefined) return { kind: "ref", name: named };
  return plainTypeOf(scope, schema, place);
}

/** The same without a look at what the place itself is called or stated to be. */
export function plainTypeOf(scope: Scope, schema: Schema, place: Place): Type {
  if (schema.ref !== undefined) return { kind: "ref", name: schema.ref };
  if (schema.anyOf !== undefined) return unionOf(scope, schema.anyOf, place);
  if (schema.const !== undefined) return { kind: "literal", value: schema.const };
  if (schema.enum !== undefined) return inlineEnum(scope, schema, place);
  if (schema.type === undefined) return { kind: "scalar", name: "json" };
  if (typeof schema.type !== "string") {
    return unionOf(
      scope,
      schema.type.map((type) => ({ type })),
      place,
    );
  }
  switch (schema.type) {
    case "array": {
      const of = plainTypeOf(scope, schema.items ?? {}, place);
      return { kind: "array", of, ...(scope.facts.needsOne(place.path) ? { min: 1 as const } : {}) };
    }
    case "object":
      return objectType(scope, schema, place);
    case "string":
      if (schema.format === "bytes") return { kind: "scalar", name: "bytes" };
      return { kind: "scalar", name: schema.format === "date-time" ? "timestamp" : "string" };
    case "integer":
      if (schema.format === "int32" || schema.format === "int64")
        return { kind: "scalar", name: schema.format };
      return { kind: "scalar", name: "integer" };
    default:
      return { kind: "scalar", name: schema.type };
  }
}

function objectType(scope: Scope, schema: Schema, place: Place): Type {
  if (schema.properties !== undefined) {
    const name = nameAt(scope, place);
    scope.declare(objectDecl(scope, name, schema, place.pointer));
    return { kind: "ref", name };
  }
  const values = schema.additionalProperties;
  if (values === undefined || Object.keys(values).length === 0) return { kind: "scalar", name: "struct" };
  return { kind: "map", of: plainTypeOf(scope, values, place) };
}

function unionOf(scope: Scope, members: readonly Schema[], place: Place): Type {
  const typed = (schema: Schema): Type => plainTypeOf(scope, schema, place);
  return {
    kind: "union",
    of: members.map(typed),
    discrimination: discriminate(members, {
      definition: (name) => scope.definition(name),
      typeOf: typed,
      exclusive: scope.facts.isExclusive(place.path),
      pointer: place.pointer,
    }),
  };
}

function inlineEnum(scope: Scope, schema: Schema, place: Place): Type {
  const name = nameAt(scope, place);
  if (scope.definition(name) !== undefined)
    throw new InputFault(`the enum cannot be called ${name}: that is a type`, place.pointer);
  scope.declare(enumDecl(scope, name, schema, place.pointer));
  return { kind: "ref", name };
}

/** The overlay's name for something inline, else type and field in one word. */
function nameAt(scope: Scope, place: Place): string {
  return scope.facts.nameAt(place.path) ?? place.path.split(".").map(upperFirst).join("");
}
