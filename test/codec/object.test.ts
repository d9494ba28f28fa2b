import { describe, expect, it } from "vitest";
import type { Table } from "../../src/descriptor.js";
import { reply, request, tolerant, violations } from "./support.js";

const State: Table<unknown> = {
  is: "enum",
  values: ["STATE_UNSPECIFIED", "STATE_ON", "STATE_OFF"],
  numbers: [0, 1, 2],
  legacy: { on: "STATE_ON" },
};

const Lamp: Table<unknown> = {
  is: "object",
  proto: true,
  fields: {
    lampId: { is: "string", blank: "refused" },
    roomId: { is: "string", blank: "absent" },
    note: { is: "string" },
    state: State,
    filter: State,
    volts: { is: "int32" },
    extra: { is: "json" },
    tags: { is: "list", of: { is: "string" } },
    bulbs: { is: "list", of: { is: "string" }, min: 1 },
    labels: { is: "map", of: { is: "string" } },
    owner: { is: "string", blank: "refused" },
    baseURL: { is: "string" },
  },
  required: ["lampId", "state", "bulbs"],
  aliases: { base_url: "baseURL" },
  legacy: { identifier: "lampId" },
};

const lamp = { lampId: "l1", state: "STATE_ON", bulbs: ["b"] };

describe("objects of ProtoJSON", () => {
  it("a canonical value is returned as it came", () => {
    const value = { ...lamp, note: "", volts: 0, extra: null, tags: [], labels: { a: "" } };
    expect(request(Lamp, value)).toBe(value);
    expect(reply(Lamp, value)).toBe(value);
    expect(tolerant(Lamp, value).value).toBe(value);
  });

  it("copies only what changes", () => {
    const tags = ["a"];
    const value = { ...lamp, tags, volts: "12" };
    const read = request(Lamp, value);
    expect(read).toEqual({ ...lamp, tags, volts: 12 });
    expect((read as typeof value).tags).toBe(tags);
    expect(value.volts).toBe("12");
  });

  it("null and undefined are absent, except for a free value (A2A-PJ-e)", () => {
    const value = {
      ...lamp,
      note: null,
      volts: null,
      tags: null,
      labels: null,
      roomId: undefined,
      extra: null,
    };
    expect(request(Lamp, value)).toEqual({ ...lamp, extra: null });
    expect(Object.keys(request(Lamp, value) as object)).toEqual(["lampId", "state", "bulbs", "extra"]);
    expect(tolerant(Lamp, value).problems).toEqual([]);
  });

  it("null inside a list or a map is an error (A2A-PJ-e)", () => {
    expect(violations(Lamp, { ...lamp, tags: ["a", null] })).toEqual([
      "tags[1]: expected a string, found null",
    ]);
    expect(violations(Lamp, { ...lamp, labels: { k: null } })).toEqual([
      "labels.k: expected a string, found null",
    ]);
  });

  it("reads the protobuf names of fields in both modes and directions (A2A-PJ-b)", () => {
    const value = { lamp_id: "l1", state: "STATE_ON", bulbs: ["b"], room_id: "r", base_url: "u" };
    const canonical = { lampId: "l1", state: "STATE_ON", bulbs: ["b"], roomId: "r", baseURL: "u" };
    expect(request(Lamp, value)).toEqual(canonical);
    expect(reply(Lamp, value)).toEqual(canonical);
    expect(tolerant(Lamp, value)).toEqual({ value: canonical, problems: [] });
  });

  it.each([
    [{ lampId: "a", lamp_id: "b" }],
    [{ lamp_id: "b", lampId: "a" }],
    [{ lampId: "a", lamp_id: "a" }],
  ])("two spellings of one field are an error: %j", (names) => {
    const { lampId: _, ...rest } = lamp;
    for (const mode of ["strict", "tolerant"] as const) {
      expect(violations(Lamp, { ...rest, ...names }, mode)).toEqual(["lamp_id: given twice, also as lampId"]);
    }
  });

  it("two other spellings of one field are an error as well", () => {
    expect(violations(Lamp, { ...lamp, base_url: "u", base_u_r_l: "v" })).toEqual([
      "base_u_r_l: given twice, also as baseURL",
    ]);
  });

  it("a null beside another spelling is absent", () => {
    const rest = { state: "STATE_ON", bulbs: ["b"] };
    for (const names of [
      { lampId: null, lamp_id: "b" },
      { lamp_id: "b", lampId: null },
      { lamp_id: null, lampId: "b" },
    ]) {
      expect(request(Lamp, { ...names, ...rest })).toEqual({ lampId: "b", ...rest });
    }
  });

  it("spellings of another generation count in tolerant mode only, and are reported", () => {
    const value = { identifier: "l1", state: "on", bulbs: ["b"] };
    expect(violations(Lamp, value)).toEqual([
      'state: expected STATE_UNSPECIFIED, STATE_ON or STATE_OFF, found "on"',
    ]);
    expect(violations(Lamp, { ...value, state: 1 })).toEqual(["lampId: required, found nothing"]);
    expect(tolerant(Lamp, value, "request")).toEqual({
      value: lamp,
      problems: ["/identifier legacy_name", "/state legacy_value"],
    });
  });

  it("the right spelling wins over one of another generation", () => {
    expect(tolerant(Lamp, { ...lamp, identifier: "other" }, "request").value).toEqual(lamp);
  });

  it("unknown fields are dropped from requests and kept in replies (A2A-5.7-f, A2A-PJ-l)", () => {
    const value = { ...lamp, vendor: { a: 1 }, alsoVendor: 2 };
    expect(request(Lamp, value)).toEqual(lamp);
    expect(reply(Lamp, value)).toBe(value);
    expect(reply(Lamp, { ...value, lampId: "l2", volts: "1" })).toEqual({ ...value, lampId: "l2", volts: 1 });
    expect(tolerant(Lamp, value, "request").problems).toEqual([
      "/vendor unknown_field",
      "/alsoVendor unknown_field",
    ]);
  });

  it("all missing REQUIRED members of one object are listed together, empty ones too (A2A-5.7-b)", () => {
    expect(violations(Lamp, {})).toEqual([
      "lampId: required, found nothing",
      "state: required, found nothing",
      "bulbs: required, found nothing",
    ]);
    expect(violations(Lamp, { lampId: "", state: "STATE_UNSPECIFIED", bulbs: [] })).toEqual([
      "lampId: required, found an empty string",
      'state: required, found "STATE_UNSPECIFIED"',
      "bulbs: required, found an empty list",
    ]);
    expect(violations(Lamp, { lampId: null, state: 0, bulbs: null })).toEqual([
      "lampId: required, found null",
      "state: required, found 0",
      "bulbs: required, found null",
    ]);
  });

  it("everything else stops at the first", () => {
    expect(violations(Lamp, { note: 1, volts: "x" })).toEqual(["note: expected a string, found a number"]);
  });

  it('"" is a value, absent, or refused, as the table says', () => {
    expect(request(Lamp, { ...lamp, roomId: "", note: "" })).toEqual({ ...lamp, note: "" });
    expect(reply(Lamp, { ...lamp, roomId: "" })).toEqual(lamp);
    expect(violations(Lamp, { ...lamp, owner: "" })).toEqual(["owner: must not be empty"]);
  });
});

describe("enums (A2A-PJ-f)", () => {
  it("numbers become names", () => {
    expect(request(Lamp, { ...lamp, state: 2 })).toEqual({ ...lamp, state: "STATE_OFF" });
    expect(reply(Lamp, { ...lamp, state: 0 })).toEqual({ ...lamp, state: "STATE_UNSPECIFIED" });
  });

  it("unknown names are refused in requests and kept in replies", () => {
    for (const mode of ["strict", "tolerant"] as const) {
      expect(violations(Lamp, { ...lamp, state: "STATE_DIM" }, mode)).toEqual([
        'state: expected STATE_UNSPECIFIED, STATE_ON or STATE_OFF, found "STATE_DIM"',
      ]);
      expect(reply(Lamp, { ...lamp, state: "STATE_DIM" }, mode)).toEqual({ ...lamp, state: "STATE_DIM" });
    }
  });

  it("unknown numbers are refused in requests and kept as text in replies", () => {
    expect(violations(Lamp, { ...lamp, state: 42 })[0]).toMatch(/found 42$/);
    expect(reply(Lamp, { ...lamp, state: 42 })).toEqual({ ...lamp, state: "42" });
    expect(() => reply(Lamp, { ...lamp, state: 1.5 })).toThrow(/found 1.5/);
  });

  it("the zero value means not set in requests, and is a value in replies", () => {
    expect(request(Lamp, { ...lamp, filter: "STATE_UNSPECIFIED" })).toEqual(lamp);
    const value = { ...lamp, state: "STATE_UNSPECIFIED", filter: "STATE_UNSPECIFIED" };
    expect(reply(Lamp, value)).toBe(value);
  });

  it("other kinds are refused", () => {
    for (const state of [true, {}, [], ["STATE_ON"]])
      expect(violations(Lamp, { ...lamp, state })).toHaveLength(1);
    expect(() => reply(Lamp, { ...lamp, state: {} })).toThrow(/found an object/);
  });
});

describe("objects of plain JSON", () => {
  const Person: Table<unknown> = {
    is: "object",
    fields: {
      firstName: { is: "string" },
      nick: { is: "string" },
      memo: { is: "json" },
      boss: { is: "anyOf", of: [{ is: "string" }, { is: "null" }] },
      kind: { is: "literal", value: "person" },
    },
    required: ["firstName", "kind"],
    legacy: { first_name: "firstName" },
  };
  const person = { firstName: "Ann", kind: "person" };

  it("null is a wrong type, except where it is a value", () => {
    const value = { ...person, memo: null, boss: null };
    expect(request(Person, value)).toBe(value);
    expect(violations(Person, { ...person, nick: null })).toEqual(["nick: expected a string, found null"]);
  });

  it("in tolerant mode null is absent, and reported", () => {
    const { value, problems } = tolerant(Person, { ...person, nick: null, memo: null, boss: null });
    expect(value).toEqual({ ...person, memo: null, boss: null });
    expect(problems).toEqual(["/nick null_field"]);
  });

  it("knows no snake_case but what the table lists for the tolerant mode", () => {
    const value = { first_name: "Ann", kind: "person" };
    expect(violations(Person, value)).toEqual(["firstName: required, found nothing"]);
    expect(tolerant(Person, value)).toEqual({ value: person, problems: ["/first_name legacy_name"] });
  });

  it("a literal is that value", () => {
    expect(violations(Person, { firstName: "Ann", kind: "dog" })).toEqual([
      'kind: expected "person", found a string',
    ]);
  });
});
