/**
 * The seam between generated code and the runtime: decoding rules and service descriptors, as plain data.
 * Generated modules import types from this file and from nowhere else; the runtime interprets the data.
 */

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

/** One HTTP+JSON route. `path` has `{field}` variables named as the JSON fields of the input. */
export interface RestRoute {
  readonly verb: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** `"*"`: every field that is not in the path is in the body. Absent: they are in the query. */
  readonly body?: "*";
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
  /**
   * Set where HTTP+JSON and gRPC speak another form than JSON-RPC (0.x: the ProtoJSON of the proto). Loads the service of
   * that form, which has the routes, and the hop from it (older) to this version (newer).
   */
  readonly form?: () => Promise<{ readonly service: ServiceDescriptor; readonly hop: Hop }>;
}

// ── Conversions ─────────────────────────────────────────────────────────────────────────────────────────────

/** The conversions between two neighbouring forms of the protocol, both ways, as data. */
export interface Hop {
  /** `0.3`, or `0.3/proto` for the ProtoJSON form of a version. */
  readonly older: string;
  readonly newer: string;
}

/** Value type of a table. */
export type Infer<T> = T extends { readonly "~type"?: infer V } ? Exclude<V, undefined> : never;
/** Input type of a method. */
export type InputOf<M extends MethodDescriptor> = Infer<M["input"]>;
/** Output type of a method, or of one event of its stream. */
export type OutputOf<M extends MethodDescriptor> = Infer<M["output"]>;
