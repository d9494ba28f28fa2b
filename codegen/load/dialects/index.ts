import { InputFault } from "../fault.js";
import { parseJson } from "../parse-json.js";
import type { ProtoFacts } from "../proto-facts.js";
import type { CanonicalSchema } from "../schema.js";
import { canonical } from "./canonical.js";
import type { Dialect, Raw } from "./dialect.js";
import { plainDialect } from "./plain.js";
import { protoBundleDialect } from "./proto-bundle.js";
import { asRaw } from "./raw.js";

/**
 * Reads the text of an official `a2a.json` of any bundle style into the canonical form. The proto file helps with names
 * of types that nothing refers to.
 */
export function readBundle(
  text: string,
  release: string,
  proto?: ProtoFacts,
  file = "a2a.json",
): CanonicalSchema {
  return canonical(dialectOf(asRaw(parseJson(text, file), file), proto, file), release);
}

/** Recognises the style by how its definitions refer to each other. */
function dialectOf(root: Raw, proto: ProtoFacts | undefined, file: string): Dialect {
  const key = root["definitions"] === undefined ? "$defs" : "definitions";
  if (root[key] === undefined) {
    throw new InputFault(
      "has neither definitions nor $defs",
      file,
      "an official a2a.json of A2A 0.1.0 or later is needed",
    );
  }
  const definitions = asRaw(root[key], `#/${key}`);
  const isBundle =
    /"\$ref":"[^"]*\.jsonschema\.json"/.test(JSON.stringify(definitions)) ||
    Object.keys(definitions).some((name) => /\.jsonschema\.json$/.test(name));
  return isBundle ? protoBundleDialect(definitions, key, proto) : plainDialect(definitions, key);
}
