import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventIds, type IdVerdict } from "../../src/client/event-ids.js";

/** The rule in its plainest form: every id is remembered. */
function reference(ids: readonly (string | undefined)[]): IdVerdict[] {
  const seen = new Set<string>();
  let unique = true;
  let last: string | undefined;
  return ids.map((id, index) => {
    const before = index === 0 ? undefined : ids[index - 1];
    if (id === undefined && last === undefined) return "unclear";
    if (id === undefined || id === before) unique = false;
    if (id === undefined || !unique) return "unclear";
    if (seen.has(id)) return "repeated";
    seen.add(id);
    const late = /^\d+$/.test(id) && last !== undefined && /^\d+$/.test(last) && Number(id) < Number(last);
    if (late) return "late";
    last = id;
    return "new";
  });
}

const verdicts = (ids: readonly (string | undefined)[]): IdVerdict[] => {
  const known = new EventIds();
  return ids.map((id) => known.note(id));
};

describe("EventIds", () => {
  it.each<[string, (string | undefined)[], IdVerdict[]]>([
    ["counts", ["1", "2", "3"], ["new", "new", "new"]],
    [
      "knows what was counted",
      ["5", "6", "7", "6", "5", "8"],
      ["new", "new", "new", "repeated", "repeated", "new"],
    ],
    ["knows a number by how it is written", ["1", "2", "02", "3"], ["new", "new", "new", "new"]],
    [
      "goes on after a gap",
      ["1", "2", "9", "10", "2", "9", "5"],
      ["new", "new", "new", "new", "repeated", "repeated", "late"],
    ],
    ["counts from zero", ["0", "1", "0"], ["new", "new", "repeated"]],
    ["takes any text", ["a", "b", "a"], ["new", "new", "repeated"]],
    ["one id twice in a row says nothing", ["1", "1", "2"], ["new", "unclear", "unclear"]],
    ["an event without one says nothing", ["1", undefined, "2"], ["new", "unclear", "unclear"]],
  ])("%s", (_, ids, expected) => {
    expect(verdicts(ids)).toEqual(expected);
  });

  it("is as if every id were remembered", () => {
    const id = fc.oneof(
      { weight: 8, arbitrary: fc.nat({ max: 12 }).map(String) },
      fc.constantFrom("00", "07", "a", "", undefined),
    );
    const run = fc
      .tuple(fc.nat({ max: 9 }), fc.nat({ max: 6 }))
      .map(([from, length]) => Array.from({ length }, (_, index) => String(from + index)));
    const ids = fc
      .array(fc.oneof(run, fc.array(id, { maxLength: 3 })), { maxLength: 6 })
      .map((runs) => runs.flat());
    fc.assert(
      fc.property(ids, (all) => {
        expect(verdicts(all)).toEqual(reference(all));
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps no id of an agent that counts", () => {
    const known = new EventIds();
    for (let number = 1; number <= 20_000; number++) expect(known.note(String(number))).toBe("new");
    // A set forgets after some thousands.
    expect(known.note("1")).toBe("repeated");
    expect(known.resumable).toBe("20000");
  });
});
