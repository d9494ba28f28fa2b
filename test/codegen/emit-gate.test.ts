import { describe, expect, it } from "vitest";
import { createFile } from "../../codegen/emit/file.js";
import { gate } from "../../codegen/emit/gate.js";
import { fill } from "../../codegen/emit/templates.js";

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
});

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
