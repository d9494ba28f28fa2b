import { build } from "esbuild";
import { join } from "node:path";
import { entries } from "../../scripts/entries.js";
import { root } from "../../scripts/bundle.js";

/**
 * Bundles an example with the built package in `dist`, and its dependencies, into `outdir`; what is imported when used
 * stays in files of its own. Returns their names, the entry first.
 */
export async function bundleExample(name: string, dist: string, outdir: string): Promise<readonly string[]> {
  const built = new Map(
    entries.map(({ subpath, output }) => [
      `a2a-typed${subpath && `/${subpath}`}`,
      join(dist, `${output}.js`),
    ]),
  );
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`examples/runtimes/${name}.ts`],
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["node:*"],
    target: "es2022",
    metafile: true,
    logLevel: "error",
    plugins: [
      {
        name: "built-package",
        setup(made) {
          made.onResolve({ filter: /^a2a-typed(\/|$)/ }, ({ path }) => ({ path: built.get(path) ?? path }));
          // What only Node loads, later or never, is not part of an agent elsewhere.
          made.onResolve(
            {
              filter:
                /^(undici|jose|zod|canonicalize|ipaddr\.js|better-sqlite3|pg|kysely|ioredis|@grpc\/|@opentelemetry\/|@modelcontextprotocol\/)/,
            },
            ({ path }) => ({
              path,
              external: true,
            }),
          );
        },
      },
    ],
  });
  return Object.keys(metafile.outputs)
    .map((file) => file.split("/").at(-1) ?? "")
    .sort((a, b) => Number(b === `${name}.js`) - Number(a === `${name}.js`));
}
