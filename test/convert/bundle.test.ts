import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/bundle.js";

/** Files of ours that a program bundles, from the root. */
async function filesOf(program: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: root, loader: "ts" },
    absWorkingDir: root,
    bundle: true,
    write: false,
    outdir: "out",
    format: "esm",
    platform: "neutral",
    packages: "external",
    external: ["node:*"],
    splitting: true,
    treeShaking: true,
    metafile: true,
    logLevel: "silent",
  });
  const [entry] = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint === "<stdin>");
  if (entry === undefined) throw new Error("nothing was bundled");
  // What the first file needs at once; the rest is loaded when it is asked for.
  const seen = new Set<string>();
  const files = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const output = metafile.outputs[name];
    for (const [input, { bytesInOutput }] of Object.entries(output?.inputs ?? {}))
      if (bytesInOutput > 0) files.add(input);
    for (const { path, kind } of output?.imports ?? []) if (kind === "import-statement") visit(path);
  };
  visit(entry[0]);
  return [...files];
}

const isConversion = (file: string): boolean =>
  /^(src\/convert\/|generated\/(convert|conversions))/.test(file);
const isOld = (file: string): boolean => file.startsWith("generated/v0.");

describe("programs that speak 1.0 alone carry no conversion code and no older version", () => {
  it.each([
    ["types and helpers", `export { A2A, userMessage } from "./generated/v1.0/index.ts";`],
    [
      "a pinned client",
      `import { createClient, jsonRpc, httpJson } from "./src/index.ts";
       import { A2A } from "./generated/v1.0/index.ts";
       export const clients = [jsonRpc, httpJson].map((of) => createClient(A2A, of({ url: "http://localhost" })));`,
    ],
    [
      "a router",
      `export { createRouter } from "./src/server.ts"; export { A2A } from "./generated/v1.0/index.ts";`,
    ],
  ])("%s", async (_, program) => {
    const files = await filesOf(program);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => isConversion(file) || isOld(file))).toEqual([]);
  });

  it("what looks for it would find it", async () => {
    const files = await filesOf(`export { convert } from "./src/convert.ts";`);
    expect(files).toContain("src/convert/convert.ts");
    expect(files).toContain("generated/convert/0.3-1.0.ts");
    expect(files).toContain("generated/v0.2/tables.ts");
  });
});
