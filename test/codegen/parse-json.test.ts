import { describe, expect, it } from "vitest";
import { parseDocs } from "../../codegen/load/docs.js";
import { loadOfficial } from "../../codegen/load/load-official.js";
import { parseOverlay } from "../../codegen/load/overlay.js";
import { parseJson } from "../../codegen/load/parse-json.js";
import { readCanonical } from "../../codegen/load/read-canonical.js";

describe("a key twice in one object", () => {
  const twice: [string, string][] = [
    ['{ "a": 1, "a": 2 }', "x.json#/a: stands there twice (keep one of the two)"],
    ['[0, [{}], { "b": [{ "c/d": 1, "c/d" : 1 }] }]', "x.json#/2/b/0/c~1d: stands there twice"],
    ['{ "a": { "a": ["\\"a\\": {", "a"] }, "\\u0061": 1 }', "x.json#/a: stands there twice"],
    ['{ "__proto__": {}, "__proto__": {} }', "x.json#/__proto__: stands there twice"],
  ];
  it.each(twice)("is refused where it is: %s", (text, message) => {
    expect(() => parseJson(text, "x.json")).toThrow(message);
  });

  it("is not the same key in two objects, a text in a list, or a text that looks like JSON", () => {
    const value = { a: { a: ["a", "a"], b: 1 }, b: [{ a: 1 }, { a: 2 }], c: '{"a":1,"a":2}', d: "\\" };
    expect(parseJson(JSON.stringify(value), "x.json")).toEqual(value);
  });

  it("is refused in every file that the generator reads", () => {
    const task = '"Task": { "type": "object" }';
    const doubled = `{ "definitions": { ${task}, ${task} } }`;
    const committed = `{ "release": "1.0.0", "encoding": "json", "definitions": { ${task}, ${task} } }`;
    expect(() => loadOfficial({ json: doubled, release: "0.3.0", file: "own.json" })).toThrow(
      "own.json#/definitions/Task: stands there twice",
    );
    expect(() => readCanonical(committed, "a2a.json")).toThrow("a2a.json#/definitions/Task");
    expect(() => parseDocs('{ "errors": {}, "errors": {} }', "docs.json")).toThrow("docs.json#/errors");
    expect(() => parseOverlay('{ "push": {}, "push": {} }', "o.json")).toThrow("o.json#/push");
  });
});

it("text that is no JSON is told with its file", () => {
  expect(() => parseJson("{", "x.json")).toThrow(/^x\.json: is not JSON: /);
  expect(() => parseOverlay("{", "o.json")).toThrow(/^o\.json: is not JSON: /);
});
