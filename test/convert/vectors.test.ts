import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { convert, type ConversionOptions, type Loss } from "../../src/convert.js";
import { A2AError } from "../../src/errors.js";
import { comparable } from "./compare.js";

interface Vector {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly options?: ConversionOptions;
  readonly input: unknown;
  readonly expected: unknown;
  readonly losses: readonly Loss[];
  readonly roundTrip: boolean;
}

interface Refusal {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly input: unknown;
  readonly code: number;
}

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../vectors/shared/${name}.json`, import.meta.url), "utf8")) as T;
const vectors = read<Vector[]>("conversion");
const refusals = read<Refusal[]>("negative");

const sorted = (losses: readonly Loss[]): string[] =>
  losses.map(({ path, code }) => `${path} ${code}`).sort();

it("there are 100 vectors, 69 of them reversible, and 12 refusals", () => {
  expect([vectors.length, vectors.filter(({ roundTrip }) => roundTrip).length, refusals.length]).toEqual([
    100, 69, 12,
  ]);
});

describe("a vector gives its value and its losses", () => {
  it.each(vectors.map((vector) => [vector.id, vector] as const))("%s", (_, vector) => {
    const { type, from, to, input, options } = vector;
    const before = structuredClone(input);
    const { value, losses } = convert(type, input, { ...options, from, to });
    expect(comparable(to, type, value)).toEqual(comparable(to, type, vector.expected));
    expect(sorted(losses)).toEqual(sorted(vector.losses));
    expect(input).toEqual(before);
  });
});

describe("a reversible vector comes back without a loss", () => {
  const reversible = vectors.filter(({ roundTrip }) => roundTrip);
  it.each(reversible.map((vector) => [vector.id, vector] as const))("%s", (_, vector) => {
    const { type, from, to } = vector;
    const back = convert(type, vector.expected, { from: to, to: from });
    // The canonical input: ProtoJSON has more than one spelling of a number.
    const { value: input } = convert(type, vector.input, { from, to: from });
    expect(comparable(from, type, back.value)).toEqual(comparable(from, type, input));
    expect(back.losses).toEqual([]);
  });
});

describe("what must be refused is refused with its code and a pointer", () => {
  it.each(refusals.map((refusal) => [refusal.id, refusal] as const))("%s", (_, refusal) => {
    const { type, input, from, to, code } = refusal;
    const error = (() => {
      try {
        return convert(type, input, { from, to });
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(A2AError);
    expect(error).toMatchObject({ code, violations: [{ pointer: expect.any(String) as string }] });
  });
});
