import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { INTERNAL } from "../../codegen/emit/target.js";
import { emitVectors } from "../../codegen/emit/vectors.js";
import { emitVersion } from "../../codegen/emit/version.js";
import { buildModel } from "../../codegen/ir/build.js";
import { loadLine, schemasRoot, supportedLines } from "../../codegen/load/load-line.js";
import { shuffleKeys } from "./shuffle.js";

const folder = mkdtempSync(join(tmpdir(), "schemas-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The files of a committed folder, by name. */
const committed = (path: string): Record<string, string> => {
  const root = new URL(`../../${path}/`, import.meta.url);
  return Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.pathname.length))
      .sort()
      .map((name) => [name, readFileSync(new URL(name, root), "utf8")]),
  );
};

const sorted = (files: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));

describe.each(supportedLines)("%s", (line) => {
  it("gives the committed bytes again, with the keys of its inputs in another order (A2A-1.4-b)", async () => {
    cpSync(schemasRoot, folder, { recursive: true });
    for (const input of ["a2a.json", "proto.json"]) {
      const schema = join(folder, line, input);
      const shuffled = JSON.stringify(shuffleKeys(JSON.parse(readFileSync(schema, "utf8")), 7));
      expect(shuffled).not.toBe(JSON.stringify(JSON.parse(readFileSync(schema, "utf8"))));
      writeFileSync(schema, shuffled);
    }
    const model = buildModel(await loadLine(line, folder));
    expect(sorted(emitVectors(model))).toEqual(committed(`test/vectors/${line}`));
    expect(sorted(await emitVersion(model, INTERNAL))).toEqual(committed(`generated/${line}`));
  }, 120_000);
});
