import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { schemasRoot } from "../load/load-line.js";
import { sha256 } from "../load/source.js";
import { parseDeclaration, type Declaration } from "./declaration.js";

/** A declaration with where it stands. */
export interface LoadedHop {
  readonly file: string;
  readonly sha256: string;
  readonly declaration: Declaration;
}

/** All declarations of `schemas/convert/`, by file name. */
export async function loadHops(root = schemasRoot): Promise<readonly LoadedHop[]> {
  const names = readdirSync(`${root}/convert`)
    .filter((name) => name.endsWith(".json") && name !== "renames.json")
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const file = `schemas/convert/${name}`;
      const text = await readFile(`${root}/convert/${name}`, "utf8");
      return { file, sha256: sha256(text), declaration: parseDeclaration(text, file) };
    }),
  );
}
