import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { apply, compare } from "../../../codegen/emit/tree.js";
import type { Output } from "../../../codegen/emit/output.js";
import { importRelease } from "../../../codegen/import.js";
import { buildModel } from "../../../codegen/ir/build.js";
import { loadLine, schemasRoot } from "../../../codegen/load/load-line.js";
import { generateLines } from "../../../codegen/pipeline.js";
import type { ServiceDescriptor, Table } from "../../../src/descriptor.js";
import { changed, overlayChanges } from "./changes.js";
import type { ReleaseTexts } from "./official-like.js";

/** Bindings that were generated into a folder. */
export interface Bindings {
  /** The text of each file, by path from the folder. */
  readonly output: Output;
  readonly A2A: ServiceDescriptor;
  readonly tables: Readonly<Record<string, Table<unknown>>>;
}

/**
 * What someone does who adds a release: import its two files into `schemas/`, write down what they do not say, generate.
 * All of it in a folder that starts with a copy of the committed schemas.
 */
export async function importAndGenerate(dir: string, release: ReleaseTexts): Promise<Bindings> {
  const root = join(dir, "schemas");
  await cp(schemasRoot, root, { recursive: true });
  const texts = changed(release);
  const json = join(dir, "a2a.json");
  const proto = join(dir, "a2a.proto");
  await writeFile(json, texts.json);
  await writeFile(proto, texts.proto);
  await importRelease("1.1.0", { json, proto, root });
  const overlay = JSON.parse(await readFile(join(root, "v1.0", "overlay.json"), "utf8")) as Overlay;
  await writeFile(join(root, "v1.1", "overlay.json"), JSON.stringify(merged(overlay)));
  const output = await generateLines([buildModel(await loadLine("v1.1", root))]);
  const to = join(dir, "generated");
  await apply(
    to,
    output,
    compare(to, output, [], () => true),
  );
  const load = async (name: string): Promise<unknown> =>
    import(/* @vite-ignore */ pathToFileURL(join(to, "v1.1", name)).href);
  const { A2A } = (await load("index.ts")) as Pick<Bindings, "A2A">;
  return { output, A2A, tables: { ...((await load("tables.ts")) as Bindings["tables"]) } };
}

interface Overlay {
  readonly methods: object;
  readonly errors: object;
}

const merged = (overlay: Overlay): object => ({
  ...overlay,
  version: "1.1",
  methods: { ...overlay.methods, ...overlayChanges.methods },
  errors: { ...overlay.errors, ...overlayChanges.errors },
});
