/** What a chain writes is, letter for letter, what `JSON.stringify` makes of what it converts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTextChain } from "../../../src/convert/text-chain.js";
import { writeJson } from "../../../src/convert/write-json.js";
import { ABSENT } from "../../../src/codec/reader.js";
import { A2AError } from "../../../src/errors.js";
import { loadBridge } from "../../../src/versions/bridges.js";
import { valid } from "./arbitrary.js";

const VALUES = Number(process.env["A2A_RUNS"] ?? 20_000);
const seed = process.env["A2A_SEED"] === undefined ? {} : { seed: Number(process.env["A2A_SEED"]) };

const forms = ["0.3", "0.2", "0.3/proto", "0.2/proto"];
const cases = (
  await Promise.all(
    forms.map(async (form) =>
      [...(await loadBridge(form)).byNearName.values()].map(
        (method) => [`${form} ${method.nearName}`, method] as const,
      ),
    ),
  )
).flat();
const numRuns = Math.ceil(VALUES / cases.length);

describe("replies as text", () => {
  it.each(cases)("%s", (_, { near, output }) => {
    const write = createTextChain(output.steps ?? []);
    let written = 0;
    const property = fc.property(
      valid(near.output),
      fc.record({ stashMediaTypes: fc.boolean(), endOfStream: fc.boolean() }),
      (value, options) => {
        const before = JSON.stringify(value);
        const converted = attempt(() => output.down(value, options));
        const text = write(value, options);
        expect(JSON.stringify(value)).toBe(before);
        if (converted instanceof A2AError) expect(text).toBeUndefined();
        else {
          expect(text).toBe(JSON.stringify(converted));
          written += 1;
        }
      },
    );
    fc.assert(property, { numRuns, ...seed });
    expect(written).toBeGreaterThan(0);
  });
});

describe("a value is written as JSON.stringify writes it", () => {
  const texts = [
    "",
    "plain text, ünïcödé \u2028 \u007f / 日本",
    'a "quote"',
    "back\\slash",
    "line\nbreak",
    "\u0000 \u001f",
    "a pair: 😀",
    "halves: \ud83d and \ude00",
    "x".repeat(100),
    "x".repeat(101),
    `${"x".repeat(200)}"`,
  ];
  it.each(texts.map((text) => [JSON.stringify(text).slice(0, 40), text] as const))("%s", (_, text) => {
    expect(writeJson(text)).toBe(JSON.stringify(text));
  });

  it.each([null, true, 0, -0, 1.5, NaN, [], {}, { a: [{ b: undefined }, "c"] }])("%j", (value) => {
    expect(writeJson(value)).toBe(JSON.stringify(value));
  });

  it("any text at all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 120 }), (text) => {
        expect(writeJson(text)).toBe(JSON.stringify(text));
      }),
      { numRuns: 2000, ...seed },
    );
  });

  it("what is no JSON is left out", () => {
    expect([writeJson(undefined), writeJson(() => 1), writeJson(Symbol("s"))]).toEqual([
      ABSENT,
      ABSENT,
      ABSENT,
    ]);
  });
});

function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof A2AError) return error;
    throw error;
  }
}
