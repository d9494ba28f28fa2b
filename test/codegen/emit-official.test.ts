import { describe, expect, it } from "vitest";
import { gate } from "../../codegen/emit/gate.js";
import { below } from "../../codegen/emit/output.js";
import { emitRuntime } from "../../codegen/emit/runtime.js";
import { INTERNAL } from "../../codegen/emit/target.js";
import { emitVectors } from "../../codegen/emit/vectors.js";
import { draftVersion } from "../../codegen/emit/version.js";
import { buildModel } from "../../codegen/ir/build.js";
import type { Model } from "../../codegen/ir/types.js";
import { lineOf } from "../../codegen/load/lines.js";
import { loadLine, supportedLines } from "../../codegen/load/load-line.js";
import { loadOfficial } from "../../codegen/load/load-official.js";
import { haveOfficial, officialPath, officialText, releases } from "./official-files.js";

/** The model of an official release, with the facts of its line where the line is supported. */
async function officialModel(release: string): Promise<Model> {
  const line = supportedLines.find((known) => known === lineOf(release));
  const facts = line === undefined ? undefined : await loadLine(line);
  const proto =
    officialPath(release, "a2a.proto") === undefined ? {} : { proto: officialText(release, "a2a.proto") };
  return buildModel(
    loadOfficial({
      json: officialText(release, "a2a.json"),
      release,
      ...proto,
      ...(facts?.overlay === undefined
        ? {}
        : { overlay: { ...facts.overlay, form: undefined }, docs: facts.docs }),
    }),
  );
}

describe.runIf(haveOfficial("generation of every official release"))("every official release", () => {
  it("generates bindings that type-check under the strictest compiler", async () => {
    const all = new Map(emitRuntime());
    for (const release of releases) {
      const model = await officialModel(release);
      const files = await draftVersion(model, INTERNAL);
      expect(emitVectors(model).size, release).toBeGreaterThan(0);
      const types = [...(files.get("types.ts") ?? "").matchAll(/^export (?:interface|type) (\w+)/gm)].map(
        ([, name]) => name,
      );
      expect(types.toSorted(), release).toEqual(model.decls.map(({ name }) => name).toSorted());
      for (const [name, text] of below(`r${release}`, files)) all.set(name, text);
    }
    expect(all.size).toBeGreaterThan(releases.length * 10);
    gate(all);
  }, 240_000);
});
