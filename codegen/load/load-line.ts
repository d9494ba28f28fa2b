import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { noDocs, parseDocs } from "./docs.js";
import type { LoadedLine } from "./loaded-line.js";
import { parseOverlay } from "./overlay.js";
import { readCanonical, readProtoFacts } from "./read-canonical.js";
import { sha256 } from "./source.js";
import { stableJson } from "./stable-json.js";

/** The folder of committed schemas. */
export const schemasRoot = fileURLToPath(new URL("../../schemas/", import.meta.url));

/** The lines that bindings are generated for, oldest first. */
export const supportedLines = ["v0.2", "v0.3", "v1.0"] as const;

/** Reads a committed line: `loadLine("v1.0")`. A line without `docs.json` has no descriptions. */
export async function loadLine(line: string, root = schemasRoot): Promise<LoadedLine> {
  const at = (name: string): string => `${root}/${line}/${name}`.replace(/\/+/g, "/");
  const read = async (name: string): Promise<string> => readFile(at(name), "utf8");
  const file = `schemas/${line}/a2a.json`;
  const schema = readCanonical(await read("a2a.json"), file);
  return {
    line,
    file,
    sha256: sha256(stableJson(schema)),
    schema,
    ...(existsSync(at("proto.json"))
      ? { proto: readProtoFacts(await read("proto.json"), `schemas/${line}/proto.json`) }
      : {}),
    overlay: parseOverlay(await read("overlay.json"), `schemas/${line}/overlay.json`),
    docs: existsSync(at("docs.json"))
      ? parseDocs(await read("docs.json"), `schemas/${line}/docs.json`)
      : noDocs,
    lenient: false,
  };
}
