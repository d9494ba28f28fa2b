import { describe, expect, it } from "vitest";
import type { WireEnum, WireMessage } from "../../src/descriptor.js";
import { A2AError } from "../../src/errors.js";
import { decodeMessage } from "../../src/protobuf/decode-message.js";
import { encodeMessage } from "../../src/protobuf/encode-message.js";
import { errorOf } from "../codec/support.js";

const Color: WireEnum = { name: "t.Color", values: { NONE: 0, RED: 1, DARK: -1 } };
const Leaf: WireMessage = {
  name: "t.Leaf",
  fields: [
    { no: 1, name: "id", type: "string", always: true },
    { no: 2, name: "tags", type: "string", repeated: true },
    { no: 3, name: "inner", type: "message", of: () => Leaf },
  ],
};
/** A message of everything that a table can say. */
const All: WireMessage = {
  name: "t.All",
  fields: [
    { no: 1, name: "text", type: "string" },
    { no: 2, name: "raw", type: "bytes" },
    { no: 3, name: "flag", type: "bool" },
    { no: 4, name: "int", type: "int32" },
    { no: 5, name: "long", type: "int64" },
    { no: 6, name: "count", type: "uint32" },
    { no: 7, name: "big", type: "uint64" },
    { no: 8, name: "zig", type: "sint32" },
    { no: 9, name: "zag", type: "sint64" },
    { no: 10, name: "fix", type: "fixed32" },
    { no: 11, name: "fixLong", type: "fixed64" },
    { no: 12, name: "sfix", type: "sfixed32" },
    { no: 13, name: "sfixLong", type: "sfixed64" },
    { no: 14, name: "half", type: "float" },
    { no: 15, name: "real", type: "double" },
    { no: 16, name: "color", type: "enum", of: () => Color },
    { no: 17, name: "leaf", type: "message", of: () => Leaf },
    { no: 18, name: "time", type: "timestamp" },
    { no: 19, name: "struct", type: "struct" },
    { no: 20, name: "value", type: "value" },
    { no: 21, name: "list", type: "listValue" },
    { no: 22, name: "maybe", type: "int32", optional: true },
    { no: 23, name: "ints", type: "int32", repeated: true },
    { no: 24, name: "colors", type: "enum", of: () => Color, repeated: true },
    { no: 25, name: "leaves", type: "message", of: () => Leaf, repeated: true },
    { no: 26, name: "byName", type: "message", of: () => Leaf, key: "string" },
    { no: 27, name: "byNumber", type: "string", key: "int64" },
    { no: 28, name: "byFlag", type: "int32", key: "bool" },
    { no: 29, name: "left", type: "string", oneof: "side" },
    { no: 30, name: "right", type: "message", of: () => Leaf, oneof: "side" },
    { no: 31, name: "up", type: "string", oneof: "way" },
    { no: 32, name: "down", type: "value", oneof: "way" },
    { no: 33, name: "objects", type: "struct", key: "string" },
    { no: 34, name: "moments", type: "timestamp", key: "uint32" },
    { no: 2000, name: "far", type: "string" },
  ],
};

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ""), "hex"));
const read = (text: string): unknown => decodeMessage(All, hex(text));
const written = (value: unknown): string => Buffer.from(encodeMessage(All, value)).toString("hex");
const refused = (text: string): string => errorOf(() => read(text)).message;

describe("bytes as the encoding of protobuf has them", () => {
  it.each<[name: string, value: object, bytes: string]>([
    ["text", { text: "né" }, "0a 03 6e c3 a9"],
    ["bytes", { raw: "AP/+" }, "12 03 00 ff fe"],
    ["a flag", { flag: true }, "18 01"],
    ["a negative int32, in ten bytes", { int: -2 }, "20 fe ff ff ff ff ff ff ff ff 01"],
    ["the largest int64", { long: "9223372036854775807" }, "28 ff ff ff ff ff ff ff ff 7f"],
    ["the least int64", { long: "-9223372036854775808" }, "28 80 80 80 80 80 80 80 80 80 01"],
    ["an int64 beyond 32 bits", { long: "4294967296" }, "28 80 80 80 80 10"],
    ["the largest uint32", { count: 4294967295 }, "30 ff ff ff ff 0f"],
    ["the largest uint64", { big: "18446744073709551615" }, "38 ff ff ff ff ff ff ff ff ff 01"],
    ["sint32", { zig: -2147483648 }, "40 ff ff ff ff 0f"],
    ["sint64", { zag: "-1" }, "48 01"],
    ["fixed32", { fix: 4294967294 }, "55 fe ff ff ff"],
    ["fixed64", { fixLong: "4294967297" }, "59 01 00 00 00 01 00 00 00"],
    ["sfixed32", { sfix: -2 }, "65 fe ff ff ff"],
    ["sfixed64", { sfixLong: "-2" }, "69 fe ff ff ff ff ff ff ff"],
    ["float", { half: 0.5 }, "75 00 00 00 3f"],
    ["double", { real: -1.5 }, "79 00 00 00 00 00 00 f8 bf"],
    ["an enum", { color: "RED" }, "80 01 01"],
    ["an enum with a negative number", { color: "DARK" }, "80 01 ff ff ff ff ff ff ff ff ff 01"],
    ["an instant", { time: "1970-01-01T00:00:01.5Z" }, "92 01 08 08 01 10 80 ca b5 ee 01"],
    ["an instant before 1970", { time: "1969-12-31T23:59:59Z" }, "92 01 0b 08 ff ff ff ff ff ff ff ff ff 01"],
    ["null, which is a value", { value: null }, "a2 01 02 08 00"],
    ["an empty object", { struct: {} }, "9a 01 00"],
    ["an optional zero", { maybe: 0 }, "b0 01 00"],
    ["numbers, packed", { ints: [1, 300] }, "ba 01 03 01 ac 02"],
    ["enums, packed", { colors: ["RED", "NONE"] }, "c2 01 02 01 00"],
    ["a map by numbers", { byNumber: { "-1": "a" } }, "da 01 0e 08 ff ff ff ff ff ff ff ff ff 01 12 01 61"],
    ["a map by flags", { byFlag: { true: 0 } }, "e2 01 04 08 01 10 00"],
    ["an empty member of a oneof", { left: "" }, "ea 01 00"],
    ["a field with a large number", { far: "x" }, "82 7d 01 78"],
  ])("%s", (_, value, bytes) => {
    const plain = bytes.replaceAll(" ", "");
    expect(written(value)).toBe(plain);
    const back =
      "time" in value
        ? { time: value.time === "1970-01-01T00:00:01.5Z" ? "1970-01-01T00:00:01.500Z" : value.time }
        : value;
    expect(read(bytes)).toEqual(back);
  });

  it("parts of any length, nested", () => {
    for (const length of [0, 41, 42, 43, 120, 125, 127, 128, 16_380, 16_384, 2_097_152]) {
      for (const letter of ["a", "é", "水", "🌍"]) {
        const value = {
          leaf: { id: "", inner: { id: letter.repeat(Math.ceil(length / letter.length)) } },
          text: "end",
        };
        expect(decodeMessage(All, encodeMessage(All, value))).toEqual(value);
      }
    }
  });

  it("defaults are not written where there is no presence, and absent members never", () => {
    expect(
      written({
        text: "",
        raw: "",
        flag: false,
        int: 0,
        long: "0",
        color: "NONE",
        ints: [],
        byName: {},
        leaf: undefined,
        struct: null,
      }),
    ).toBe("");
    expect(read("0a 00 18 00 28 00 80 01 00")).toEqual({});
  });

  it("members that the message does not have are left out", () => {
    expect(written({ text: "a", more: { any: [1] } })).toBe("0a0161");
  });

  it("a surrogate without its partner becomes U+FFFD", () => {
    expect(read(written({ text: "a\ud800b" }))).toEqual({ text: "a\ufffdb" });
    expect(read(written({ text: `${"a".repeat(100)}\udc00` }))).toEqual({ text: `${"a".repeat(100)}\ufffd` });
  });
});

describe("what readers must take", () => {
  it("fields in any order, and unknown ones of every kind", () => {
    expect(read("20 05 0a 01 61")).toEqual({ int: 5, text: "a" });
    expect(
      read("98 3f 01 0a 01 61 9d 3f 00 00 00 00 99 3f 00 00 00 00 00 00 00 00 9a 3f 02 61 62 20 05"),
    ).toEqual({
      text: "a",
      int: 5,
    });
  });

  it("a known field of another wire type is an unknown one", () => {
    expect(read("08 05 22 01 05")).toEqual({});
  });

  it("lists of numbers packed or one by one, and both", () => {
    expect(read("b8 01 01 ba 01 02 02 03 b8 01 04")).toEqual({ ints: [1, 2, 3, 4] });
  });

  it("a scalar that comes twice: the last one wins, a default too", () => {
    expect(read("20 05 20 07")).toEqual({ int: 7 });
    expect(read("20 05 20 00")).toEqual({});
  });

  it("a message that comes twice is merged", () => {
    const twice = `${written({ leaf: { id: "a", tags: ["x"], inner: { id: "b" } } })}${written({ leaf: { id: "c", tags: ["y"], inner: { id: "", tags: ["z"] } } })}`;
    expect(read(twice)).toEqual({ leaf: { id: "c", tags: ["x", "y"], inner: { id: "b", tags: ["z"] } } });
  });

  it("so are free values of one kind, and an instant", () => {
    expect(read(written({ value: { a: 1 } }) + written({ value: { b: 2, a: 3 } }))).toEqual({
      value: { a: 3, b: 2 },
    });
    expect(read(written({ value: [1] }) + written({ value: [2] }))).toEqual({ value: [1, 2] });
    expect(read(written({ value: [1] }) + written({ value: { a: 1 } }))).toEqual({ value: { a: 1 } });
    expect(read(written({ struct: { a: 1 } }) + written({ struct: { b: 1 } }))).toEqual({
      struct: { a: 1, b: 1 },
    });
    expect(read("92 01 02 08 05 92 01 06 10 80 ca b5 ee 01")).toMatchObject({
      time: "1970-01-01T00:00:05.500Z",
    });
  });

  it("of a oneof the last member counts, and a message in it starts anew after another member", () => {
    expect(read(written({ left: "a" }) + written({ right: { id: "b" } }))).toEqual({ right: { id: "b" } });
    expect(
      read(
        written({ right: { id: "b", tags: ["x"] } }) +
          written({ left: "a" }) +
          written({ right: { id: "c" } }),
      ),
    ).toEqual({
      right: { id: "c" },
    });
    expect(read(written({ up: "a" }) + written({ down: null }) + written({ left: "l" }))).toEqual({
      down: null,
      left: "l",
    });
  });

  it("entries of a map without key or value, and one key twice", () => {
    expect(read("d2 01 00")).toEqual({ byName: { "": { id: "" } } });
    expect(read("da 01 03 12 01 61 da 01 02 08 05")).toEqual({ byNumber: { 0: "a", 5: "" } });
    expect(read("8a 02 00")).toEqual({ objects: { "": {} } });
    expect(read("92 02 00")).toEqual({ moments: { 0: "1970-01-01T00:00:00Z" } });
    expect(read("e2 01 02 10 07")).toEqual({ byFlag: { false: 7 } });
    expect(read(written({ byName: { a: { id: "1" } } }) + written({ byName: { a: { id: "2" } } }))).toEqual({
      byName: { a: { id: "2" } },
    });
  });

  it("a value of no kind is null", () => {
    expect(read("a2 01 00")).toEqual({ value: null });
    expect(read("9a 01 05 0a 03 0a 01 61")).toEqual({ struct: { a: null } });
  });

  it("numbers of an enum that have no name: kept, both ways", () => {
    expect(read("80 01 63")).toEqual({ color: 99 });
    expect(written({ color: "99" })).toBe("800163");
    expect(written({ color: 99 })).toBe("800163");
  });

  it("names that every object has are members like others", () => {
    const value = { struct: JSON.parse('{"__proto__":{"a":1},"constructor":2}') as unknown };
    const back = read(written(value)) as { struct: object };
    expect(JSON.stringify(back)).toBe('{"struct":{"__proto__":{"a":1},"constructor":2}}');
    expect(Object.getPrototypeOf(back.struct)).toBe(Object.prototype);
    expect(
      Object.keys(
        (read(written({ byName: JSON.parse('{"__proto__":{"id":"a"}}') as unknown })) as { byName: object })
          .byName,
      ),
    ).toEqual(["__proto__"]);
  });

  it("a part of a larger buffer, and any kind of byte array", () => {
    const whole = Uint8Array.from([255, 10, 1, 97, 255]);
    expect(decodeMessage(All, whole.subarray(1, 4))).toEqual({ text: "a" });
    expect(decodeMessage(All, Buffer.from(whole).subarray(1, 4))).toEqual({ text: "a" });
  });
});

describe("what readers refuse, with the field that they stood in", () => {
  it.each<[name: string, bytes: string, message: string]>([
    ["an end within a tag", "80", "ends within a value"],
    ["an end within a number", "20 80", "int: ends within a value"],
    ["an end within eight bytes", "79 00 00", "real: ends within a value"],
    ["a length beyond the end", "0a 05 61", "text: ends within a value"],
    ["a length of 4 GiB", "0a ff ff ff ff 0f", "text: ends within a value"],
    ["a length beyond that of the part around it", "8a 01 03 0a 03 61 20 05", "leaf.id: ends within a value"],
    [
      "a part that is longer than the one around it",
      "8a 01 02 1a 03 0a 01 61",
      "leaf.inner: ends within a value",
    ],
    ["a part that is longer than the message", "8a 01 03 0a 00", "leaf: ends within a value"],
    ["a number within a part that ends before it", "ba 01 01 80 01", "ints[0]: ends within a value"],
    [
      "a number of eleven bytes",
      "20 ff ff ff ff ff ff ff ff ff ff 01",
      "int: expected a number, found more than ten bytes",
    ],
    ["field number 0", "00 01", "expected a field, found an impossible number of one"],
    [
      "a field number of more than 29 bits",
      "80 80 80 80 20 01",
      "expected a field, found an impossible number of one",
    ],
    ["a group", "0b 0c", "expected a field of proto3, found a group or unknown kind of field 1"],
    [
      "a wire type that does not exist",
      "0f",
      "expected a field of proto3, found a group or unknown kind of field 1",
    ],
    ["text that is not UTF-8", "0a 02 c3 28", "text: expected text, found bytes that are not UTF-8"],
    ["a surrogate in UTF-8", "0a 03 ed a0 80", "text: expected text, found bytes that are not UTF-8"],
    ["an overlong form", "0a 02 c0 80", "text: expected text, found bytes that are not UTF-8"],
    ["NaN", "79 00 00 00 00 00 00 f8 7f", "real: expected a finite number"],
    ["infinity", "75 00 00 80 7f", "half: expected a finite number"],
    [
      "NaN in a value",
      "a2 01 09 11 00 00 00 00 00 00 f8 7f",
      "value: expected JSON, found a number that is not finite",
    ],
    [
      "infinity in a list in an object",
      "9a 01 14 0a 12 0a 01 61 12 0d 32 0b 0a 09 11 00 00 00 00 00 00 f0 7f",
      "struct.a[0]: expected JSON, found a number that is not finite",
    ],
    [
      "an instant after 9999",
      "92 01 07 08 80 df 86 87 b0 07",
      "time: expected a timestamp of the years 1 to 9999",
    ],
    [
      "a nanosecond too many",
      "92 01 06 10 80 94 eb dc 03",
      "time: expected a timestamp of the years 1 to 9999",
    ],
    [
      "a negative nanosecond",
      "92 01 0b 10 ff ff ff ff ff ff ff ff ff 01",
      "time: expected a timestamp of the years 1 to 9999",
    ],
  ])("%s", (_, bytes, message) => {
    expect(refused(bytes)).toBe(message);
  });

  it("U+FFFD itself is text", () => {
    expect(read("0a 03 ef bf bd")).toEqual({ text: "\ufffd" });
  });

  it("more than a hundred levels, of messages and of free values, before a stack ends", () => {
    const message = (levels: number): Uint8Array => {
      let bytes: Uint8Array = new Uint8Array();
      for (let level = 0; level < levels; level++)
        bytes = Buffer.concat([Buffer.from([0x1a]), varint(bytes.length), bytes]);
      return bytes;
    };
    expect(() => decodeMessage(Leaf, message(99))).not.toThrow();
    expect(errorOf(() => decodeMessage(Leaf, message(100))).message).toMatch(
      /^inner(\.inner){99}: nested deeper than 100 levels$/,
    );
    expect(errorOf(() => decodeMessage(Leaf, message(5_000))).reason).toBe("DECODE");

    let value: unknown = 1;
    for (let level = 0; level < 99; level++) value = level % 2 === 0 ? [value] : { a: value };
    expect(decodeMessage(All, encodeMessage(All, { value }))).toEqual({ value });
    expect(errorOf(() => encodeMessage(All, { value: [value] })).message).toMatch(
      /nested deeper than 100 levels$/,
    );
  });

  it("requests are refused as such, with the pointer", () => {
    const error = errorOf(() => decodeMessage(All, hex("8a 01 02 0a 05"), "request"));
    expect(error).toBeInstanceOf(A2AError);
    expect([error.reason, error.code, error.violations]).toEqual([
      "INVALID_PARAMS",
      -32602,
      [{ field: "leaf.id", pointer: "/leaf/id", description: "ends within a value" }],
    ]);
  });
});

describe("what writers refuse, with the field", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["a"] = cyclic;
  it.each<[value: unknown, message: string]>([
    ["text", "expected an object, found a string"],
    [null, "expected an object, found null"],
    [[], "expected an object, found a list"],
    [{ text: 1 }, "text: expected a string, found a number"],
    [{ raw: "a b=" }, "raw: expected a base64 string, found other text"],
    [{ raw: "AAAAA" }, "raw: expected a base64 string, found other text"],
    [{ raw: "AA=A" }, "raw: expected a base64 string, found other text"],
    [{ flag: "true" }, "flag: expected true or false, found a string"],
    [{ int: 1.5 }, "int: expected a whole number from -2147483648 to 2147483647"],
    [{ int: 2147483648 }, "int: expected a whole number from -2147483648 to 2147483647"],
    [{ count: -1 }, "count: expected a whole number from 0 to 4294967295"],
    [{ long: "9223372036854775808" }, "long: expected a whole number of 64 bits"],
    [{ big: "-1" }, "big: expected a whole number of 64 bits"],
    [{ long: 1e300 }, "long: expected a whole number, found a number"],
    [{ real: Infinity }, "real: expected a finite number"],
    [{ color: "BLUE" }, "color: expected one of NONE, RED, DARK, found another value"],
    [{ color: "toString" }, "color: expected one of NONE, RED, DARK, found another value"],
    [{ leaf: "x" }, "leaf: expected an object, found a string"],
    [{ leaves: [{}, { tags: [1] }] }, "leaves[1].tags[0]: expected a string, found a number"],
    [{ leaves: {} }, "leaves: expected a list, found an object"],
    [{ ints: [1, null] }, "ints[1]: expected a whole number, found null"],
    [{ byName: { "a b": { id: 1 } } }, 'byName["a b"].id: expected a string, found a number'],
    [{ byNumber: { x: "a" } }, "byNumber.x: expected a whole number, found a string"],
    [{ byFlag: { yes: 1 } }, "byFlag.yes: expected true or false, found a string"],
    [{ time: "yesterday" }, "time: expected an RFC 3339 timestamp, found other text"],
    [{ time: "2025-02-30T25:00:00Z" }, "time: expected an RFC 3339 timestamp, found other text"],
    [{ time: "2025-02-30T00:00:00Z" }, "time: expected an RFC 3339 timestamp, found other text"],
    [{ time: "2025-02-27T24:00:00Z" }, "time: expected an RFC 3339 timestamp, found other text"],
    [{ time: "0000-12-31T00:00:00Z" }, "time: expected an RFC 3339 timestamp, found other text"],
    [{ value: NaN }, "value: expected JSON, found a number that is not finite"],
    [{ struct: { a: [1, 2n] } }, "struct.a[1]: expected JSON, found a bigint"],
    [{ struct: [] }, "struct: expected an object, found a list"],
    [{ list: {} }, "list: expected a list, found an object"],
    [{ left: "a", right: {} }, "right: expected one member of its oneof, found two"],
  ])("%o", (value, message) => {
    const error = errorOf(() => encodeMessage(All, value, "request"));
    expect([error.reason, error.message]).toEqual(["INVALID_PARAMS", message]);
  });

  it("a cycle", () => {
    expect(errorOf(() => encodeMessage(All, { struct: cyclic })).message).toMatch(
      /^struct(\.a){98,100}: nested deeper than 100 levels$/,
    );
  });

  it("leaves nothing of a refused value in the next message", () => {
    expect(() => encodeMessage(All, { text: "secret".repeat(100), int: "x" })).toThrow();
    expect(written({ int: 1 })).toBe("2001");
  });

  it("a getter may write another message meanwhile", () => {
    const value = {
      text: "a",
      get int() {
        return encodeMessage(All, { text: "inner" }).length;
      },
    };
    expect(read(written(value))).toEqual({ text: "a", int: 7 });
  });
});

function varint(number: number): Buffer {
  const bytes: number[] = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
  return Buffer.from([...bytes, number]);
}
