import type { CanonicalSchema, Schema } from "../../../codegen/load/schema.js";
import type { ProtoFacts, ProtoField, ProtoRoute, ProtoRpc } from "../../../codegen/load/proto-facts.js";

/** Texts of an `a2a.json` and an `a2a.proto`, as a release publishes them. */
export interface ReleaseTexts {
  readonly json: string;
  readonly proto: string;
}

/**
 * Prints committed structure the way 1.x is published, so that a clean clone has something to import: titles with
 * blanks for names, references that do not resolve, enums inline, nothing required; the rest in a proto file.
 */
export function officialLike({ definitions }: CanonicalSchema, proto: ProtoFacts): ReleaseTexts {
  const messages = Object.entries(definitions).filter(([, schema]) => schema.enum === undefined);
  const bundle = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    definitions: {
      ...Object.fromEntries(
        messages.map(([name, schema]) => [titleOf(name), message(schema, definitions, proto.package)]),
      ),
      Struct: { type: "object" },
      Value: {},
      Timestamp: { type: "string", format: "date-time" },
    },
  };
  return { json: JSON.stringify(bundle), proto: protoText(proto) };
}

/** `AuthorizationCodeOAuthFlow` → `Authorization CodeO Auth Flow`. */
const titleOf = (name: string): string =>
  name.replace(/([a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "$1 ");

type Definitions = CanonicalSchema["definitions"];

function message(schema: Schema, all: Definitions, pkg: string): object {
  const properties = Object.entries(schema.properties ?? {});
  const print = (node: Schema): object => property(node, all, pkg);
  const aliases = Object.entries(schema.aliases ?? {});
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(properties.map(([name, node]) => [name, print(node)])),
    ...(aliases.length > 0 && {
      patternProperties: Object.fromEntries(
        aliases.map(([alias, name]) => [`^(${alias})$`, print(schema.properties?.[name] ?? {})]),
      ),
    }),
  };
}

const int32 = { type: "integer", minimum: -2147483648, maximum: 2147483647 };

function property(node: Schema, all: Definitions, pkg: string): object {
  const { ref, type, format, default: fallback, items, additionalProperties } = node;
  const print = (inner: Schema): object => property(inner, all, pkg);
  const and = fallback === undefined ? {} : { default: fallback };
  const of = ref === undefined ? undefined : all[ref]?.enum;
  if (of !== undefined) {
    const [zero = "", ...others] = of;
    const spellings = [{ type: "string", pattern: `^${zero}$` }, { type: "string", enum: others }, int32];
    return { anyOf: spellings, ...(fallback === undefined ? {} : { default: 0 }) };
  }
  if (ref !== undefined) return { $ref: `${pkg}.${ref}.jsonschema.json` };
  if (format === "date-time") return { $ref: "google.protobuf.Timestamp.jsonschema.json" };
  if (format === "bytes") return { type, pattern: "^[A-Za-z0-9+/]*={0,2}$", ...and };
  if (format !== undefined) {
    const integer = format === "int32" ? int32 : { type: "integer", minimum: -(2 ** 63), maximum: 2 ** 63 };
    return { anyOf: [integer, { type: "string", pattern: "^-?[0-9]+$" }], ...and };
  }
  if (type === undefined) return { $ref: "google.protobuf.Value.jsonschema.json" };
  if (type === "object" && additionalProperties === undefined)
    return { $ref: "google.protobuf.Struct.jsonschema.json" };
  return {
    type,
    ...(items !== undefined && { items: print(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: print(additionalProperties) }),
    ...and,
  };
}

function protoText({ package: pkg, messages, enums, services }: ProtoFacts): string {
  return [
    `syntax = "proto3";\npackage ${pkg};`,
    ...services.map(({ name, rpcs }) => block(`service ${name}`, rpcs.map(rpc))),
    ...messages.map(({ name, fields }) => block(`message ${name}`, fields.map(oneofOrField))),
    ...enums.map(({ name, values }) =>
      block(
        `enum ${name}`,
        values.map((value) => `${value.name} = ${String(value.number)};`),
      ),
    ),
  ].join("\n");
}

const block = (head: string, lines: readonly string[]): string =>
  `${head} {\n${lines.map((line) => `  ${line}\n`).join("")}}`;

/** Members of a oneof stand together in the facts as in the file; a group may be opened once per member. */
const oneofOrField = (field: ProtoField): string =>
  field.oneof === undefined ? fieldText(field) : `oneof ${field.oneof} { ${fieldText(field)} }`;

function fieldText({ name, json, number, type, label, key, required, deprecated }: ProtoField): string {
  const options = [
    ...(required === true ? ["(google.api.field_behavior) = REQUIRED"] : []),
    ...(deprecated === true ? ["deprecated = true"] : []),
    `json_name = "${json}"`,
  ];
  const kind =
    label === "map" ? `map<${key ?? ""}, ${type}>` : `${label === undefined ? "" : `${label} `}${type}`;
  return `${kind} ${name} = ${String(number)} [${options.join(", ")}];`;
}

function rpc({
  name,
  input,
  output,
  clientStreaming,
  serverStreaming,
  routes,
  deprecated,
}: ProtoRpc): string {
  const [first, ...more] = routes;
  const rule = (route: ProtoRoute): string =>
    `${route.verb.toLowerCase()}: "${route.path}"${route.body === undefined ? "" : ` body: "${route.body}"`}`;
  const http =
    first === undefined
      ? ""
      : `option (google.api.http) = { ${rule(first)}${more.map((route) => ` additional_bindings: { ${rule(route)} }`).join("")} };`;
  const stream = (is: true | undefined, of: string): string => (is === true ? `stream ${of}` : of);
  return (
    `rpc ${name}(${stream(clientStreaming, input)}) returns (${stream(serverStreaming, output)}) ` +
    `{ ${http}${deprecated === true ? " option deprecated = true;" : ""} }`
  );
}
