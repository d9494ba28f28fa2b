import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { gate } from "../../codegen/emit/gate.js";
import type { Vector } from "../../codegen/emit/vector.js";

/** What a TypeScript type does not say: the content of texts, ranges, lengths, members that nobody knows. */
const BEYOND_TYPES = new Set([
  "alias",
  "base64",
  "blank",
  "empty-list",
  "fraction",
  "range",
  "struct-list",
  "timestamp",
  "timestamp-zone",
  "unknown-member",
]);

/** A module that the compiler accepts exactly if the types agree with the vectors of a version. */
function moduleOf(line: string): { text: string; count: number } {
  const folder = new URL(`../vectors/${line}/`, import.meta.url);
  const constants = readdirSync(folder).flatMap((name) => {
    const type = name.replace(/\.json$/, "");
    const vectors = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Vector[];
    return vectors
      .filter(({ id, layers }) => layers === undefined && !BEYOND_TYPES.has(id.split("/")[0] ?? ""))
      .map(
        ({ valid, value }, index) =>
          `${valid ? "" : "// @ts-expect-error\n"}export const ${type}${String(index)}: T.${type} = ${JSON.stringify(value)};`,
      );
  });
  return {
    text: `import type * as T from "./types.js";\n${constants.join("\n")}\n`,
    count: constants.length,
  };
}

it.each(["v0.2", "v0.3", "v1.0"])(
  "the types of %s accept the valid vectors and refuse the others",
  (line) => {
    const { text, count } = moduleOf(line);
    expect(count).toBeGreaterThan(300);
    gate(new Map([[`${line}/vectors.ts`, text]]));
  },
  120_000,
);
