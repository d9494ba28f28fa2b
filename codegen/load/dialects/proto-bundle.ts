import { InputFault } from "../fault.js";
import type { ProtoFacts } from "../proto-facts.js";
import type { Schema } from "../schema.js";
import { byName } from "../stable-json.js";
import type { Dialect, Raw } from "./dialect.js";
import { protoSpecial } from "./proto-special.js";
import { asRaw, step } from "./raw.js";

/** Types of other packages that have a JSON form of their own. */
const wellKnown: Readonly<Record<string, Schema>> = {
  "google.protobuf.Struct": { type: "object" },
  "google.protobuf.Value": {},
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
};

/**
 * 1.0.x: protobuf messages as a 2020-12 bundle. Keys are titles with blanks in odd places and no `$ref` resolves, so a
 * definition gets the name that some `$ref` or the proto file uses for it, compared without blanks and case.
 */
export function protoBundleDialect(definitions: Raw, key: string, proto?: ProtoFacts): Dialect {
  const known = new Map<string, string>();
  for (const name of [...refTails(definitions), ...(proto?.messages.map((m) => m.name) ?? [])])
    known.set(plain(name), name);
  const byFinalName = new Map<string, { node: Raw; pointer: string }>();
  for (const title of Object.keys(definitions).sort(byName)) {
    const bare = tailOf(title);
    const name = known.get(plain(bare)) ?? bare.replace(/\s+/g, "");
    const pointer = step(`#/${key}`, title);
    if (isWellKnown(name)) continue;
    if (byFinalName.has(name)) throw new InputFault(`two definitions are called ${name}`, pointer);
    byFinalName.set(name, { node: asRaw(definitions[title], pointer), pointer });
  }
  return {
    encoding: "proto-json",
    definitions: byFinalName,
    resolve(ref, pointer) {
      const full = ref.replace(/^#\/(?:\$defs|definitions)\//, "").replace(/\.jsonschema\.json$/, "");
      const special = wellKnown[full];
      if (special !== undefined) return special;
      const name = known.get(plain(tailOf(full))) ?? tailOf(full);
      if (full.startsWith("google.") || !byFinalName.has(name)) {
        throw new InputFault(`reference to ${ref}, which is not in the file`, pointer);
      }
      return { ref: name };
    },
    special: protoSpecial,
  };
}

function refTails(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refTails);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "$ref" && typeof member === "string" ? [tailOf(member)] : refTails(member),
  );
}

/** `lf.a2a.v1.Task.jsonschema.json` → `Task`; a title stays as it is. */
function tailOf(ref: string): string {
  return ref.replace(/\.jsonschema\.json$/, "").replace(/^.*[./]/, "");
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

function isWellKnown(name: string): boolean {
  return `google.protobuf.${name}` in wellKnown;
}
