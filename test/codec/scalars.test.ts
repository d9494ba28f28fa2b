import { describe, expect, it } from "vitest";
import type { ScalarRule, Table } from "../../src/descriptor.js";
import { reply, request, tolerant, violations } from "./support.js";

const scalar = (is: ScalarRule["is"]): Table<unknown> => ({ is });

describe("boolean", () => {
  it("takes true and false and nothing that looks like them", () => {
    expect(request(scalar("boolean"), true)).toBe(true);
    expect(request(scalar("boolean"), false)).toBe(false);
    expect(violations(scalar("boolean"), "false")).toEqual([": expected true or false, found a string"]);
    expect(violations(scalar("boolean"), 0)).toEqual([": expected true or false, found a number"]);
  });
});

describe("int32 (A2A-PJ-g)", () => {
  it.each([
    [0, 0],
    [5, 5],
    [-7, -7],
    [JSON.parse("5.0"), 5],
    [JSON.parse("1e1"), 10],
    ["50", 50],
    ["-3", -3],
    ["007", 7],
    [2147483647, 2147483647],
    [-2147483648, -2147483648],
  ])("%j is %d", (value: unknown, number) => {
    expect(request(scalar("int32"), value)).toBe(number);
  });

  it.each([
    [2147483648],
    [-2147483649],
    ["2147483648"],
    [1e300],
    [0.5],
    ["0.5"],
    ["abc"],
    [""],
    [" 5"],
    ["5 "],
    ["0x10"],
    ["1e1"],
    [null],
    [true],
    [[5]],
    [NaN],
  ])("%j is refused", (value) => {
    expect(violations(scalar("int32"), value)).toHaveLength(1);
  });
});

describe("int64 (A2A-PJ-g)", () => {
  it.each([
    [5, "5"],
    ["5", "5"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["9223372036854775807", "9223372036854775807"],
    ["0007", "7"],
  ])("%j is %j", (value, text) => {
    expect(request(scalar("int64"), value)).toBe(text);
  });

  it.each([["9223372036854775808"], ["1.5"], [1.5], [2 ** 53], [""], [null]])("%j is refused", (value) => {
    expect(violations(scalar("int64"), value)).toHaveLength(1);
  });
});

describe("integer and number of plain JSON", () => {
  it("are numbers only", () => {
    expect(request(scalar("integer"), 3)).toBe(3);
    expect(request(scalar("number"), 0.5)).toBe(0.5);
    expect(violations(scalar("integer"), "3")).toEqual([": expected an integer, found a string"]);
    expect(violations(scalar("integer"), 0.5)).toHaveLength(1);
    expect(violations(scalar("number"), "0.5")).toHaveLength(1);
    expect(violations(scalar("number"), JSON.parse("1e999"))).toHaveLength(1);
  });
});

describe("bytes (A2A-PJ-h)", () => {
  it.each([
    ["", ""],
    ["aGk=", "aGk="],
    ["aGk", "aGk="],
    ["+/8=", "+/8="],
    ["-_8", "+/8="],
    ["-_8=", "+/8="],
    ["YQ", "YQ=="],
    ["AAAA", "AAAA"],
    ["____", "////"],
  ])("%j is %j", (value, standard) => {
    expect(request(scalar("bytes"), value)).toBe(standard);
  });

  it.each([
    ["***"],
    ["not base64!!"],
    ["A"],
    ["AAAAA"],
    ["YQ="],
    ["YQ==="],
    ["AAAA="],
    ["aGk=\n"],
    ["a Gk="],
    ["+_8="],
    ["=aGk"],
    [5],
    [null],
    [{}],
  ])("%j is refused", (value) => {
    expect(violations(scalar("bytes"), value)).toHaveLength(1);
  });

  it("reads megabytes without a stack, in linear time, and never shows them", () => {
    const good = request(scalar("bytes"), "AbC-".repeat(2_000_000));
    expect(good === "AbC+".repeat(2_000_000)).toBe(true);
    const [violation] = violations(scalar("bytes"), `${"AbCd".repeat(2_000_000)}*`);
    expect(violation).toBe(": expected a base64 string, found other text");
  });
});

describe("timestamp (A2A-PJ-i)", () => {
  it.each([
    ["2025-01-31T12:00:00Z"],
    ["2025-01-31T12:00:00.5Z"],
    ["2025-01-31T12:00:00.123456789Z"],
    ["0001-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59.999999999Z"],
    ["2024-02-29T00:00:00Z"],
    ["0004-02-29T00:00:00Z"],
    ["2000-02-29T23:59:59Z"],
  ])("%s is kept digit for digit", (value) => {
    expect(request(scalar("timestamp"), value)).toBe(value);
  });

  it.each([
    ["2025-01-31T12:00:00+02:00", "2025-01-31T10:00:00Z"],
    ["2025-01-01T00:30:00.123456+01:00", "2024-12-31T23:30:00.123456Z"],
    ["2025-01-31T12:00:00-00:30", "2025-01-31T12:30:00Z"],
    ["2025-01-31T12:00:00+00:00", "2025-01-31T12:00:00Z"],
    ["0001-01-01T00:00:00-01:00", "0001-01-01T01:00:00Z"],
  ])("%s becomes %s", (value, utc) => {
    expect(request(scalar("timestamp"), value)).toBe(utc);
  });

  it.each([
    ["2025-02-30T00:00:00Z"],
    ["2025-02-29T00:00:00Z"],
    ["1900-02-29T00:00:00Z"],
    ["2025-04-31T00:00:00+01:00"],
    ["2025-13-01T00:00:00Z"],
    ["2025-00-10T00:00:00Z"],
    ["2025-01-00T00:00:00Z"],
    ["2025-01-32T00:00:00Z"],
    ["2025-01-31T24:00:00Z"],
    ["2025-01-31T12:60:00Z"],
    ["2025-01-31T12:00:60Z"],
    ["2025-01-31T12:00:00+24:00"],
    ["2025-01-31T12:00:00+01:60"],
    ["2025-01-31T12:00:00.Z"],
    ["2025-01-31T12:00:00.1234567890Z"],
    ["2025-01-31t12:00:00z"],
    ["2025-01-31 12:00:00Z"],
    ["2025-01-31T12:00Z"],
    ["2025-01-31"],
    ["0000-06-01T00:00:00Z"],
    ["0001-01-01T00:00:00+01:00"],
    ["9999-12-31T23:59:59-00:01"],
    ["1735689600000"],
    [""],
    ["2025-01-31T12:00:00Z\n"],
    [1735689600000],
    [null],
  ])("%j is refused in both modes", (value) => {
    expect(violations(scalar("timestamp"), value, "strict")).toHaveLength(1);
    expect(violations(scalar("timestamp"), value, "tolerant")).toHaveLength(1);
  });

  it("takes one without a zone as UTC in tolerant mode only, and says so", () => {
    expect(violations(scalar("timestamp"), "2025-04-14T12:02:43.554273")).toEqual([
      ': expected an RFC 3339 timestamp, found "2025-04-14T12:02:43.554273"',
    ]);
    expect(tolerant(scalar("timestamp"), "2025-04-14T12:02:43.554273")).toEqual({
      value: "2025-04-14T12:02:43.554273Z",
      problems: [" missing_zone"],
    });
  });
});

describe("free values (A2A-PJ-j)", () => {
  it("json is anything that JSON can carry, null included, and the same value", () => {
    const value = [null, 1, "x", { a: { b: [] } }];
    expect(request(scalar("json"), value)).toBe(value);
    expect(request(scalar("json"), null)).toBe(null);
    expect(reply(scalar("json"), 0)).toBe(0);
  });

  it("struct is an object only", () => {
    const value = { a: null };
    expect(request(scalar("struct"), value)).toBe(value);
    expect(violations(scalar("struct"), [])).toEqual([": expected an object, found an empty list"]);
    expect(violations(scalar("struct"), null)).toEqual([": expected an object, found null"]);
  });

  it.each([[NaN], [Infinity], [{ a: [JSON.parse("1e999")] }], [[1n]], [{ f: () => 1 }], [Symbol("x")]])(
    "what JSON cannot carry is refused: case %#",
    (value) => {
      expect(violations(scalar("json"), value)[0]).toContain("expected JSON with finite numbers");
    },
  );

  it("a cycle is refused, not followed", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(violations(scalar("json"), cycle)).toHaveLength(1);
  });

  it("null is null", () => {
    expect(reply(scalar("null"), null)).toBe(null);
    expect(violations(scalar("null"), {})).toEqual([": expected null, found an object"]);
  });
});
