import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { emitConversions } from "../../../codegen/convert/emit-conversions.js";
import { loadHop } from "../../../codegen/convert/load-hop.js";
import { apply, compare } from "../../../codegen/emit/tree.js";
import type { Output } from "../../../codegen/emit/output.js";
import { importRelease } from "../../../codegen/import.js";
import { buildModel } from "../../../codegen/ir/build.js";
import { loadLine, schemasRoot } from "../../../codegen/load/load-line.js";
import { generateLines } from "../../../codegen/pipeline.js";
import type { GrpcService, Hop, ServiceDescriptor, Table } from "../../../src/descriptor.js";
import { changed, conversion, overlayChanges } from "./changes.js";
import type { ReleaseTexts } from "./official-like.js";

/** Bindings that were generated into a folder. */
export interface Bindings {
  /** The text of each file, by path from the folder. */
  readonly output: Output;
  readonly A2A: ServiceDescriptor;
  readonly grpc: GrpcService;
  readonly tables: Readonly<Record<string, Table<unknown>>>;
  /** The conversion between 1.0 and 1.1. */
  readonly hop: Hop;
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
  await writeFile(join(root, "convert", "1.0-1.1.json"), JSON.stringify(conversion));
  const models = await Promise.all(
    ["v1.0", "v1.1"].map(async (line) => buildModel(await loadLine(line, root))),
  );
  const output = new Map([
    ...(await generateLines(models.slice(1))),
    ...(await emitConversions(models, [await loadHop("1.0-1.1.json", root)])),
  ]);
  const to = join(dir, "generated");
  await apply(
    to,
    output,
    compare(to, output, [], () => true),
  );
  const load = async (name: string): Promise<unknown> =>
    import(/* @vite-ignore */ pathToFileURL(join(to, name)).href);
  const { A2A } = (await load("v1.1/index.ts")) as Pick<Bindings, "A2A">;
  const { hop } = (await load("convert/1.0-1.1.ts")) as Pick<Bindings, "hop">;
  const { grpc } = (await load("v1.1/grpc.ts")) as Pick<Bindings, "grpc">;
  return { output, A2A, grpc, hop, tables: { ...((await load("v1.1/tables.ts")) as Bindings["tables"]) } };
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
