/**
 * The intermediate representation: plain, JSON-serialisable data with names, docs, optionality, defaults,
 * discriminators and oneofs settled. Every emitter reads it and nothing else; `generated/<v>/ir.json` is its text.
 */

import type { HopDraft } from "../convert/draft.js";

/** A use of a type. */
export type Type =
  | { readonly kind: "scalar"; readonly name: ScalarName }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "ref"; readonly name: string }
  | { readonly kind: "array"; readonly of: Type; readonly min?: 1 }
  | { readonly kind: "map"; readonly of: Type }
  | UnionType;

/**
 * `int32`, `int64` (a decimal string in memory), `bytes` and `timestamp` follow ProtoJSON; `integer` and `number` are plain JSON.
 * `json` is any value, `struct` any object.
 */
export type ScalarName =
  | "string"
  | "boolean"
  | "int32"
  | "int64"
  | "integer"
  | "number"
  | "bytes"
  | "timestamp"
  | "json"
  | "struct"
  | "null";

/** How the members of a union are told apart; settled by `unions.ts`, never guessed by an emitter. */
export type Discrimination =
  | {
      readonly by: "tag";
      readonly tag: string;
      readonly variants: readonly { readonly value: string; readonly type: Type }[];
      readonly otherwise?: Type;
    }
  | {
      readonly by: "presence";
      readonly variants: readonly { readonly member: string; readonly type: Type }[];
      readonly exclusive: boolean;
      readonly otherwise?: Type;
    }
  | { readonly by: "order" };

/** One of several types, and how a decoder tells which. */
export interface UnionType {
  readonly kind: "union";
  readonly of: readonly Type[];
  readonly discrimination: Discrimination;
}

/** What every named node carries. `pointer` says where it came from. */
export interface Meta {
  readonly name: string;
  readonly doc?: string;
  readonly deprecated?: string;
  readonly pointer: string;
}

/** A property of an object. */
export interface Field extends Meta {
  readonly type: Type;
  readonly required: boolean;
  /** `explicit`: emitted exactly when set. `implicit`: a default value is the same as absent (proto3 singular, lists, maps). */
  readonly presence: "explicit" | "implicit";
  /** Protobuf field number. */
  readonly number?: number;
  /** Name in the proto file, where it is not the snake_case of `name`. */
  readonly protoName?: string;
  /** Type on the wire, where it does not follow from `type`: `uint32`, `float`. */
  readonly wire?: string;
  /** Key type of a map on the wire, where it is not `string`. */
  readonly wireKey?: string;
  /** Other spellings read in both modes (`context_id`). */
  readonly aliases: readonly string[];
  /** Spellings read in tolerant mode only (`in`). */
  readonly legacy: readonly string[];
  readonly default?: JsonValue;
  /** What `""` means (string fields): a value, refused, or absent. */
  readonly blank: "value" | "refused" | "absent";
}

/** Any JSON. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Externally tagged choice: one member of the group. */
export interface Oneof {
  readonly name: string;
  readonly members: readonly string[];
  readonly required: boolean;
}

/** One value of an enum. */
export interface EnumValue {
  /** The wire name: `TASK_STATE_WORKING`, `input-required`. */
  readonly value: string;
  /** Key of the const object: `WORKING`, `INPUT_REQUIRED`. */
  readonly key: string;
  readonly number?: number;
  readonly doc?: string;
  /** Spellings of other generations, tolerant mode only. */
  readonly legacy: readonly string[];
}

/** A named type of a version. */
export type Decl =
  | (Meta & {
      readonly kind: "object";
      readonly fields: readonly Field[];
      readonly oneofs: readonly Oneof[];
      /** ProtoJSON rules hold (null is absent, aliases). */
      readonly proto: boolean;
    })
  | (Meta & { readonly kind: "enum"; readonly values: readonly EnumValue[] })
  | (Meta & { readonly kind: "alias"; readonly type: Type });

/** An HTTP+JSON route of a method. */
export interface Route {
  readonly verb: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Variables by JSON name: `{id}` is one segment, `{name=tasks/*}` a pattern that the field gets whole. */
  readonly path: string;
  /** `*`, or the JSON name of the field that is the body. */
  readonly body?: string;
  /** The fields in the path are in the body too. */
  readonly whole?: true;
}

/** An operation of the service. */
export interface Method {
  /** `SendMessage`. */
  readonly name: string;
  /** `sendMessage`. */
  readonly key: string;
  readonly kind: "unary" | "serverStream";
  readonly jsonrpc?: string;
  readonly rest: readonly Route[];
  readonly grpc?: string;
  readonly input: Type;
  readonly output: Type;
  readonly emptyInput: boolean;
  readonly idempotent: boolean;
  readonly capability?: string;
  readonly errors: readonly string[];
  readonly doc?: string;
  readonly deprecated?: string;
}

/** An error of the version, as it looks on the wire. */
export interface ErrorDef {
  readonly reason: string;
  readonly code: number;
  readonly message: string;
  readonly http: number;
  readonly status: string;
  readonly doc?: string;
}

/** Facts of the version that are not types: names of headers, shape of errors, card path, shape of helpers. */
export interface ServiceFacts {
  readonly name: string;
  /** Package of the proto file, which gRPC puts before the name. */
  readonly package?: string;
  readonly headers: { readonly version: string; readonly extensions: string };
  readonly errorData: "details" | "any";
  readonly restMediaType: string;
  readonly tenantPrefix: boolean;
  readonly card: { readonly path: string; readonly type: string };
  /** Which helper template serves the version: proto-shaped parts or `kind`-tagged ones; `none` without messages. */
  readonly helpers: "proto" | "kind" | "none";
}

/** All that is known of a version: the one input of every emitter. */
export interface Model {
  /** `1.0` */
  readonly version: string;
  /** `1.0.1` */
  readonly release: string;
  /** Folder under `schemas/` and `generated/`: `v1.0`. */
  readonly line: string;
  /** Digests of the inputs, for headers: never a date. */
  readonly source: { readonly file: string; readonly sha256: string };
  readonly service: ServiceFacts;
  /** By name. */
  readonly decls: readonly Decl[];
  readonly methods: readonly Method[];
  readonly errors: readonly ErrorDef[];
  /** Names that get a validator: params, results, events, card, push payload. */
  readonly roots: readonly string[];
  /** The ProtoJSON of the proto, where it is another shape than the JSON above (0.x). */
  readonly form?: Model;
  /** How that becomes the JSON above, and what declares it. */
  readonly formHop?: {
    readonly source: { readonly file: string; readonly sha256: string };
    readonly rules: HopDraft;
  };
}
