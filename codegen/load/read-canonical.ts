import { z } from "zod";
import { InputFault } from "./fault.js";
import { parseJson } from "./parse-json.js";
import type { ProtoFacts } from "./proto-facts.js";
import type { CanonicalSchema, Schema } from "./schema.js";
import { byName } from "./stable-json.js";

const canonicalHead = z.strictObject({
  release: z.string(),
  encoding: z.enum(["proto-json", "json"]),
  definitions: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** Reads a committed `a2a.json`; its keys may stand in any order. */
export function readCanonical(text: string, file: string): CanonicalSchema {
  const parsed = canonicalHead.safeParse(parseJson(text, file));
  if (!parsed.success) throw new InputFault("is not a canonical schema", file, "run npm run schemas:import");
  const { release, encoding, definitions } = parsed.data;
  // The file is the output of the importer, which checked every node; only the order of keys is restored here.
  return { release, encoding, definitions: sortNames(definitions) };
}

/** Reads a committed `proto.json`. */
export function readProtoFacts(text: string, file: string): ProtoFacts {
  const head = z.looseObject({
    package: z.string(),
    messages: z.array(z.unknown()),
    enums: z.array(z.unknown()),
    services: z.array(z.unknown()),
  });
  const parsed: unknown = parseJson(text, file);
  if (!head.safeParse(parsed).success)
    throw new InputFault("is not a file of proto facts", file, "run npm run schemas:import");
  // Written by the importer from the parser's own types.
  return parsed as ProtoFacts;
}

const keywords: readonly (keyof Schema)[] = [
  ...(["ref", "type", "format", "const", "enum", "default", "properties", "required", "items"] as const),
  ...(["additionalProperties", "anyOf", "aliases"] as const),
];

function sortNames(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(sorted(schemas).map(([name, schema]) => [name, sortSchema(schema)]));
}

function sortSchema(schema: Schema): Schema {
  const children: Schema = {
    ...(schema.properties === undefined ? {} : { properties: sortNames(schema.properties) }),
    ...(schema.items === undefined ? {} : { items: sortSchema(schema.items) }),
    ...(schema.additionalProperties === undefined
      ? {}
      : { additionalProperties: sortSchema(schema.additionalProperties) }),
    ...(schema.anyOf === undefined ? {} : { anyOf: schema.anyOf.map(sortSchema) }),
    ...(schema.aliases === undefined ? {} : { aliases: Object.fromEntries(sorted(schema.aliases)) }),
  };
  const merged = { ...schema, ...children };
  return Object.fromEntries(
    keywords.flatMap((key) => (merged[key] === undefined ? [] : [[key, merged[key]]])),
  );
}

function sorted<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => byName(a, b));
}
