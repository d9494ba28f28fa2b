import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convert, type Converted } from "../../../src/convert.js";
import { planFor } from "../../../src/convert/plan.js";
import type { Rule } from "../../../src/descriptor.js";
import { A2AError } from "../../../src/errors.js";
import { hops } from "../../../src/versions/conversions.js";
import { valid } from "./arbitrary.js";
import { expectValid } from "./expect-valid.js";
import { isDocumented, valueAt } from "./refusals.js";
import { meaning } from "./same.js";

/** Values in all, over every type and every pair of versions: `A2A_RUNS=200000` for a longer look. */
const VALUES = Number(process.env["A2A_RUNS"] ?? 20_000);
/** `A2A_SEED` repeats a run; a failure prints its seed and path. */
const seed = process.env["A2A_SEED"] === undefined ? {} : { seed: Number(process.env["A2A_SEED"]) };

const versions = ["1.0", "0.3", "0.2"];
const pairs = versions.flatMap((from) =>
  versions.flatMap((to) => (from === to ? [] : [[from, to] as const])),
);

const directions = fc.constantFrom("request" as const, "reply" as const);

interface Case {
  readonly type: string;
  readonly source: Rule;
  readonly target: Rule;
}

/** Every named type that converts between two versions. */
const casesOf = (from: string, to: string): Case[] =>
  [...new Set(hops.flatMap((hop) => Object.keys(hop.types)))].flatMap((type) => {
    try {
      const [there, back] = [planFor(type, from, to), planFor(type, to, from)];
      // A variant has the table of the whole, which is a case of its own.
      return /Part$/.test(type) && type !== "Part" ? [] : [{ type, source: there.table, target: back.table }];
    } catch {
      return [];
    }
  });
const all = pairs.map(([from, to]) => [from, to, casesOf(from, to)] as const);
const count = all.reduce((sum, [, , cases]) => sum + cases.length, 0);
const numRuns = Math.ceil(VALUES / count);

it("covers every type that converts, between all pairs of versions", () => {
  expect(all.map(([from, to, cases]) => `${from} → ${to}: ${String(cases.length)}`)).toEqual([
    "1.0 → 0.3: 42",
    "1.0 → 0.2: 38",
    "0.3 → 1.0: 42",
    "0.3 → 0.2: 49",
    "0.2 → 1.0: 38",
    "0.2 → 0.3: 49",
  ]);
});

describe.each(all)("%s → %s", (from, to, cases) => {
  it.each(cases.map((one) => [one.type, one] as const))("%s", (_, { type, source, target }) => {
    const property = fc.property(valid(source), directions, (given, direction) => {
      const value = frozen(given);
      const before = JSON.stringify(value);
      const there = { from, to, direction };
      const done = attempt(() => convert(type, value, there));
      expect(JSON.stringify(value)).toBe(before);
      expectSameUnreported(type, value, there, done);
      if (done instanceof A2AError) {
        if (isDocumented({ type, ...there }, value, done)) return;
        throw done;
      }
      const isRead = expectValid({ type, to, target, direction }, done.value);
      for (const { path, code } of done.losses) if (code !== "synthesized") valueAt(value, path);
      if (done.losses.length > 0 || !isRead) return;
      const back = convert(type, done.value, { from: to, to: from, direction });
      expect(meaning(from, type, source, back.value)).toEqual(meaning(from, type, source, value));
    });
    fc.assert(property, { numRuns, ...seed });
  });
});

/** Who does not ask for losses gets the same value, or is refused as well. */
function expectSameUnreported(
  type: string,
  value: unknown,
  { from, to, direction }: { from: string; to: string; direction: "request" | "reply" },
  done: Converted | A2AError,
): void {
  const canonical = attempt(() => convert(type, value, { from, to: from, direction }).value);
  if (canonical instanceof A2AError) return;
  const unreported = attempt(() => planFor(type, from, to).run(canonical, direction === "request"));
  if (done instanceof A2AError) expect(unreported).toBeInstanceOf(A2AError);
  else expect(unreported).toEqual(done.value);
}

function attempt<T>(run: () => T): T | A2AError {
  try {
    return run();
  } catch (error) {
    if (error instanceof A2AError) return error;
    throw error;
  }
}

/** Every write into it throws. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
