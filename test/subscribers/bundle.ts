import { readFileSync } from "node:fs";
import { build } from "esbuild";

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, Record<string, string>>;

/**
 * Bundles processes of a test, from its folder in `test/`, as the package itself is bundled. A loader for TypeScript would
 * not do: it gives every closure its name as a property of its own, and that would be most of what is measured.
 */
export async function bundle(
  names: readonly string[],
  folder = "subscribers",
): Promise<(name: string) => string> {
  const outdir = `.cache/${folder}`;
  await build({
    entryPoints: names.map((name) => `test/${folder}/${name}.ts`),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    tsconfig: "tsconfig.json",
    logLevel: "warning",
    external: Object.keys({ ...manifest["dependencies"], ...manifest["devDependencies"] }),
  });
  return (name) => `${outdir}/${name}.mjs`;
}
