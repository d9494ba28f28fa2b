import { describe, expect, it } from "vitest";
import { parseProto } from "../../codegen/load/proto.js";

describe("messages", () => {
  it("reads labels, numbers, maps, groups and options; comments are dropped", () => {
    const facts = parseProto(`
      syntax = "proto3";
      package x.v1;
      import "google/protobuf/struct.proto";
      option java_package = "com.x";
      // A comment with { braces } and "quotes".
      message Part {
        reserved 9, 10 to 12;
        oneof content {
          string text = 1;
          /* block
             comment */
          bytes raw = 2 [deprecated = true];
        }
        google.protobuf.Struct metadata = 3;
        optional int32 page_size = 4;
        repeated x.v1.Part parts = 5 [(google.api.field_behavior) = REQUIRED];
        map<string, .x.v1.Part> by_name = 6;
        Part request = 7
            [(google.api.field_behavior) = REQUIRED, json_name = "message"];
      }`);
    expect(facts).toEqual({
      package: "x.v1",
      enums: [],
      services: [],
      messages: [
        {
          name: "Part",
          fields: [
            { name: "text", json: "text", number: 1, type: "string", oneof: "content" },
            { name: "raw", json: "raw", number: 2, type: "bytes", oneof: "content", deprecated: true },
            { name: "metadata", json: "metadata", number: 3, type: "google.protobuf.Struct" },
            { name: "page_size", json: "pageSize", number: 4, type: "int32", label: "optional" },
            { name: "parts", json: "parts", number: 5, type: "Part", label: "repeated", required: true },
            { name: "by_name", json: "byName", number: 6, type: "Part", label: "map", key: "string" },
            { name: "request", json: "message", number: 7, type: "Part", required: true },
          ],
        },
      ],
    });
  });

  it("reads nested messages and enums under dotted names, and deprecated messages", () => {
    const facts = parseProto(`
      message Outer {
        option deprecated = true;
        enum Kind { option allow_alias = true; KIND_UNSPECIFIED = 0; KIND_A = 1 [deprecated = true]; }
        message Inner { string a = 1; }
        Inner inner = 1;
      }`);
    expect(facts.messages.map(({ name, deprecated }) => [name, deprecated])).toEqual([
      ["Outer", true],
      ["Outer.Inner", undefined],
    ]);
    expect(facts.enums).toEqual([
      {
        name: "Outer.Kind",
        values: [
          { name: "KIND_UNSPECIFIED", number: 0 },
          { name: "KIND_A", number: 1 },
        ],
      },
    ]);
  });

  it("derives JSON names as protobuf does", () => {
    const [message] = parseProto(
      "message M { string oauth2_metadata_url = 1; string a__b = 2; string _c = 3; string d_ = 4; }",
    ).messages;
    expect(message?.fields.map(({ json }) => json)).toEqual(["oauth2MetadataUrl", "a_b", "C", "d_"]);
  });
});

describe("services", () => {
  it("reads streams and HTTP rules with their additional bindings", () => {
    const facts = parseProto(`
      service Agent {
        rpc Send(In) returns (stream Out) {
          option (google.api.http) = {
            post: "/send" body: "*"
            additional_bindings { post: "/{tenant}/send", body: "*" }
            additional_bindings: { get: "/send/{id=*}" }
          };
          option (google.api.method_signature) = "id";
        }
        rpc Live(stream In) returns (Out);
        rpc Old(In) returns (google.protobuf.Empty) { option deprecated = true; }
      }`);
    expect(facts.services).toEqual([
      {
        name: "Agent",
        rpcs: [
          {
            name: "Send",
            input: "In",
            output: "Out",
            serverStreaming: true,
            routes: [
              { verb: "POST", path: "/send", body: "*" },
              { verb: "POST", path: "/{tenant}/send", body: "*" },
              { verb: "GET", path: "/send/{id=*}" },
            ],
          },
          { name: "Live", input: "In", output: "Out", clientStreaming: true, routes: [] },
          { name: "Old", input: "In", output: "google.protobuf.Empty", routes: [], deprecated: true },
        ],
      },
    ]);
  });
});

describe("mistakes are named with file and line", () => {
  const cases: [string, string, RegExp][] = [
    ["a missing number", "message M {\n  string a;\n}", /a2a\.proto:2: expected "=", found ";"/],
    ["a missing brace", "message M {\n  string a = 1;\n", /expected a name, found "end of file"/],
    ["something unknown", "message M {}\nfoo bar;", /a2a\.proto:2: unexpected "foo"/],
    ["a stray character", "message M { string a = 1 % 2; }", /unexpected character "%"/],
    [
      "a rule without a verb",
      'service S { rpc A(B) returns (C) { option (google.api.http) = { body: "*" }; } }',
      /without one of get/,
    ],
  ];
  it.each(cases)("%s", (_, text, message) => {
    expect(() => parseProto(text)).toThrow(message);
  });
});
