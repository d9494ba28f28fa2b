/**
 * The canonical form of an official `a2a.json`: structure only, one spelling for what the three bundle styles say.
 * It is a small closed subset of JSON Schema draft-07; `aliases` is ours.
 */
import type { JsonValue } from "../ir/types.js";

/** One schema node. An empty object is any JSON value; objects are always open. */
export interface Schema {
  /** Name of a definition (`Task`), never a pointer. */
  readonly ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly format?: "date-time" | "int32" | "int64" | "bytes";
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly default?: JsonValue;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  /** Value schema of a map. */
  readonly additionalProperties?: Schema;
  readonly anyOf?: readonly Schema[];
  /** Other spellings of properties: `{ context_id: "contextId" }`. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** A `type` keyword of JSON Schema. */
export type SchemaType = "string" | "number" | "integer" | "boolean" | "null" | "object" | "array";

/** A whole file in canonical form. */
export interface CanonicalSchema {
  /** `1.0.1` */
  readonly release: string;
  /** `proto-json`: the JSON form of protobuf messages (1.x). `json`: plain JSON (0.x). */
  readonly encoding: "proto-json" | "json";
  readonly definitions: Readonly<Record<string, Schema>>;
}
