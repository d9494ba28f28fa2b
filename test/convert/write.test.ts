/** Rules that real versions do not have, or seldom: what is written is what would have been converted and encoded. */
import { describe, expect, it } from "vitest";
import { compile } from "../../src/convert/compile.js";
import { ABSENT, type Ctx } from "../../src/convert/context.js";
import { compileWrite } from "../../src/convert/write.js";
import type { ConversionRule } from "../../src/descriptor.js";
import { A2AError } from "../../src/errors.js";

const ctx = (): Ctx => ({ path: [], losses: undefined, options: {}, request: false, releases: {} });

const kinds: ConversionRule = {
  is: "union",
  older: { tag: "kind" },
  newer: "member",
  variants: [{ newer: ["b"] }, { older: ["a"], newer: ["a"] }],
};
const role: ConversionRule = { is: "enum", pairs: [["user", "USER"]] };
const holding = (as: ConversionRule, required?: "both"): ConversionRule => ({
  is: "object",
  members: [
    { older: "first", newer: "uno" },
    { older: "x", newer: "x", as, ...(required && { required }) },
    { older: "last", newer: "last" },
  ],
});
const tree: ConversionRule = {
  is: "object",
  members: [
    { older: "name", newer: "title" },
    {
      older: "leaves",
      newer: "children",
      get as(): ConversionRule {
        return { is: "items", of: tree };
      },
    },
  ],
};

describe("written down", () => {
  const cases: [string, ConversionRule, unknown, string | undefined][] = [
    [
      "a member without a place is left out",
      holding(kinds),
      { uno: 1, x: { b: 1 }, last: 2 },
      '{"first":1,"last":2}',
    ],
    [
      "with one that cannot be missing the object goes too",
      holding(kinds, "both"),
      { uno: 1, x: { b: 1 } },
      undefined,
    ],
    [
      "and is left out of its list",
      { is: "items", of: holding(kinds, "both") },
      [{ x: { b: 1 } }, { x: { a: 1 } }],
      '[{"x":{"a":1}}]',
    ],
    ["of two marks the first counts", { is: "items", of: kinds }, [{ a: 1, b: 1 }, { a: 2 }], '[{"a":2}]'],
    ["an empty object", holding(kinds), {}, "{}"],
    ["a first member that is missing", holding(role), { x: "USER" }, '{"x":"user"}'],
    [
      "an object without a function for a member",
      holding(role),
      { uno: () => 1, last: null },
      '{"last":null}',
    ],
    ["a map", { is: "items", of: role }, { one: "USER", two: "USER" }, '{"one":"user","two":"user"}'],
    ["an empty list", { is: "items", of: role }, [], "[]"],
    [
      "a rule that holds itself",
      tree,
      { title: "a", children: [{ title: "b" }, { title: "c", children: [] }] },
      '{"name":"a","leaves":[{"name":"b"},{"name":"c","leaves":[]}]}',
    ],
    [
      "a constant alone",
      { is: "object", members: [{ older: "kind", value: { a: 1 } }] },
      {},
      '{"kind":{"a":1}}',
    ],
    [
      "a name that needs quotes",
      { is: "object", members: [{ older: 'a"b', newer: "a" }] },
      { a: 'c"d' },
      '{"a\\"b":"c\\"d"}',
    ],
    [
      "a member that becomes nested",
      { is: "object", members: [{ older: "in.to", newer: "a" }] },
      { a: 1 },
      '{"in":{"to":1}}',
    ],
    [
      "a filled member at the end",
      {
        is: "object",
        members: [
          { older: "a", newer: "a", fill: { older: { value: "" } } },
          { older: "b", newer: "b" },
        ],
      },
      { b: 1 },
      '{"b":1,"a":""}',
    ],
    [
      "a member that only the older side has, filled",
      { is: "object", members: [{ older: "a", fill: { older: { value: 0 } } }] },
      {},
      '{"a":0}',
    ],
  ];

  it.each(cases)("%s", (_, rule, value, expected) => {
    const run = compile(rule, "down");
    const made = run?.(value, ctx());
    const text = compileWrite(rule, "down")(value, ctx());
    expect(text === ABSENT ? undefined : text).toBe(expected);
    expect(made === ABSENT ? undefined : JSON.stringify(made)).toBe(expected);
  });

  it("what is refused is refused at its place", () => {
    const rule = holding({ is: "items", of: holding(role) });
    const refused = (): unknown => compileWrite(rule, "down")({ x: [{}, { x: "NOBODY" }] }, ctx());
    expect(refused).toThrow(A2AError);
    expect(refused).toThrow("x[1].x: ");
  });
});
