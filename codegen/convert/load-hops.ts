import { readdirSync } from "node:fs";
import { schemasRoot } from "../load/load-line.js";
import { loadHop, type LoadedHop } from "./load-hop.js";

/** All declarations of `schemas/convert/`, by file name. */
export async function loadHops(root = schemasRoot): Promise<readonly LoadedHop[]> {
  const names = readdirSync(`${root}/convert`)
    .filter((name) => name.endsWith(".json") && name !== "renames.json")
    .sort();
  return Promise.all(names.map((name) => loadHop(name, root)));
}
