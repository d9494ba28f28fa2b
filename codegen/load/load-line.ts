import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { loadHop } from "../convert/load-hop.js";
import { noDocs, parseDocs } from "./docs.js";
import { InputFault } from "./fault.js";
import type { LoadedLine } from "./loaded-line.js";
import { linesIn, parseManifest } from "./manifest.js";
import { parseOverlay } from "./overlay.js";
import { readCanonical, readProtoFacts } from "./read-canonical.js";
import { sha256 } from "./source.js";
import { stableJson } from "./stable-json.js";

/** The folder of committed schemas. */
export const schemasRoot = fileURLToPath(new URL("../../schemas/", import.meta.url));

/** The lines that bindings are generated for, oldest first, as the manifest has them. */
export const supportedLines = linesIn(parseManifest(readFileSync(`${schemasRoot}/manifest.json`, "utf8")));

/**
 * Reads a committed line: `loadLine("v1.0")`. A line that was just imported has no overlay and no docs yet: it takes
 * those of the line before it, as far as they fit.
 */
export async function loadLine(line: string, root = schemasRoot): Promise<LoadedLine> {
  const manifest = parseManifest(await readFile(`${root}/manifest.json`, "utf8"));
  const known = linesIn(manifest);
  if (!known.includes(line))
    throw new InputFault(`is none of ${known.join(", ")}`, `line ${line}`, "import it first");
  const older = known.slice(0, known.indexOf(line) + 1).reverse();
  const owner = (name: string): string | undefined =>
    older.find((candidate) => existsSync(`${root}/${candidate}/${name}`));
  const read = async (of: string, name: string): Promise<string> => readFile(`${root}/${of}/${name}`, "utf8");
  const file = `schemas/${line}/a2a.json`;
  const schema = readCanonical(await read(line, "a2a.json"), file);
  const hasProto = existsSync(`${root}/${line}/proto.json`);
  const [overlay, docs] = [owner("overlay.json"), owner("docs.json")];
  const formHop = `${line.replace(/^v/, "")}-proto.json`;
  return {
    line,
    file,
    sha256: sha256(stableJson(schema)),
    schema,
    ...(hasProto
      ? { proto: readProtoFacts(await read(line, "proto.json"), `schemas/${line}/proto.json`) }
      : {}),
    ...(overlay === undefined
      ? {}
      : { overlay: parseOverlay(await read(overlay, "overlay.json"), `schemas/${overlay}/overlay.json`) }),
    docs: docs === undefined ? noDocs : parseDocs(await read(docs, "docs.json"), `schemas/${docs}/docs.json`),
    ...(existsSync(`${root}/convert/${formHop}`) ? { formHop: await loadHop(formHop, root) } : {}),
    lenient: overlay !== line,
  };
}
