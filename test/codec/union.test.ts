import { describe, expect, it } from "vitest";
import type { ObjectRule, Rule, Table } from "../../src/descriptor.js";
import { errorOf, reply, request, tolerant, violations } from "./support.js";

const str: Rule = { is: "string" };
const objectOf = (fields: Record<string, Rule>, required: readonly string[]): ObjectRule => ({
  is: "object",
  fields,
  required,
});
const tagged = (kind: string, fields: Record<string, Rule>): Rule =>
  objectOf({ kind: { is: "literal", value: kind }, ...fields }, ["kind", ...Object.keys(fields)]);

const File: Rule = {
  is: "choice",
  exclusive: true,
  variants: [
    [
      "bytes",
      { ...objectOf({ bytes: { is: "bytes" }, name: str }, ["bytes"]), legacy: { fileBytes: "bytes" } },
    ],
    ["uri", objectOf({ uri: str, name: str }, ["uri"])],
  ],
};
const Part: Table<unknown> = {
  is: "tagged",
  tag: "kind",
  variants: {
    text: tagged("text", { text: str }),
    file: tagged("file", { file: File }),
    data: tagged("data", { data: { is: "struct" } }),
  },
};

describe("tagged unions", () => {
  it("the tag decides, and a canonical value is returned as it came", () => {
    const value = { kind: "file", file: { uri: "https://x.example" } };
    expect(request(Part, value)).toBe(value);
  });

  it("reports the error of the member that was meant", () => {
    expect(violations(Part, { kind: "text", data: {} })).toEqual(["text: required, found nothing"]);
    expect(violations(Part, { kind: "data", data: [] })).toEqual([
      "data: expected an object, found an empty list",
    ]);
  });

  it("says which tags there are", () => {
    expect(violations(Part, { kind: "image" })).toEqual([
      'kind: expected "text", "file" or "data", found "image"',
    ]);
    expect(violations(Part, { text: "x" })).toEqual([
      'kind: expected "text", "file" or "data", found nothing',
    ]);
    expect(violations(Part, { kind: "__proto__" })[0]).toContain('found "__proto__"');
    expect(violations(Part, { kind: "constructor" })[0]).toContain('found "constructor"');
    expect(violations(Part, "x")).toEqual([": expected an object, found a string"]);
  });

  it("infers a missing tag in tolerant mode from the members, and says so", () => {
    expect(tolerant(Part, { text: "x" })).toEqual({
      value: { kind: "text", text: "x" },
      problems: [" missing_tag"],
    });
    expect(tolerant(Part, { kind: null, text: null, data: {} }).value).toEqual({
      kind: "data",
      text: null,
      data: {},
    });
  });

  it("does not guess between two, nor out of nothing", () => {
    expect(violations(Part, { text: "x", data: {} }, "tolerant")).toHaveLength(1);
    expect(violations(Part, {}, "tolerant")).toHaveLength(1);
    expect(violations(Part, { kind: "image", text: "x" }, "tolerant")).toHaveLength(1);
  });

  it("takes the other rule where the tag is absent or unknown, if there is one", () => {
    const Open: Table<unknown> = {
      is: "tagged",
      tag: "code",
      variants: { "-32001": objectOf({ code: { is: "literal", value: -32001 } }, ["code"]) },
      otherwise: objectOf({ code: { is: "integer" } }, ["code"]),
    };
    expect(reply(Open, { code: -32001 })).toEqual({ code: -32001 });
    expect(reply(Open, { code: -1 })).toEqual({ code: -1 });
    expect(() => reply(Open, { code: "x" })).toThrow("code: expected an integer, found a string");
  });
});

describe("choices by presence", () => {
  const file = (value: unknown) => ({ kind: "file", file: value });

  it("refuses two members, and none (A2A-PJ-k)", () => {
    expect(violations(Part, file({ bytes: "aGk=", uri: "u" }))).toEqual([
      "file: expected exactly one of bytes or uri, found bytes and uri",
    ]);
    expect(violations(Part, file({ name: "x" }))).toEqual([
      "file: expected exactly one of bytes or uri, found none",
    ]);
  });

  it("reports the error of the member that is there", () => {
    expect(violations(Part, file({ bytes: "***" }))).toEqual([
      "file.bytes: expected a base64 string, found other text",
    ]);
  });

  it("normalises inside", () => {
    expect(request(Part, file({ bytes: "aGk" }))).toEqual(file({ bytes: "aGk=" }));
  });

  it("drops an empty placeholder in tolerant mode, and says so", () => {
    for (const bytes of ["", null]) {
      expect(tolerant(Part, file({ bytes, uri: "u" }))).toEqual({
        value: file({ uri: "u" }),
        problems: ["/file/bytes empty_placeholder"],
      });
    }
  });

  it("keeps nothing but the one reading in strict mode", () => {
    expect(violations(Part, file({ bytes: "", uri: "u" }))).toHaveLength(1);
    expect(violations(Part, file({ bytes: null, uri: "u" }))).toHaveLength(1);
    const value = file({ uri: "u" });
    expect(tolerant(Part, value)).toEqual({ value, problems: [] });
    expect(tolerant(Part, value).value).toBe(value);
  });

  it("sees a spelling of another generation in tolerant mode", () => {
    expect(violations(Part, file({ fileBytes: "aGk=" }))).toEqual([
      "file: expected exactly one of bytes or uri, found none",
    ]);
    expect(tolerant(Part, { file: { fileBytes: "aGk" } })).toEqual({
      value: file({ bytes: "aGk=" }),
      problems: [" missing_tag", "/file/fileBytes legacy_name"],
    });
    expect(violations(Part, file({ fileBytes: "aGk=", uri: "u" }), "tolerant")).toHaveLength(1);
  });

  it("takes the other rule where no member is present", () => {
    const Query: Table<unknown> = {
      is: "choice",
      variants: [["configId", objectOf({ id: str, configId: str }, ["id", "configId"])]],
      otherwise: objectOf({ id: str }, ["id"]),
    };
    expect(request(Query, { id: "t" })).toEqual({ id: "t" });
    expect(violations(Query, { configId: "c" })).toEqual(["id: required, found nothing"]);
  });
});

describe("unions without a mark", () => {
  const Id: Table<unknown> = { is: "anyOf", of: [str, { is: "integer" }, { is: "null" }] };

  it("the first that accepts", () => {
    for (const value of ["a", 1, null]) expect(request(Id, value)).toBe(value);
    expect(violations(Id, {})).toEqual([": expected a string, an integer or null, found an object"]);
  });

  it("reports the alternative that got furthest", () => {
    const Tree: Table<unknown> = {
      is: "anyOf",
      of: [str, objectOf({ a: objectOf({ n: { is: "int32" } }, ["n"]) }, ["a"]), objectOf({ b: str }, ["b"])],
    };
    expect(violations(Tree, { a: { n: "x" } })).toEqual(["a.n: expected an integer, found a string"]);
    expect(violations(Tree, { a: {} })).toEqual(["a.n: required, found nothing"]);
    expect(violations(Tree, {})).toEqual(["a: required, found nothing"]);
    expect(violations(Tree, 5)).toEqual([": expected a string, an object or an object, found a number"]);
  });

  it("a refused alternative leaves no report behind", () => {
    const Either: Table<unknown> = {
      is: "anyOf",
      of: [objectOf({ when: { is: "timestamp" }, n: { is: "int32" } }, ["n"]), objectOf({ when: str }, [])],
    };
    expect(tolerant(Either, { when: "2025-01-01T00:00:00" })).toEqual({
      value: { when: "2025-01-01T00:00:00" },
      problems: [],
    });
  });
});

describe("oneofs", () => {
  const Content: Table<unknown> = {
    is: "object",
    proto: true,
    fields: {
      text: str,
      rawData: { is: "bytes" },
      data: { is: "json" },
      item: objectOf({ id: str }, ["id"]),
      note: str,
    },
    oneofs: [{ members: ["text", "rawData", "data", "item"], required: true }],
  };

  it("exactly one member; an empty one is set, a null is a value of a free field only", () => {
    for (const value of [{ text: "" }, { data: null }, { rawData: "" }, { item: { id: "i" } }]) {
      expect(request(Content, value)).toBe(value);
    }
    expect(request(Content, { text: null, data: 5 })).toEqual({ data: 5 });
    expect(request(Content, { raw_data: "-_8" })).toEqual({ rawData: "+/8=" });
  });

  it("names the members", () => {
    expect(violations(Content, { text: "a", raw_data: "" })).toEqual([
      ": expected exactly one of text, rawData, data or item, found text and rawData",
    ]);
    expect(violations(Content, { note: "x" })).toEqual([
      ": expected exactly one of text, rawData, data or item, found none",
    ]);
    expect(violations(Content, { text: null })).toEqual([
      ": expected exactly one of text, rawData, data or item, found none",
    ]);
  });

  it("says what stood there instead", () => {
    expect(violations(Content, { kind: "file", file: {} })).toEqual([
      ': expected exactly one of text, rawData, data or item, found none, but unknown "kind", "file"',
    ]);
  });

  it.each([
    [{ text: "", data: { a: 1 } }, { data: { a: 1 } }],
    [{ text: "x", data: {} }, { text: "x" }],
    [{ text: "x", data: null }, { text: "x" }],
    [{ text: "x", item: {} }, { text: "x" }],
    [{ text: "", raw_data: "", data: 0 }, { data: 0 }],
  ])("tolerant mode drops empty placeholders beside a filled member: %j", (value, expected) => {
    const read = tolerant(Content, value);
    expect(read.value).toEqual(expected);
    expect(read.problems.every((problem) => problem.endsWith(" empty_placeholder"))).toBe(true);
    expect(read.problems).toHaveLength(Object.keys(value).length - 1);
    expect(violations(Content, value)).toHaveLength(1);
  });

  it("a null that is absent anyway is no placeholder", () => {
    expect(tolerant(Content, { text: null, item: null, data: 5 })).toEqual({
      value: { data: 5 },
      problems: [],
    });
  });

  it("tolerant mode still refuses two filled members, two empty ones, and none", () => {
    for (const value of [{ text: "x", data: 1 }, { text: "", data: {} }, { text: "", rawData: "" }, {}]) {
      expect(errorOf(() => request(Content, value, "tolerant")).reason).toBe("INVALID_PARAMS");
    }
    for (const one of [{ text: "", note: "n" }, { text: "x" }]) {
      expect(tolerant(Content, one).value).toBe(one);
      expect(tolerant(Content, one).problems).toEqual([]);
    }
  });

  it("an optional group may be empty, several groups are checked each", () => {
    const Two: Table<unknown> = {
      is: "object",
      proto: true,
      fields: { a: str, b: str, c: str, d: str },
      oneofs: [
        { members: ["a", "b"], required: false },
        { members: ["c", "d"], required: true },
      ],
    };
    expect(request(Two, { c: "1" })).toEqual({ c: "1" });
    expect(request(Two, { a: "0", d: "1" })).toEqual({ a: "0", d: "1" });
    expect(violations(Two, { a: "0" })).toEqual([": expected exactly one of c or d, found none"]);
    expect(violations(Two, { a: "0", b: "1", c: "2" })).toEqual([
      ": expected exactly one of a or b, found a and b",
    ]);
    expect(violations(Two, { a: "0", b: "1" })).toHaveLength(1);
  });
});
