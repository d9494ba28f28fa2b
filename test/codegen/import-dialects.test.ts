import { describe, expect, it } from "vitest";
import { readBundle } from "../../codegen/load/dialects/index.js";
import { shuffleKeys } from "./shuffle.js";

const read = (schema: unknown): unknown => readBundle(JSON.stringify(schema), "9.9.9").definitions;

describe("plain bundles (0.x)", () => {
  it("reads $defs and definitions alike, without prose", () => {
    const task = {
      title: "Task",
      description: "prose",
      type: "object",
      properties: {
        status: { $ref: "#/KEY/State", description: "prose beside a reference" },
        id: { type: "string", title: "Id", examples: ["x"] },
      },
      required: ["status", "id"],
    };
    const state = { type: "string", enum: ["on", "off"] };
    const expected = {
      State: { type: "string", enum: ["on", "off"] },
      Task: {
        type: "object",
        properties: { id: { type: "string" }, status: { ref: "State" } },
        required: ["id", "status"],
      },
    };
    for (const key of ["$defs", "definitions"]) {
      const schema = JSON.parse(
        JSON.stringify({ [key]: { Task: task, State: state } }).replaceAll("KEY", key),
      ) as unknown;
      expect(read(schema)).toEqual(expected);
    }
  });

  it("keeps constants and drops the default beside them; oneOf is a union like any other", () => {
    expect(
      read({
        $defs: {
          A: {
            type: "object",
            properties: {
              type: { const: "a", default: "a", type: "string" },
              n: { type: "integer", default: 0 },
            },
          },
          U: { oneOf: [{ $ref: "#/$defs/A" }, { type: "null" }] },
        },
      }),
    ).toEqual({
      A: {
        type: "object",
        properties: { n: { type: "integer", default: 0 }, type: { type: "string", const: "a" } },
      },
      U: { anyOf: [{ ref: "A" }, { type: "null" }] },
    });
  });

  it("tells a map from an open object", () => {
    expect(
      read({
        definitions: {
          Map: { type: "object", additionalProperties: { type: "string" } },
          Free: { type: "object", additionalProperties: {} },
          Open: { type: "object", additionalProperties: {}, properties: { a: {} } },
          Closed: { type: "object", additionalProperties: false, properties: { a: {} } },
        },
      }),
    ).toEqual({
      Map: { type: "object", additionalProperties: { type: "string" } },
      Free: { type: "object", additionalProperties: {} },
      Open: { type: "object", properties: { a: {} } },
      Closed: { type: "object", properties: { a: {} } },
    });
  });

  it("treats a property called like a keyword as a property", () => {
    expect(
      read({
        definitions: {
          E: { type: "object", properties: { required: { type: "boolean" }, title: { type: "string" } } },
        },
      }),
    ).toEqual({
      E: { type: "object", properties: { required: { type: "boolean" }, title: { type: "string" } } },
    });
  });
});

/** A bundle in the style of 1.0: titles with blanks, references by file name, no reference that resolves. */
const bundle = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  definitions: {
    "O Auth2 Security Scheme": {
      title: "O Auth2 Security Scheme",
      type: "object",
      additionalProperties: false,
      properties: {
        metadataUrl: { type: "string", default: "" },
        state: {
          anyOf: [
            { type: "string", pattern: "^JOB_STATE_UNSPECIFIED$" },
            { type: "string", enum: ["JOB_STATE_DONE"] },
            { type: "integer", minimum: -2147483648, maximum: 2147483647 },
          ],
          default: 0,
          title: "Job State",
        },
        count: {
          anyOf: [
            { type: "integer", minimum: -2147483648, maximum: 2147483647 },
            { type: "string", pattern: "^-?[0-9]+$" },
          ],
        },
        big: {
          anyOf: [
            { type: "integer", minimum: -9e18, maximum: 9e18 },
            { type: "string", pattern: "^-?[0-9]+$" },
          ],
        },
        raw: { type: "string", pattern: "^[A-Za-z0-9+/]*={0,2}$" },
        at: { $ref: "google.protobuf.Timestamp.jsonschema.json" },
        extra: { $ref: "google.protobuf.Struct.jsonschema.json" },
        data: { $ref: "google.protobuf.Value.jsonschema.json" },
      },
      patternProperties: { "^(metadata_url)$": { type: "string", default: "" } },
    },
    Holder: {
      type: "object",
      properties: { scheme: { $ref: "x.v1.OAuth2SecurityScheme.jsonschema.json", description: "prose" } },
    },
    Struct: { type: "object" },
    Timestamp: { type: "string", format: "date-time" },
    Value: {},
  },
};

describe("the proto bundle (1.0)", () => {
  it("takes names from references, scalars from their forms, aliases from patterns", () => {
    expect(read(bundle)).toEqual({
      Holder: { type: "object", properties: { scheme: { ref: "OAuth2SecurityScheme" } } },
      JobState: { type: "string", enum: ["JOB_STATE_UNSPECIFIED", "JOB_STATE_DONE"] },
      OAuth2SecurityScheme: {
        type: "object",
        properties: {
          at: { type: "string", format: "date-time" },
          big: { type: "integer", format: "int64" },
          count: { type: "integer", format: "int32" },
          data: {},
          extra: { type: "object" },
          metadataUrl: { type: "string", default: "" },
          raw: { type: "string", format: "bytes" },
          state: { ref: "JobState", default: "JOB_STATE_UNSPECIFIED" },
        },
        aliases: { metadata_url: "metadataUrl" },
      },
    });
  });

  it("reads the form with $defs and full names as keys too", () => {
    const { definitions } = bundle;
    const renamed = {
      $defs: {
        "x.v1.OAuth2SecurityScheme.jsonschema.json": definitions["O Auth2 Security Scheme"],
        "x.v1.Holder.jsonschema.json": {
          type: "object",
          properties: { scheme: { $ref: "#/$defs/x.v1.OAuth2SecurityScheme.jsonschema.json" } },
        },
        "google.protobuf.Struct.jsonschema.json": {},
        "google.protobuf.Value.jsonschema.json": {},
        "google.protobuf.Timestamp.jsonschema.json": {},
      },
    };
    expect(read(renamed)).toEqual(read(bundle));
  });

  it("does not depend on the order of keys", () => {
    for (const seed of [1, 2, 3]) {
      expect(JSON.stringify(read(shuffleKeys(bundle, seed)))).toBe(JSON.stringify(read(bundle)));
    }
  });
});

describe("what it refuses", () => {
  const cases: [string, unknown, RegExp][] = [
    ["no definitions", { type: "object" }, /neither definitions nor \$defs/],
    [
      "an unknown keyword",
      { definitions: { A: { type: "object", properties: { b: { not: {} } } } } },
      /#\/definitions\/A\/properties\/b: the keyword "not"/,
    ],
    [
      "a reference to nothing",
      { definitions: { A: { $ref: "#/definitions/B" } } },
      /#\/definitions\/A: reference to #\/definitions\/B/,
    ],
    ["an unknown type", { definitions: { A: { type: "text" } } }, /unknown type "text"/],
    [
      "an unknown format",
      { definitions: { A: { type: "string", format: "email" } } },
      /unknown format "email"/,
    ],
    [
      "a required member that is not there",
      { $defs: { A: { type: "object", properties: { b: {}, c: {} }, required: ["c", "nope", "b"] } } },
      /^#\/\$defs\/A\/required\/1: requires nope, which is not among the properties \(/,
    ],
    [
      "a required member of an object without properties",
      { definitions: { A: { type: "object", properties: { b: { type: "object", required: ["nope"] } } } } },
      /^#\/definitions\/A\/properties\/b\/required\/0: requires nope/,
    ],
    ["an enum of numbers", { definitions: { A: { enum: [1] } } }, /array of strings/],
  ];
  it.each(cases)("%s", (_, schema, message) => {
    expect(() => read(schema)).toThrow(message);
  });

  it("text that is not JSON", () => {
    expect(() => readBundle("<html>", "1.0.0")).toThrow(/a2a\.json: is not JSON/);
  });
});
