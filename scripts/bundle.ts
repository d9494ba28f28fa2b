import { readFile } from "node:fs/promises";
import { build, type Metafile, type Plugin } from "esbuild";
import { cli, entries, type Entry } from "./entries.js";

/** Root of the repository. */
export const root = new URL("..", import.meta.url).pathname;

/**
 * Writes the JavaScript of the package: one file per entry plus shared chunks, source maps, dependencies external.
 * Shared chunks keep every class single, whichever subpaths a program imports. The executable is a program of its own
 * and shares nothing with them: its imports would cut the chunks of the library into more pieces.
 */
export async function bundle(outdir: string): Promise<Metafile> {
  const library = await run(entries, outdir, "chunks");
  const executable = await run([cli], outdir, "chunks/cli");
  return {
    inputs: { ...library.inputs, ...executable.inputs },
    outputs: { ...library.outputs, ...executable.outputs },
  };
}

async function run(sources: readonly Entry[], outdir: string, chunks: string): Promise<Metafile> {
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
    plugins: [oneCore],
    logOverride: { "ignored-bare-import": "silent" },
    chunkNames: `${chunks}/[name]-[hash]`,
    sourcemap: true,
    metafile: true,
    logLevel: "warning",
  });
  return result.metafile;
}

/** What nearly every entry uses, relative to `src/`. */
const core = [
  "call",
  "json-text",
  "codec/decode",
  "codec/query",
  "adapter/too-large",
  "adapter/serve-fetch",
  "card/well-known",
  "binding/invoke",
  "binding/public-error",
  "binding/to-rpc-error",
  "binding/from-rpc-error",
  "codec/name-segment",
  "client/call-headers",
  "client/http-body",
  "client/http-error",
  "client/http-send",
  "client/parse-json",
  "codec/tolerant",
  "sse/too-large",
];

/**
 * esbuild makes a chunk for each set of entries that reach the same modules, some of a few hundred bytes; each is one
 * more file to load. Whoever uses an error reaches the core through this, so that it becomes one chunk.
 */
const oneCore: Plugin = {
  name: "one-core",
  setup(build) {
    build.onLoad({ filter: /\/src\/errors\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")) + core.map((name) => `import "./${name}.js";\n`).join(""),
      loader: "ts",
    }));
  },
};
