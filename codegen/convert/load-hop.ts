import { readFile } from "node:fs/promises";
import { sha256 } from "../load/source.js";
import { parseDeclaration, type Declaration } from "./declaration.js";

/** A declaration with where it stands. */
export interface LoadedHop {
  readonly file: string;
  readonly sha256: string;
  readonly declaration: Declaration;
}

/** One declaration of `schemas/convert/`. */
export async function loadHop(name: string, root: string): Promise<LoadedHop> {
  const file = `schemas/convert/${name}`;
  const text = await readFile(`${root}/convert/${name}`, "utf8");
  return { file, sha256: sha256(text), declaration: parseDeclaration(text, file) };
}
