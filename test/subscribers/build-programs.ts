import { build } from "esbuild";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/bundle.js";

/** Programs of this folder, built as users run them: a loader that compiles on the way adds to what closures weigh. */
export interface BuiltPrograms extends Disposable {
  file(name: string): string;
}

/** Bundles programs of this folder with the package into a folder that goes when it is disposed of. */
export async function buildPrograms(names: readonly string[]): Promise<BuiltPrograms> {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, "a2a-subscribers-"));
  await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => `test/subscribers/${name}.ts`),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    target: "es2022",
    logLevel: "error",
  });
  return {
    file: (name) => join(outdir, `${name}.mjs`),
    [Symbol.dispose]: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
