import { readFileSync } from "node:fs";
import { build } from "esbuild";

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, Record<string, string>>;
const outfile = ".cache/faults/agent.mjs";

/** Bundles the process that gets killed, so that the next one is there at once; gives its file. */
export async function bundleAgent(): Promise<string> {
  await build({
    entryPoints: ["test/faults/processes/agent.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    tsconfig: "tsconfig.json",
    logLevel: "warning",
    external: Object.keys({ ...manifest["dependencies"], ...manifest["devDependencies"] }),
  });
  return outfile;
}
