import { readFileSync } from "node:fs";
import { build } from "esbuild";

/** Name of a server under test. */
export type ServerName = "raw" | "ours" | "official";
/** Name of a program that runs in a process of its own. */
export type ProgramName = ServerName | "recorded" | "reader";

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, Record<string, string>>;
const dependencies = Object.keys({ ...manifest["dependencies"], ...manifest["devDependencies"] });

/** Folder of the bundles, inside the package so that dependencies resolve. */
const outdir = ".cache/bench";

/**
 * Bundles the servers as the package itself is bundled: our sources into the file, dependencies left outside.
 * What runs is the code of the working tree, never an older build.
 */
export async function buildServers(names: readonly ProgramName[]): Promise<void> {
  await build({
    entryPoints: names.map((name) => `bench/servers/${name}.ts`),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: false,
    format: "esm",
    platform: "node",
    target: "node20",
    tsconfig: "tsconfig.json",
    logLevel: "warning",
    external: dependencies,
  });
}

/** Where the bundle of a server lies. */
export const bundleOf = (name: ProgramName): string => `${outdir}/${name}.mjs`;
