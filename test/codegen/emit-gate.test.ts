import { describe, expect, it } from "vitest";
import { createFile } from "../../codegen/emit/file.js";
import { gate } from "../../codegen/emit/gate.js";
import { fill } from "../../codegen/emit/templates.js";
import { checkModel } from "../../codegen/ir/check.js";
import type { Decl } from "../../codegen/ir/types.js";
import { generateOne } from "../../codegen/pipeline.js";
import {
  alias,
  enumOf,
  field,
  map,
  method,
  modelOf,
  objectOf,
  present,
  ref,
  scalar,
  string,
} from "./fixture.js";

describe("the gate", () => {
  it("refuses code that does not type-check, with file, line and reason", () => {
    const wrong = new Map([["v9.0/a.ts", 'export const a: number = "text";\n']]);
    expect(() => {
      gate(wrong);
    }).toThrow(
      /nothing was written[^]*generated\/v9\.0\/a\.ts:1 Type 'string' is not assignable to type 'number'/,
    );
  }, 60_000);

  it("refuses broken syntax, unused imports and a seam that lacks a name", () => {
    const texts = [
      "export const a = {;\n",
      'import type { Table } from "../../src/descriptor.js";\nexport const a = 1;\n',
      'import type { NoSuchRule } from "a2a-typed/codegen-v1";\nexport const a: NoSuchRule = 1;\n',
    ];
    for (const text of texts) {
      expect(() => {
        gate(new Map([["v9.0/a.ts", text]]));
      }, text).toThrow("nothing was written");
    }
  }, 60_000);

  it("lets types be called like anything global, except what the check of the model refuses", async () => {
    const globals = [...Object.getOwnPropertyNames(globalThis), ...UTILITIES].filter((name) =>
      /^[A-Z][A-Za-z0-9]*$/.test(name),
    );
    const named = (name: string): Decl =>
      objectOf(name, [
        field("a", string, { required: true, blank: "refused" }),
        field("m", map(scalar("json"))),
      ]);
    const refused = checkModel(modelOf(globals.map(named)));
    const free = globals.filter((name) => !refused.some((problem) => problem.includes(`/${name}: `)));
    expect(free.length).toBeGreaterThan(60);
    expect(refused).toHaveLength(globals.length - free.length);
    const others = [
      objectOf("None", []),
      objectOf("Group", [field("a", string), field("b", string)], {
        oneofs: [{ name: "g", members: ["a", "b"], required: true }],
      }),
      objectOf("Left", [field("l", string, { required: true })]),
      objectOf("Right", [field("r", string, { required: true })]),
      alias("Either", present({ l: ref("Left"), r: ref("Right") })),
      enumOf("Colour", { RED: "red" }),
    ];
    const methods = [method("Go", ref("None"), ref("Either"))];
    await generateOne(modelOf([...free.map(named), ...others], { methods, roots: [...free, "Group"] }));
  }, 60_000);
});

/** Global types that are no values. */
const UTILITIES = [
  ...["Record", "Partial", "Readonly", "Omit", "Pick", "Exclude", "Extract", "Awaited", "ReturnType"],
  ...["Iterable", "AsyncIterable", "PromiseLike", "ReadonlyArray", "Disposable", "T", "Json", "Table"],
];

describe("an emitted file", () => {
  it("owns its imports: types and values apart, each name once, sorted", () => {
    const file = createFile();
    file.declare("Table");
    const table = file.use("./seam.js", "Table");
    file.use("./seam.js", "Rule");
    file.use("./seam.js", "Rule");
    const all = file.useAll("./tables.js", "t", "value");
    file.constant({ name: "Table", type: `${table}<1>`, value: `${all}.One`, doc: "One." });
    expect(file.text("// head\n")).toBe(`// head
import type { Rule, Table as Table_ } from "./seam.js";
import * as t from "./tables.js";

/** One. */
export const Table: Table_<1> = t.One;
`);
  });

  it("has one declaration of a name", () => {
    const file = createFile();
    file.declare("A");
    expect(() => file.declare("A")).toThrow("A is declared twice");
  });
});

describe("templates", () => {
  it("print values as they are, and refuse a missing one", () => {
    const values = { version: "1", release: "1", helpers: "", enums: "", types: ['"<&>"'] };
    expect(fill("index", values)).toContain('  "<&>",');
    expect(() => fill("index", {})).toThrow("version");
  });
});
