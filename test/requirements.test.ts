/** The manifest of the rules: what its check finds, and that nothing is wrong with the real one. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { manifests } from "./requirements.js";
import { isCovered, isElsewhere, isRuleOf, problemsOf } from "./requirements/check.js";
import { apart, because, both, document, grpc, only, todo } from "./requirements/coverage.js";
import { rules, type Rule } from "./requirements/rules.js";
import { titlesOf } from "./requirements/titles.js";

const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
  id,
  section: "1",
  level: "MUST",
  implied: false,
  who: "server",
  text: "",
  ...more,
});
const RULES = [rule("A2A-1-a"), rule("A2A-1-b", { level: "SHOULD" })];
const FILES: Record<string, string[]> = {
  "a.test.ts": ["does it (A2A-1-a, A2A-1-b)"],
  "longer.test.ts": ["A2A-1-ab", "A2A-1-b.2"],
};
const titles = (path: string): string[] | undefined => FILES[path];

describe("the check of a manifest", () => {
  it("finds nothing where every rule is named by the title of a test", () => {
    const good = { "A2A-1-a": both("a.test.ts"), "A2A-1-b": only("JSONRPC", "a.test.ts") };
    expect(problemsOf(RULES, [good], titles)).toEqual([]);
  });

  it.each([
    [
      "an unknown id",
      { "A2A-1-a": both("a.test.ts"), "A2A-1-b": document, "A2A-9-z": document },
      ["A2A-9-z: there is no such rule"],
    ],
    ["a missing row", { "A2A-1-a": both("a.test.ts") }, ["A2A-1-b: has no row"]],
    [
      "a file that does not exist",
      { "A2A-1-a": both("gone.test.ts"), "A2A-1-b": grpc },
      ["A2A-1-a: there is no file gone.test.ts"],
    ],
    [
      "a title that names another rule",
      { "A2A-1-a": both("longer.test.ts"), "A2A-1-b": apart("longer.test.ts") },
      [
        "A2A-1-a: no title in longer.test.ts names the rule",
        "A2A-1-b: no title in longer.test.ts names the rule",
      ],
    ],
    ["a row without tests", { "A2A-1-a": both(), "A2A-1-b": because("slow") }, ["A2A-1-a: names no test"]],
    [
      "a MUST that has only a reason",
      { "A2A-1-a": because("slow"), "A2A-1-b": because("slow") },
      ["A2A-1-a: is a MUST: a reason is not enough"],
    ],
  ])("names %s", (_what, manifest, problems) => {
    expect(problemsOf(RULES, [manifest], titles)).toEqual(problems);
  });

  it("names a row that stands in two manifests", () => {
    const one = { "A2A-1-a": both("a.test.ts"), "A2A-1-b": document };
    expect(problemsOf(RULES, [one, { "A2A-1-b": document }], titles)).toEqual([
      "A2A-1-b: stands in two manifests",
    ]);
  });

  it("counts a rule for the bindings that its tests go over", () => {
    expect([
      isCovered(both("x"), "JSONRPC"),
      isCovered(both("x"), "HTTP+JSON"),
      isCovered(apart("x"), "HTTP+JSON"),
    ]).toEqual([true, true, true]);
    const rpc = only("JSONRPC", "x");
    expect([isCovered(rpc, "JSONRPC"), isCovered(rpc, "HTTP+JSON"), isElsewhere(rpc, "HTTP+JSON")]).toEqual([
      true,
      false,
      true,
    ]);
    for (const side of ["server", "client"] as const) {
      for (const coverage of [grpc, document])
        expect(isRuleOf(side, rule("A2A-1-a", { who: "both" }), coverage)).toBe(false);
      const other = side === "server" ? "client" : "server";
      expect(
        (["both", side, other] as const).map((who) => isRuleOf(side, rule("A2A-1-a", { who }), todo)),
      ).toEqual([true, true, false]);
    }
    expect(isCovered(todo, "JSONRPC")).toBe(false);
  });

  it("reads the titles of tests and groups, and no other text", () => {
    const found = titlesOf("test/requirements.test.ts");
    expect(found).toContain("reads the titles of tests and groups, and no other text");
    expect(found).toContain("the check of a manifest");
    expect(found).toContain("names %s");
    expect(found).not.toContain("A2A-1-ab");
    expect(titlesOf("test/no-such.test.ts")).toBeUndefined();
  });
});

it("every rule has its row, and every test that a row names is there and names the rule", () => {
  expect(problemsOf(rules, manifests)).toEqual([]);
});

const folders = [
  ...(process.env["A2A_OFFICIAL_DIR"] === undefined
    ? []
    : [join(process.env["A2A_OFFICIAL_DIR"], "../spec")]),
  "../shared/spec",
];
const list = folders.map((folder) => join(folder, "requirements-v1.md")).find((path) => existsSync(path));
if (list === undefined) console.warn("rules.json is not compared: the list of requirements is not here");

it.runIf(list !== undefined)(
  "rules.json has the rules of the list, their levels and whom they concern",
  () => {
    const rows = readFileSync(list ?? "", "utf8").matchAll(
      /^\| (A2A-[\w.]+-[a-z]+) \| (MUST|SHOULD|MAY)(†?) \| (server|client|both) \|/gm,
    );
    const listed = [...rows].map(([, id, level, dagger, who]) => [id, level, dagger === "†", who]);
    expect(listed.length).toBeGreaterThan(600);
    expect(rules.map(({ id, level, implied, who }) => [id, level, implied, who])).toEqual(listed);
  },
);
