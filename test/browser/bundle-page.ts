import { build } from "esbuild";
import { root } from "../../scripts/bundle.js";

/** The script of the page, by file name, and what it would need that browsers do not have. */
export interface PageBundle {
  readonly entry: string;
  readonly files: ReadonlyMap<string, string>;
  /** Modules of Node and packages that are not in the files: imported at once, or only when used. */
  readonly missing: { readonly atOnce: readonly string[]; readonly whenUsed: readonly string[] };
}

/** Bundles `test/browser/<name>.ts` from the sources of the working tree, as an application for browsers does. */
export async function bundlePage(name: string): Promise<PageBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`test/browser/${name}.ts`],
    outdir: "page",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    tsconfig: "tsconfig.json",
    external: ["node:*", "undici", "@opentelemetry/api"],
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const imports = Object.values(metafile.outputs)
    .flatMap((output) => output.imports)
    .filter(({ external }) => external);
  const named = (dynamic: boolean): string[] =>
    [
      ...new Set(
        imports.filter(({ kind }) => (kind === "dynamic-import") === dynamic).map(({ path }) => path),
      ),
    ].sort();
  return {
    entry: `${name}.js`,
    files: new Map(outputFiles.map(({ path, text }) => [path.split("/").at(-1) ?? "", text])),
    missing: { atOnce: named(false), whenUsed: named(true) },
  };
}
