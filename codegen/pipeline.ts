import { emitConversions } from "./convert/emit-conversions.js";
import type { LoadedHop } from "./convert/load-hop.js";
import { gate } from "./emit/gate.js";
import { below, type Output } from "./emit/output.js";
import { emitRuntime } from "./emit/runtime.js";
import { EXTERNAL, EXTERNAL_LINES, INTERNAL } from "./emit/target.js";
import { emitReference } from "./emit/reference.js";
import { format } from "./emit/format.js";
import { emitVectors } from "./emit/vectors.js";
import { emitVersion } from "./emit/version.js";
import { buildModel } from "./ir/build.js";
import type { Model } from "./ir/types.js";
import { loadLine } from "./load/load-line.js";
import { loadOfficial, type OfficialFiles } from "./load/load-official.js";

/** The models of committed lines, in the order given. */
export const modelsOf = async (lines: readonly string[]): Promise<Model[]> =>
  Promise.all(lines.map(async (line) => buildModel(await loadLine(line))));

/** The model of a user's own schema. */
export const modelOf = (files: OfficialFiles): Model => buildModel(loadOfficial(files));

/**
 * Everything this repository commits, by path from its root; with `hops`, the conversions between the models too. Nothing is
 * written; code that does not type-check throws.
 */
export async function generateRepository(
  models: readonly Model[],
  hops?: readonly LoadedHop[],
): Promise<Output> {
  const lines = await emitLines(models, INTERNAL);
  const conversions = hops === undefined ? [] : await emitConversions(models, hops);
  const modules = new Map([...lines, ...conversions]);
  gate(modules);
  const vectors = models.flatMap((model) => [...below(`test/vectors/${model.line}`, emitVectors(model))]);
  const pages = await Promise.all(
    models.map(
      async (model) =>
        [`docs/reference/${model.line}.md`, await format(".md", emitReference(model))] as const,
    ),
  );
  return new Map([...below("generated", modules), ...vectors, ...pages]);
}

/** One folder per version for use outside this repository. */
export async function generateLines(models: readonly Model[]): Promise<Output> {
  const modules = await emitLines(models, EXTERNAL_LINES);
  gate(modules);
  return modules;
}

/** One version in a folder of its own, for use outside this repository. */
export async function generateOne(model: Model): Promise<Output> {
  const modules = new Map([...(await emitVersion(model, EXTERNAL)), ...emitRuntime()]);
  gate(modules);
  return modules;
}

async function emitLines(models: readonly Model[], target: typeof INTERNAL): Promise<Output> {
  const lines: Output[] = [];
  for (const model of models) lines.push(below(model.line, await emitVersion(model, target)));
  return new Map([...lines.flatMap((files) => [...files]), ...emitRuntime()]);
}
