import { z } from "zod";
import { InputFault } from "./fault.js";
import { parseJson } from "./parse-json.js";

/** Where a fact comes from: a section of the specification of that version, of another one (`1.0 §5.4`), or the proto. */
const spec = z.string().regex(/§|proto/, "cite a section: §…");
const fact = z.strictObject({ spec });
/** Facts about fields, by `Type.field`. */
const perField = z.record(z.string().regex(/^\w+\.\w+$/), fact);
const spelled = z.strictObject({ also: z.array(z.string()).min(1), spec });

const route = z.strictObject({
  verb: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z.string().startsWith("/"),
  /** `*`, or the field that is the body. */
  body: z.string().optional(),
  /** The fields in the path are in the body too. */
  whole: z.literal(true).optional(),
  /** Clients use it first. */
  preferred: z.literal(true).optional(),
  spec,
});

const method = z.strictObject({
  /** lowerCamel name in bindings; the schema name otherwise. */
  key: z.string().optional(),
  /** JSON-RPC name, where it is not in the schema and is not the gRPC name. */
  jsonrpc: z.string().optional(),
  /** gRPC name, where the schema has none. */
  grpc: z.string().optional(),
  stream: z.boolean().optional(),
  /** The method whose result this one shares, where the schema defines none. */
  resultOf: z.string().optional(),
  capability: z.string().optional(),
  idempotent: z.boolean().optional(),
  errors: z.array(z.string()).default([]),
  routes: z.array(route).default([]),
  /** The routes above stand in place of those of the proto. */
  routesOnly: z.literal(true).optional(),
  /** A method that the generator must leave out (it streams from the client, say). */
  unsupported: z.literal(true).optional(),
  spec,
});

const error = z.strictObject({
  code: z.number().int().optional(),
  message: z.string().optional(),
  http: z.number().int(),
  status: z.string(),
  spec,
});

/** What may be said of types, of whatever shape they are. */
const typeFacts = {
  /** Fields that are required although the schema does not say so. */
  required: perField.default({}),
  /** Fields that are not required although the proto says so. */
  optional: perField.default({}),
  /** Lists that need one element. */
  minOne: perField.default({}),
  /** Strings for which `""` is refused, or the same as absent. */
  blank: z
    .strictObject({ refused: perField.default({}), absent: perField.default({}) })
    .default({ refused: {}, absent: {} }),
  /** Types of fields that the schema states too loosely. */
  types: z
    .record(
      z.string(),
      z.strictObject({ scalar: z.enum(["bytes", "timestamp", "string", "struct", "json", "int64"]), spec }),
    )
    .default({}),
  /** Names for enums that the schema writes inline, by `Type.field`. */
  names: z.record(z.string(), z.strictObject({ name: z.string(), spec })).default({}),
  /** Unions: by `Type` or `Type.field`. */
  unions: z.record(z.string(), z.strictObject({ exclusive: z.boolean(), spec })).default({}),
  /** Groups of which exactly one member must be set, by `Type.group`; members as JSON names where the proto has no such group. */
  oneofs: z
    .record(
      z.string(),
      z.strictObject({ members: z.array(z.string()).optional(), required: z.boolean(), spec }),
    )
    .default({}),
  /** Spellings of fields that both modes read. */
  aliases: z.record(z.string(), spelled).default({}),
  /** Spellings that only the tolerant mode reads. */
  spellings: z
    .strictObject({
      fields: z.record(z.string(), spelled).default({}),
      values: z.record(z.string(), spelled).default({}),
      /** Read every camelCase field in snake_case too. */
      snakeCase: fact.optional(),
    })
    .default({ fields: {}, values: {} }),
};

const addedField = z.strictObject({
  number: z.number().int(),
  type: z.string(),
  label: z.enum(["optional", "repeated"]).optional(),
  oneof: z.string().optional(),
  spec,
});

/** The ProtoJSON of the proto of a 0.x version, which HTTP+JSON and gRPC speak. */
const form = z.strictObject({
  spec,
  /** Operations by gRPC name. */
  methods: z
    .record(
      z.string(),
      method.extend({
        /** The operation of the JSON schema that it is: key, errors, capability and idempotency are those of it. */
        as: z.string().optional(),
      }),
    )
    .default({}),
  /** Fields of later protos that peers send: read, never written. By `Message.field`. */
  fields: z.record(z.string().regex(/^\w+\.\w+$/), addedField).default({}),
  ...typeFacts,
});

const overlaySchema = z.strictObject({
  version: z.string(),
  service: z.strictObject({
    name: z.string(),
    headers: z.strictObject({ version: z.string(), extensions: z.string(), spec }),
    errorData: z.enum(["details", "any"]),
    restMediaType: z.string(),
    tenantPrefix: z.boolean(),
    card: z.strictObject({ path: z.string(), type: z.string(), spec }),
    helpers: z.enum(["proto", "kind", "none"]),
    /** Whether the HTTP+JSON routes of the proto file belong to these bindings. */
    rest: z.boolean(),
    /** Whether the methods of the proto file are also those of JSON-RPC. */
    jsonrpc: z.boolean().default(true),
    spec,
  }),
  /** Bodies of push notifications. */
  push: z.record(z.string(), fact).default({}),
  methods: z.record(z.string(), method).default({}),
  errors: z.record(z.string(), error).default({}),
  ...typeFacts,
  form: form.optional(),
});

/** Reviewed facts that an official `a2a.json` lacks, each with the section it rests on. */
export type Overlay = z.infer<typeof overlaySchema>;
/** What an overlay says of the ProtoJSON form. */
export type OverlayForm = z.infer<typeof form>;
/** What an overlay says of a method. */
export type OverlayMethod = z.infer<typeof method>;
/** What an overlay says of an error. */
export type OverlayError = z.infer<typeof error>;

/** Reads an `overlay.json`; throws {@link InputFault} with the pointer of the first mistake. */
export function parseOverlay(text: string, file: string): Overlay {
  const parsed = overlaySchema.safeParse(parseJson(text, file));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new InputFault(
    issue?.message ?? "is not an overlay",
    `${file}#/${issue?.path.map(String).join("/") ?? ""}`,
  );
}
