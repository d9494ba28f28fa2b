import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { bundle, root } from "./bundle.js";

/** A bundle of the package in a folder of its own, which goes when it is disposed of. */
export interface TemporaryBundle extends Disposable {
  readonly folder: string;
  readonly metafile: Metafile;
}

/** Bundles the package where its dependencies can still be resolved, and apart from `dist`. */
export async function temporaryBundle(): Promise<TemporaryBundle> {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "a2a-typed-"));
  // As in the package: without it, Node reads each file twice to find out what it is.
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    return { folder, metafile: await bundle(folder), [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}
