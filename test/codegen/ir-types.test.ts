import { describe, expect, it } from "vitest";
import { aliasIn, declIn, fieldIn, irOf, overlayOf } from "./ir-of.js";

const card = { AgentCard: { type: "object", properties: {} } };
const object = (properties: object, required: string[] = []): object => ({
  type: "object",
  properties,
  required,
});
const typeIn = (property: object): unknown =>
  fieldIn(irOf({ ...card, T: object({ f: property }) }), "T.f").type;

describe("a 0.x property → a type", () => {
  const cases: [string, object, unknown][] = [
    ["a string", { type: "string" }, { kind: "scalar", name: "string" }],
    ["an integer is plain JSON", { type: "integer" }, { kind: "scalar", name: "integer" }],
    ["a date-time", { type: "string", format: "date-time" }, { kind: "scalar", name: "timestamp" }],
    ["null", { type: "null" }, { kind: "scalar", name: "null" }],
    ["anything", {}, { kind: "scalar", name: "json" }],
    ["a free object", { type: "object" }, { kind: "scalar", name: "struct" }],
    ["a map of anything", { type: "object", additionalProperties: {} }, { kind: "scalar", name: "struct" }],
    [
      "a map",
      { type: "object", additionalProperties: { type: "string" } },
      { kind: "map", of: { kind: "scalar", name: "string" } },
    ],
    [
      "a list",
      { type: "array", items: { $ref: "#/definitions/T" } },
      { kind: "array", of: { kind: "ref", name: "T" } },
    ],
    ["a constant", { const: "a", type: "string" }, { kind: "literal", value: "a" }],
    [
      "a reference with prose beside it is that reference",
      { $ref: "#/definitions/T", description: "d" },
      { kind: "ref", name: "T" },
    ],
    [
      "several types: a union, tried in order",
      { type: ["string", "integer", "null"] },
      {
        kind: "union",
        of: [
          { kind: "scalar", name: "string" },
          { kind: "scalar", name: "integer" },
          { kind: "scalar", name: "null" },
        ],
        discrimination: { by: "order" },
      },
    ],
  ];
  it.each(cases)("%s", (_, property, type) => {
    expect(typeIn(property)).toEqual(type);
  });
});

describe("names for what stands inline", () => {
  const message = { Message: object({ role: { type: "string", enum: ["agent", "user"] } }) };

  it("an enum is called after its place, or as the overlay says", () => {
    expect(fieldIn(irOf({ ...card, ...message }), "Message.role").type).toEqual({
      kind: "ref",
      name: "MessageRole",
    });
    const overlay = overlayOf({ names: { "Message.role": { name: "Role", spec: "§0" } } });
    const model = irOf({ ...card, ...message }, { overlay });
    expect(fieldIn(model, "Message.role").type).toEqual({ kind: "ref", name: "Role" });
    expect(declIn(model, "Role")).toMatchObject({
      kind: "enum",
      values: [
        { value: "agent", key: "AGENT" },
        { value: "user", key: "USER" },
      ],
    });
  });

  it("an object too", () => {
    const model = irOf({ ...card, T: object({ inner: object({ a: { type: "string" } }) }) });
    expect(fieldIn(model, "T.inner").type).toEqual({ kind: "ref", name: "TInner" });
    expect(fieldIn(model, "TInner.a").required).toBe(false);
  });

  it("two different enums cannot share a name", () => {
    const overlay = overlayOf({
      names: { "A.x": { name: "X", spec: "§0" }, "B.x": { name: "X", spec: "§0" } },
    });
    const two = { A: object({ x: { enum: ["a"] } }), B: object({ x: { enum: ["b"] } }) };
    expect(() => irOf({ ...card, ...two }, { overlay })).toThrow(/two types would be called X/);
  });
});

describe("keys of enums", () => {
  it("are capitals without the common prefix", () => {
    const model = irOf({
      ...card,
      TaskState: { enum: ["TASK_STATE_UNSPECIFIED", "TASK_STATE_WORKING"] },
      Transport: { enum: ["HTTP+JSON", "input-required", "camelCase", "1st"] },
    });
    const keys = (name: string): unknown => {
      const decl = declIn(model, name);
      return decl.kind === "enum" ? decl.values.map(({ key }) => key) : undefined;
    };
    expect(keys("TaskState")).toEqual(["UNSPECIFIED", "WORKING"]);
    expect(keys("Transport")).toEqual(["HTTP_JSON", "INPUT_REQUIRED", "CAMEL_CASE", "_1ST"]);
  });
});

describe("fields", () => {
  it("keep requiredness and defaults; a definition that nothing refers to stays", () => {
    const model = irOf({
      ...card,
      Base: object({ a: { type: "string", default: "x" }, b: { type: "string" } }, ["a"]),
    });
    expect(fieldIn(model, "Base.a")).toEqual({
      name: "a",
      pointer: "#/definitions/Base/properties/a",
      type: { kind: "scalar", name: "string" },
      required: true,
      presence: "explicit",
      aliases: [],
      legacy: [],
      default: "x",
      blank: "value",
    });
    expect(fieldIn(model, "Base.b").required).toBe(false);
  });

  it("take facts from the overlay: required, one element, blanks, scalars, other spellings", () => {
    const spec = "§0";
    const overlay = overlayOf({
      required: { "T.a": { spec } },
      minOne: { "T.list": { spec } },
      blank: { refused: { "T.a": { spec } }, absent: { "T.contextId": { spec } } },
      types: { "T.bytes": { scalar: "bytes", spec } },
      spellings: { fields: { "T.a": { also: ["aa"], spec } }, snakeCase: { spec } },
    });
    const text = { type: "string" };
    const model = irOf(
      { ...card, T: object({ a: text, list: { type: "array", items: text }, contextId: text, bytes: text }) },
      { overlay },
    );
    expect(fieldIn(model, "T.a")).toMatchObject({
      required: true,
      blank: "refused",
      legacy: ["aa"],
      aliases: [],
    });
    expect(fieldIn(model, "T.list").type).toMatchObject({ kind: "array", min: 1 });
    expect(fieldIn(model, "T.contextId")).toMatchObject({ blank: "absent", legacy: ["context_id"] });
    expect(fieldIn(model, "T.bytes").type).toEqual({ kind: "scalar", name: "bytes" });
  });

  it("a fact without a section is refused", () => {
    expect(() => overlayOf({ required: { "T.a": {} } })).toThrow(/overlay\.json#\/required\/T\.a\/spec/);
    expect(() => overlayOf({ required: { "T.a": { spec: "because" } } })).toThrow(/cite a section/);
    expect(() => overlayOf({ requird: {} })).toThrow(/overlay\.json/);
  });
});

describe("unions", () => {
  const kind = (value: string, more: object = {}): object =>
    object({ kind: { const: value, type: "string" }, ...more }, ["kind", ...Object.keys(more)]);
  const refs = (...names: string[]): object => ({
    anyOf: names.map((name) => ({ $ref: `#/definitions/${name}` })),
  });
  const ref = (name: string): unknown => ({ kind: "ref", name });
  const told = (definitions: object, overlay?: ReturnType<typeof overlayOf>): unknown => {
    const type = aliasIn(irOf({ ...card, ...definitions }, overlay === undefined ? {} : { overlay }), "U");
    return type.kind === "union" ? type.discrimination : undefined;
  };

  it("by a constant that all members have", () => {
    expect(told({ A: kind("a"), B: kind("b"), U: refs("A", "B") })).toEqual({
      by: "tag",
      tag: "kind",
      variants: [
        { value: "a", type: ref("A") },
        { value: "b", type: ref("B") },
      ],
    });
  });

  it("by a constant, with one member for the rest", () => {
    const code = (value: object): object => object({ code: { type: "integer", ...value } }, ["code"]);
    expect(
      told({ Any: code({}), A: code({ const: -1 }), B: code({ const: -2 }), U: refs("Any", "A", "B") }),
    ).toEqual({
      by: "tag",
      tag: "code",
      variants: [
        { value: "-1", type: ref("A") },
        { value: "-2", type: ref("B") },
      ],
      otherwise: ref("Any"),
    });
  });

  it("a constant that is the same everywhere, or optional, is no tag", () => {
    const same = (name: string): object => object({ v: { const: "2.0" }, [name]: {} }, ["v", name]);
    expect(told({ A: same("result"), B: same("error"), U: refs("A", "B") })).toMatchObject({
      by: "presence",
    });
    const optional = (value: string): object => object({ kind: { const: value } });
    expect(told({ A: optional("a"), B: optional("b"), U: refs("A", "B") })).toEqual({ by: "order" });
  });

  it("through unions inside the union", () => {
    expect(
      told({ A: kind("a"), B: kind("b"), C: kind("c"), In: refs("A", "B"), U: refs("In", "C") }),
    ).toMatchObject({
      by: "tag",
      variants: [{ value: "a" }, { value: "b" }, { value: "c" }],
    });
    expect(() => told({ U: refs("V"), V: refs("U") })).toThrow(/contains itself/);
    const same = (name: string): object => ({ $ref: `#/definitions/${name}` });
    expect(() => irOf({ ...card, X: same("Y"), Y: same("Z"), Z: same("X") })).toThrow(
      /the type Y is only another name of itself/,
    );
  });

  it("by a member that only one of them has and requires; exclusive where the overlay says so", () => {
    const definitions = {
      A: object({ bytes: {}, name: {} }, ["bytes"]),
      B: object({ uri: {}, name: {} }, ["uri"]),
      U: refs("A", "B"),
    };
    const variants = [
      { member: "bytes", type: ref("A") },
      { member: "uri", type: ref("B") },
    ];
    expect(told(definitions)).toEqual({ by: "presence", variants, exclusive: false });
    const overlay = overlayOf({ unions: { U: { exclusive: true, spec: "§0" } } });
    expect(told(definitions, overlay)).toEqual({ by: "presence", variants, exclusive: true });
  });

  it("by what the larger of two has more than the smaller", () => {
    const base = { id: { type: "string" } };
    expect(
      told({ A: object(base, ["id"]), B: object({ ...base, configId: {} }, ["id"]), U: refs("A", "B") }),
    ).toEqual({
      by: "presence",
      variants: [{ member: "configId", type: ref("B") }],
      exclusive: false,
      otherwise: ref("A"),
    });
  });
});
