/**
 * The seam between generated code and the runtime: decoding rules and service descriptors, as plain data.
 * Generated modules import types from this file and from nowhere else; the runtime interprets the data. The one exception
 * is `ServiceForm.rest`.
 */

import type { RestForm } from "./rest-form.js";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object (`google.protobuf.Struct`; metadata, params, headers). */
export type JsonObject = { [key: string]: Json };

// ── Decoding rules ──────────────────────────────────────────────────────────────────────────────────────────

/**
 * How one JSON value is checked and normalised. `Table<T>` is a rule that yields a `T`; the type parameter is
 * carried by a phantom member only.
 */
export type Rule =
  | ScalarRule
  | StringRule
  | LiteralRule
  | EnumRule
  | ListRule
  | MapRule
  | ObjectRule
  | TaggedRule
  | ChoiceRule
  | AnyOfRule;

/** A rule whose decoded value is a `T`. */
export type Table<T> = Rule & { readonly "~type"?: T };

/**
 * Scalars. `int32`, `int64`, `bytes` and `timestamp` follow ProtoJSON (numbers as decimal strings, both base64
 * alphabets, offsets normalised to `Z`); `integer` and `number` are plain JSON numbers.
 * `json` is any value including null, `struct` any object.
 */
export interface ScalarRule {
  readonly is:
    "boolean" | "int32" | "int64" | "integer" | "number" | "bytes" | "timestamp" | "json" | "struct" | "null";
}

/** Text. `blank` says what `""` means: a value (default), refused, or the same as absent. */
export interface StringRule {
  readonly is: "string";
  readonly blank?: "refused" | "absent";
}

/** One fixed value (a discriminator, a method name). */
export interface LiteralRule {
  readonly is: "literal";
  readonly value: string | number | boolean;
}

/** A closed set of names; `numbers[i]` is the protobuf number of `values[i]` where the enum has numbers. */
export interface EnumRule {
  readonly is: "enum";
  readonly values: readonly string[];
  readonly numbers?: readonly number[];
  /** Spellings of other generations, read in tolerant mode only: `{ canceled: "TASK_STATE_CANCELED" }`. */
  readonly legacy?: Readonly<Record<string, string>>;
}

/** An array; `min: 1` where an empty one is refused. */
export interface ListRule {
  readonly is: "list";
  readonly of: Rule;
  readonly min?: 1;
}

/** An object with free keys and values of one kind. */
export interface MapRule {
  readonly is: "map";
  readonly of: Rule;
}

/** A message. */
export interface ObjectRule {
  readonly is: "object";
  /** By canonical JSON name. */
  readonly fields: Readonly<Record<string, Rule>>;
  readonly required?: readonly string[];
  /**
   * Alternative spellings of a field, read in both modes; both at once is an error. With `proto`, the snake_case of every
   * name (`context_id` for `contextId`) is one without being listed.
   */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Further spellings that only the tolerant mode reads (`in` → `location`). */
  readonly legacy?: Readonly<Record<string, string>>;
  readonly oneofs?: readonly OneofRule[];
  /** Set where ProtoJSON rules hold: `null` is absent except for `json` fields. */
  readonly proto?: true;
}

/** At most one member of a group may be set; exactly one where `required`. */
export interface OneofRule {
  readonly members: readonly string[];
  readonly required: boolean;
}

/** A union told apart by the literal value of one member (`kind`, `type`, `code`, `method`). */
export interface TaggedRule {
  readonly is: "tagged";
  readonly tag: string;
  readonly variants: Readonly<Record<string, Rule>>;
  /** Taken when the tag is absent or unknown. */
  readonly otherwise?: Rule;
}

/** A union told apart by which member is present; the first `[member, rule]` that is present wins. */
export interface ChoiceRule {
  readonly is: "choice";
  readonly variants: readonly (readonly [member: string, rule: Rule])[];
  /** Two of the members at once are refused. */
  readonly exclusive?: true;
  readonly otherwise?: Rule;
}

/** A union without a mark: the first rule that accepts the value. Last resort. */
export interface AnyOfRule {
  readonly is: "anyOf";
  readonly of: readonly Rule[];
}

// ── Services ────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * One HTTP+JSON route. `path` has variables named as the JSON fields of the input: `{id}` is one segment, and
 * `{name=tasks/*}` the segments of its pattern, which the field holds as a resource name (`tasks/7`).
 */
export interface RestRoute {
  readonly verb: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /**
   * `"*"`: every field that is not in the path is in the body. The name of a field: that field is the body, the others
   * are in the query. Absent: they are all in the query.
   */
  readonly body?: string;
  /** The fields in the path are in the body too. */
  readonly whole?: true;
}

/** One operation of a protocol version, as data. */
export interface MethodDescriptor {
  /** Name in the schema, for messages and logs: `SendMessage`. */
  readonly name: string;
  readonly kind: "unary" | "serverStream";
  /** JSON-RPC method name; absent where the binding has no such method. */
  readonly jsonrpc?: string;
  /** First route is the one clients use; servers answer all of them. */
  readonly rest?: readonly RestRoute[];
  /** gRPC method name. */
  readonly grpc?: string;
  // The only place where any is needed: a table is invariant in nothing, but mapped types must infer from it.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly input: Table<any>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly output: Table<any>;
  /** True where a call without params is legal (no required input field). */
  readonly emptyInput?: true;
  /** True where the call may be repeated without a further effect. */
  readonly idempotent: boolean;
  /** Capability of the agent card that gates the method. */
  readonly capability?: string;
  /** Reasons of the errors that the specification names for it. */
  readonly errors: readonly string[];
}

/** How an error of a version looks on the wire. */
export interface ErrorDescriptor {
  readonly code: number;
  /** Sent where the thrower gives none; default the reason in words (`Task not found`). */
  readonly message?: string;
  /** HTTP status; default 400. */
  readonly http?: number;
  /** Name of the gRPC status, as written into HTTP+JSON bodies; default `FAILED_PRECONDITION`. */
  readonly status?: string;
}

/** A protocol version, as data. */
export interface ServiceDescriptor {
  readonly name: string;
  /** `Major.Minor`, as sent in the version header. */
  readonly version: string;
  /** The release of the schema it was generated from: `1.0.1`. */
  readonly release: string;
  /** By lowerCamel method name. */
  readonly methods: Readonly<Record<string, MethodDescriptor>>;
  /** By reason: `TASK_NOT_FOUND`. */
  readonly errors: Readonly<Record<string, ErrorDescriptor>>;
  readonly headers: { readonly version: string; readonly extensions: string };
  /** `details`: `data`/`details` is an array of `@type` objects (1.x). `any`: free form (0.x). */
  readonly errorData: "details" | "any";
  /** Media type of HTTP+JSON bodies. */
  readonly restMediaType: string;
  /** Fields of the REST tenant prefix: `/{tenant}` in front of every route. */
  readonly tenantPrefix?: true;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly card: { readonly path: string; readonly table: Table<any> };
  /** Set where HTTP+JSON and gRPC speak another form than JSON-RPC (0.x: the ProtoJSON of the proto); loads it. */
  readonly form?: () => Promise<ServiceForm>;
}

/** The form in which a version is spoken over HTTP+JSON and gRPC. */
export interface ServiceForm {
  /** The version in that form: its routes and tables. */
  readonly service: ServiceDescriptor;
  /** From the form (older) to the JSON of the version (newer), and back. */
  readonly hop: Hop;
  /** Code of the runtime that clients over HTTP+JSON speak it with. */
  readonly rest: RestForm;
}

// ── Protobuf ────────────────────────────────────────────────────────────────────────────────────────────────

/** Scalars of protobuf, by their keywords. */
export type WireScalar =
  | "string"
  | "bytes"
  | "bool"
  | "double"
  | "float"
  | "int32"
  | "int64"
  | "uint32"
  | "uint64"
  | "sint32"
  | "sint64"
  | "fixed32"
  | "fixed64"
  | "sfixed32"
  | "sfixed64";

/** Messages of `google.protobuf` that have a JSON form of their own: text, or free JSON. */
export type WireWellKnown = "timestamp" | "struct" | "value" | "listValue";

/** What the values of a field are on the wire. */
export type WireType =
  | { readonly type: WireScalar | WireWellKnown }
  | { readonly type: "message"; readonly of: () => WireMessage }
  | { readonly type: "enum"; readonly of: () => WireEnum };

/** One field of a protobuf message: what its decoding rule does not say. */
export type WireField = WireType & {
  readonly no: number;
  /** Name in JSON: `contextId`. */
  readonly name: string;
  /** Name in the proto file, where it is not the snake_case of `name`. */
  readonly proto?: string;
  /** A list; with `key`, a map with keys of that scalar. */
  readonly repeated?: true;
  readonly key?: WireScalar;
  /** Has presence although it is a scalar: a default that was set is written. Messages have it always. */
  readonly optional?: true;
  /** Name of the group of which one member at most is set. */
  readonly oneof?: string;
  /** In JSON even where it has its default, which the wire leaves out: rules require it. */
  readonly always?: true;
};

/** How one protobuf message is read and written: the facts of the wire that stand beside its decoding rule. */
export interface WireMessage {
  /** With its package: `lf.a2a.v1.Task`. */
  readonly name: string;
  /** In order of their numbers. */
  readonly fields: readonly WireField[];
}

/** An enum on the wire. */
export interface WireEnum {
  /** With its package: `lf.a2a.v1.TaskState`. */
  readonly name: string;
  /** Numbers by name. */
  readonly values: Readonly<Record<string, number>>;
}

/** A method of a gRPC service. */
export interface GrpcMethod {
  readonly name: string;
  readonly input: WireMessage;
  readonly output: WireMessage;
  readonly serverStream: boolean;
}

/** A version as gRPC speaks it. */
export interface GrpcService {
  /** With its package: `lf.a2a.v1.A2AService`. */
  readonly name: string;
  /** By the keys of `ServiceDescriptor.methods`. */
  readonly methods: Readonly<Record<string, GrpcMethod>>;
}

// ── Conversions ─────────────────────────────────────────────────────────────────────────────────────────────

/** One of the two forms between which a hop converts. "Up" is from the older to the newer one. */
export type Side = "older" | "newer";

/** What differs from side to side. */
export type PerSide<T> = { readonly [side in Side]?: T };

/**
 * How a value of the older form becomes one of the newer, and back: one rule for both ways. Paths of members have dots
 * (`file.bytes`).
 */
export type ConversionRule =
  | SameConversion
  | NotConversion
  | ConstantConversion
  | EnumConversion
  | ItemsConversion
  | WrapConversion
  | ObjectConversion
  | UnionConversion
  | HookConversion;

/** Equal in both forms: shared, never copied. */
export interface SameConversion {
  readonly is: "same";
}

/** A flag with its meaning turned round. */
export interface NotConversion {
  readonly is: "not";
}

/** Each form has one value that says nothing (`null` and `{}`): whatever was given, it is written. */
export interface ConstantConversion {
  readonly is: "constant";
  readonly older: Json;
  readonly newer: Json;
}

/** Names of an enum. A name without a partner, and any unknown one, becomes the fallback and is reported, or is refused. */
export interface EnumConversion {
  readonly is: "enum";
  readonly pairs: readonly (readonly [older: string, newer: string])[];
  /** By the side that is written. */
  readonly fallback?: PerSide<string>;
  /** Names that only one form has, with the name that the other form gets instead; reported. By the side that has the name. */
  readonly nearest?: PerSide<Readonly<Record<string, string>>>;
}

/** A list or a map, element by element. An element that has no place in the other form is left out. */
export interface ItemsConversion {
  readonly is: "items";
  readonly of: ConversionRule;
  /** Side on which an empty list is no value: refused in a request. */
  readonly filled?: Side;
}

/** A bare value on one side, the same value as a member of an object on the other (`[…]` and `{ configs: […] }`). */
export interface WrapConversion {
  readonly is: "wrap";
  /** The side that has the object. */
  readonly side: Side;
  readonly member: string;
  readonly of: ConversionRule;
  /** What the bare side has where the member is absent. */
  readonly empty: Json;
  /** Members beside it, which are dropped. */
  readonly rest?: readonly MemberConversion[];
}

/** An object: what becomes of each member. Members that are not named here are dropped and reported. */
export interface ObjectConversion {
  readonly is: "object";
  readonly members: readonly MemberConversion[];
  /** Members whose value is a resource name, made of members of the other side: `tasks/{taskId}`. */
  readonly names?: readonly NameConversion[];
  /** Nested objects that are written even where nothing is in them. */
  readonly always?: PerSide<readonly string[]>;
}

/** One member of an object. With one side only, the other form has no place for it: dropped and reported. */
export interface MemberConversion {
  readonly older?: string;
  readonly newer?: string;
  /** Default: the same. */
  readonly as?: ConversionRule;
  /** Always written with this value on its only side, never read (`kind`). */
  readonly value?: Json;
  /** A hook around the object takes care of it. */
  readonly hooked?: true;
  /** Side, or sides, on which a default (`""`, `[]`, `false`, 0, `{}`) is the same as absent: it is not written, and not missed. */
  readonly lean?: Side | "both";
  /** What is written on a side where the other has nothing. */
  readonly fill?: PerSide<Fill>;
  /** The value that on a side stands for nothing. */
  readonly unset?: PerSide<Json>;
  /** The release from which on a side has the member. */
  readonly since?: PerSide<string>;
  /** Side on which it is read and never written: peers send what only later releases have. */
  readonly readOnly?: Side;
  /** Side on which `""` is refused, in a request. */
  readonly filled?: Side;
  /** Sides that require it: where its value has no place in the other form, the whole object has none. */
  readonly required?: Side | "both";
}

/** A value that is written where nothing was given. */
export interface Fill {
  readonly value: Json;
  /** It says what absence meant; otherwise it is reported as synthesized. */
  readonly silent?: true;
  /** The last release that demands it; a peer of an unknown release gets it. */
  readonly until?: string;
}

/** `name: "tasks/{taskId}/pushNotificationConfigs/{id}"` on one side, members of the other in its variables. */
export interface NameConversion {
  readonly side: Side;
  readonly member: string;
  readonly pattern: string;
}

/** A union: how each side tells its variants, and which belong together. */
export interface UnionConversion {
  readonly is: "union";
  readonly older: Selector;
  readonly newer: Selector;
  /** A variant that one side lacks is dropped and reported. */
  readonly variants: readonly VariantConversion[];
}

/** `tag`: by the value of that member. `member`: by the member that is present. `wrapper`: so too, and that member is the variant. */
export type Selector = { readonly tag: string } | "member" | "wrapper";

/** One variant: on each side the tag value, or the members that mark it. */
export interface VariantConversion {
  readonly older?: readonly string[];
  readonly newer?: readonly string[];
  /** Default: the same. */
  readonly as?: ConversionRule;
}

/** Code of the runtime, by name; `of` is what it wraps. */
export interface HookConversion {
  readonly is: "hook";
  readonly hook: string;
  readonly of?: ConversionRule;
}

/** A named type of a hop. The types are expressions: `Task`, or `AgentCard.security[]` for one without a name. */
export interface TypeConversion {
  readonly older: string;
  readonly newer: string;
  readonly rule: ConversionRule;
}

/** An operation that both forms have, by the keys of its descriptors. For streams, `output` is one event. */
export interface MethodConversion {
  readonly older: string;
  readonly newer: string;
  readonly input: ConversionRule;
  readonly output: ConversionRule;
}

/** The conversions between two neighbouring forms of the protocol, both ways, as data. */
export interface Hop {
  /** `0.3`, or `0.3/proto` for the ProtoJSON form of a version. */
  readonly older: string;
  readonly newer: string;
  /** By name, which is that of the newer type where there is one. */
  readonly types: Readonly<Record<string, TypeConversion>>;
  readonly methods: readonly MethodConversion[];
}

/** Value type of a table. */
export type Infer<T> = T extends { readonly "~type"?: infer V } ? Exclude<V, undefined> : never;
/** Input type of a method. */
export type InputOf<M extends MethodDescriptor> = Infer<M["input"]>;
/** Output type of a method, or of one event of its stream. */
export type OutputOf<M extends MethodDescriptor> = Infer<M["output"]>;
