import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { byName } from "../load/stable-json.js";
import type { Output } from "./output.js";

/** How a folder differs from what is emitted. */
export interface Drift {
  readonly missing: readonly string[];
  readonly changed: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  readonly stale: readonly string[];
}

/** Which files of a folder belong to the generator: one that it no longer emits is stale. */
export type Owned = (name: string, text: () => string) => boolean;

/** Compares a folder with what is emitted; `places` are the files and folders in it that may hold stale files. */
export function compare(root: string, output: Output, places: readonly string[], owned: Owned): Drift {
  const read = (name: string): string => readFileSync(join(root, name), "utf8");
  const there = [...new Set(places.flatMap((place) => listFiles(root, place)))].sort(byName);
  const names = [...output.keys()].sort(byName);
  return {
    missing: names.filter((name) => !existsSync(join(root, name))),
    changed: names.flatMap((name) => {
      if (!existsSync(join(root, name))) return [];
      const before = read(name);
      const after = output.get(name) ?? "";
      return before === after ? [] : [{ name, before, after }];
    }),
    stale: there.filter((name) => !output.has(name) && owned(name, () => read(name))),
  };
}

/** Brings a folder to what is emitted: everything is written beside its place first, then moved; stale files go last. */
export async function apply(root: string, output: Output, drift: Drift): Promise<void> {
  const names = [...drift.missing, ...drift.changed.map(({ name }) => name)];
  const beside = (name: string): string => join(root, `${name}.new`);
  try {
    for (const name of names) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(beside(name), output.get(name) ?? "");
    }
    for (const name of names) await rename(beside(name), join(root, name));
    for (const name of drift.stale) await rm(join(root, name));
  } finally {
    for (const name of names) await rm(beside(name), { force: true });
  }
}

/** Files at or below a place, as paths from the root with `/`. */
function listFiles(root: string, place: string): string[] {
  const full = join(root, place);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [place];
  return readdirSync(full, { withFileTypes: true }).flatMap((entry) => {
    const name = place === "" ? entry.name : `${place}/${entry.name}`;
    return entry.isDirectory() ? listFiles(root, name) : [name];
  });
}
