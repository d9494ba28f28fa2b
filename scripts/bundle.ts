import { build, type Metafile } from "esbuild";
import { cli, entries, type Entry } from "./entries.js";

/** Root of the repository. */
export const root = new URL("..", import.meta.url).pathname;

/**
 * Writes the JavaScript of the package: one file per entry plus shared chunks, source maps, dependencies external.
 * Shared chunks keep every class single, whichever subpaths a program imports. The executable is a program of its own
 * and shares nothing with them: its imports would cut the chunks of the library into more pieces.
 */
export async function bundle(outdir: string): Promise<Metafile> {
  const library = await run(entries, outdir);
  const executable = await run([cli], outdir);
  return {
    inputs: { ...library.inputs, ...executable.inputs },
    outputs: { ...library.outputs, ...executable.outputs },
  };
}

async function run(sources: readonly Entry[], outdir: string): Promise<Metafile> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: sources.map(({ source, output }) => ({ in: source, out: output })),
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    packages: "external",
    external: ["node:*"],
    target: "es2022",
    chunkNames: "chunks/[name]-[hash]",
    sourcemap: true,
    metafile: true,
    logLevel: "warning",
  });
  return result.metafile;
}
