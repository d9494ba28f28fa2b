import { readFileSync, renameSync } from "node:fs";
import { build } from "esbuild";

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, Record<string, string>>;
const files = new Map<string, Promise<string>>();

/** The file of a process of this folder, bundled once so that it starts quickly. */
export function bundled(name: "instance" | "racer"): Promise<string> {
  const file = files.get(name) ?? bundle(name);
  files.set(name, file);
  return file;
}

async function bundle(name: string): Promise<string> {
  // Inside the package, so that dependencies resolve.
  const file = `.cache/push/${name}.mjs`;
  const outfile = `.cache/push/${name}-${String(process.pid)}.mjs`;
  await build({
    entryPoints: [`test/push/instances/${name}.ts`],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    tsconfig: "tsconfig.json",
    logLevel: "warning",
    external: Object.keys({ ...manifest["dependencies"], ...manifest["devDependencies"] }),
  });
  // Others may bundle the same at the same time: nobody starts half a file.
  renameSync(outfile, file);
  return file;
}
