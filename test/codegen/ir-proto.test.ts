import { describe, expect, it } from "vitest";
import { buildModel } from "../../codegen/ir/build.js";
import { loadOfficial } from "../../codegen/load/load-official.js";
import { parseProto } from "../../codegen/load/proto.js";
import { declIn, fieldIn, irOf, overlayOf } from "./ir-of.js";

const text = { type: "string", default: "" };
const ref = (name: string): object => ({ $ref: `x.v1.${name}.jsonschema.json` });

describe("a message with its proto", () => {
  const model = irOf(
    {
      AgentCard: { type: "object", properties: {} },
      Part: {
        type: "object",
        properties: {
          data: { $ref: "google.protobuf.Value.jsonschema.json" },
          mediaType: text,
          pageSize: {
            anyOf: [
              { type: "integer", maximum: 2147483647 },
              { type: "string", pattern: "^-?[0-9]+$" },
            ],
          },
          parts: { type: "array", items: ref("Part") },
          scopes: { type: "object", additionalProperties: { type: "string" } },
          state: {
            anyOf: [{ pattern: "^ON_STATE_UNSPECIFIED$" }, { enum: ["ON_STATE_ON"] }, { type: "integer" }],
            default: 0,
          },
          text: { type: "string" },
          whole: ref("Part"),
        },
        patternProperties: { "^(media_type)$": text },
      },
    },
    {
      proto: `package x.v1;
        message AgentCard {}
        enum OnState { ON_STATE_UNSPECIFIED = 0; ON_STATE_ON = 3; }
        message Part {
          oneof content { string text = 1; google.protobuf.Value data = 2; }
          string media_type = 4 [(google.api.field_behavior) = REQUIRED];
          optional int32 page_size = 3;
          repeated Part parts = 5 [deprecated = true];
          map<string, string> scopes = 6;
          OnState state = 7;
          Part whole = 8;
        }`,
      overlay: overlayOf({ oneofs: { "Part.content": { required: true, spec: "§0" } } }),
    },
  );

  it("has fields in the order of the file, with numbers", () => {
    const part = declIn(model, "Part");
    expect(part.kind === "object" && part.fields.map((field) => [field.name, field.number])).toEqual([
      ["text", 1],
      ["data", 2],
      ["mediaType", 4],
      ["pageSize", 3],
      ["parts", 5],
      ["scopes", 6],
      ["state", 7],
      ["whole", 8],
    ]);
  });

  it("has presence where proto3 tracks it", () => {
    const explicit = ["text", "data", "pageSize", "whole"];
    for (const name of ["text", "data", "mediaType", "pageSize", "parts", "scopes", "state", "whole"]) {
      expect([name, fieldIn(model, `Part.${name}`).presence]).toEqual([
        name,
        explicit.includes(name) ? "explicit" : "implicit",
      ]);
    }
  });

  it("has requiredness, groups, aliases, numbers of enum values", () => {
    expect(fieldIn(model, "Part.mediaType")).toMatchObject({
      required: true,
      aliases: ["media_type"],
      type: { name: "string" },
    });
    // The JSON file has no pattern for page_size here: the proto name is read all the same.
    expect(fieldIn(model, "Part.pageSize")).toMatchObject({
      required: false,
      aliases: ["page_size"],
      type: { name: "int32" },
    });
    expect(fieldIn(model, "Part.parts").deprecated).toMatch(/deprecated/);
    expect(declIn(model, "Part")).toMatchObject({
      proto: true,
      oneofs: [{ name: "content", members: ["text", "data"], required: true }],
    });
    expect(declIn(model, "OnState")).toMatchObject({
      values: [
        { key: "UNSPECIFIED", number: 0 },
        { key: "ON", number: 3 },
      ],
    });
  });

  it("does not carry the zero values of proto3 as defaults", () => {
    expect(fieldIn(model, "Part.mediaType").default).toBeUndefined();
  });
});

describe("files that do not belong together", () => {
  const json = { AgentCard: { type: "object", properties: { name: text } } };
  it("are refused with the place", () => {
    expect(() => irOf(json, { proto: "message AgentCard { string name = 1; string url = 2; }" })).toThrow(
      /#\/definitions\/AgentCard: lacks url, which the proto file has/,
    );
    expect(() => irOf(json, { proto: "message AgentCard {}" })).toThrow(
      /has name, which the proto file lacks/,
    );
    expect(() => irOf(json, { proto: "message Other {}" })).toThrow(/no message AgentCard/);
  });
});

describe("a service", () => {
  const definitions = {
    AgentCard: { type: "object", properties: {} },
    Ask: { type: "object", properties: { taskId: text, tenant: text } },
  };
  const messages = "message AgentCard {} message Ask { string tenant = 1; string task_id = 2; }";
  const http = (rule: string): string => `{ option (google.api.http) = { ${rule} }; }`;

  it("gives routes in JSON names, streams, and what can be derived without a fact", () => {
    const { methods, decls } = irOf(definitions, {
      proto: `${messages} service S {
        rpc AskIt(Ask) returns (stream AgentCard) ${http('get: "/tasks/{task_id=*}:ask"')}
        rpc Drop(Ask) returns (google.protobuf.Empty) ${http('post: "/drop" body: "*"')}
      }`,
    });
    expect(methods).toEqual([
      {
        name: "AskIt",
        key: "askIt",
        kind: "serverStream",
        jsonrpc: "AskIt",
        rest: [{ verb: "GET", path: "/tasks/{taskId}:ask" }],
        grpc: "AskIt",
        input: { kind: "ref", name: "Ask" },
        output: { kind: "ref", name: "AgentCard" },
        emptyInput: true,
        idempotent: true,
        errors: [],
      },
      expect.objectContaining({
        name: "Drop",
        rest: [{ verb: "POST", path: "/drop", body: "*" }],
        idempotent: false,
        output: { kind: "ref", name: "Empty" },
      }),
    ]);
    expect(decls.find(({ name }) => name === "Empty")).toMatchObject({ kind: "object", fields: [] });
  });

  it("takes preferred routes first, and counts the tenant form as one fact", () => {
    const overlay = overlayOf({
      methods: {
        Sub: {
          routes: [{ verb: "POST", path: "/sub", body: "*", preferred: true, spec: "§0" }],
          capability: "streaming",
          spec: "§0",
        },
      },
    });
    const proto = `${messages} service S { rpc Sub(Ask) returns (AgentCard) ${http('get: "/sub" additional_bindings: { get: "/{tenant}/sub" }')} }`;
    const withTenant = { ...overlay, service: { ...overlay.service, tenantPrefix: true } };
    const routes = irOf(definitions, { proto, overlay: withTenant }).methods[0]?.rest;
    expect(routes).toEqual([
      { verb: "POST", path: "/sub", body: "*" },
      { verb: "GET", path: "/sub" },
    ]);
    const alone = `${messages} service S { rpc Sub(Ask) returns (AgentCard) ${http('get: "/sub"')} }`;
    expect(() => irOf(definitions, { proto: alone, overlay: withTenant })).toThrow(/without its tenant form/);
  });

  it("stops at a method that streams from the client, unless it is marked unsupported", () => {
    const proto = `${messages} service S { rpc SendLive(stream Ask) returns (stream AgentCard); rpc Get(Ask) returns (AgentCard); }`;
    expect(() => irOf(definitions, { proto })).toThrow(/SendLive streams from the client/);
    const overlay = overlayOf({ methods: { SendLive: { unsupported: true, spec: "§0" } } });
    expect(irOf(definitions, { proto, overlay }).methods.map(({ name }) => name)).toEqual(["Get"]);
  });

  it("refuses a path variable or body that JSON bindings cannot serve", () => {
    const rpc = (rule: string): string =>
      `${messages} service S { rpc A(Ask) returns (AgentCard) ${http(rule)} }`;
    expect(() => irOf(definitions, { proto: rpc('get: "/{name=tasks/*}"') })).toThrow(
      /path variable \{name=tasks\/\*\} is not one field/,
    );
    expect(() => irOf(definitions, { proto: rpc('post: "/a" body: "config"') })).toThrow(
      /body "config" is not one field/,
    );
  });
});

describe("a 1.x schema without its proto", () => {
  it("borrows the facts of a proto file, as far as both know a type or field", () => {
    const json = JSON.stringify({
      definitions: {
        AgentCard: {
          type: "object",
          properties: { any: { $ref: "google.protobuf.Struct.jsonschema.json" } },
        },
        Ask: { type: "object", properties: { mine: text, taskId: text } },
      },
    });
    const baseProto = parseProto(`
      message Ask { string task_id = 3 [(google.api.field_behavior) = REQUIRED]; string gone = 4; }
      message Other {}
      service S { rpc Get(Ask) returns (AgentCard); rpc Away(Other) returns (AgentCard); }`);
    const model = buildModel(loadOfficial({ json, baseProto, release: "1.7.0" }));
    expect(declIn(model, "Ask")).toMatchObject({
      fields: [
        { name: "taskId", number: 3, required: true },
        { name: "mine", required: false },
      ],
    });
    expect(model.methods.map(({ name }) => name)).toEqual(["Get"]);
  });
});
