import { describe, expect, it } from "vitest";
import { emitGrpc, hasGrpc } from "../../codegen/emit/grpc.js";
import { emitGrpcLines } from "../../codegen/convert/emit-grpc-lines.js";
import { format } from "../../codegen/emit/format.js";
import { EXTERNAL, INTERNAL } from "../../codegen/emit/target.js";
import { wireFacts } from "../../codegen/ir/wire-facts.js";
import type { Decl, Field, Model, Type } from "../../codegen/ir/types.js";
import {
  alias,
  array,
  enumOf,
  field,
  map,
  method,
  modelOf,
  objectOf,
  ref,
  scalar,
  string,
} from "./fixture.js";

/** A field without presence unless said otherwise, as most are. */
const numbered = (name: string, number: number, type: Type, more: Partial<Field> = {}): Field =>
  field(name, type, { number, presence: "implicit", ...more });

const model = (decls: Decl[], input = "Ask", more: Partial<Model> = {}): Model => {
  const base = modelOf(decls, {
    methods: [method("Ask", ref(input), ref("Empty"), { grpc: "Ask", kind: "serverStream" })],
    ...more,
  });
  return { ...base, service: { ...base.service, package: "t.v1" } };
};
const empty = objectOf("Empty", [], { pointer: "google.protobuf.Empty" });
const emitted = async (decls: Decl[]): Promise<string> =>
  format("grpc.ts", emitGrpc(model([...decls, empty]), INTERNAL) ?? "");

describe("the wire tables", () => {
  it("have the facts of the wire: numbers in order, types, presence, groups, what rules require", async () => {
    const text = await emitted([
      objectOf(
        "Ask",
        [
          numbered("flag", 9, scalar("boolean")),
          numbered("maybe", 2, scalar("int32"), { presence: "explicit" }),
          numbered("id", 1, string, { required: true, blank: "refused" }),
          numbered("note", 3, string, { required: true }),
          numbered("modes", 4, array(string), { required: true }),
          numbered("parts", 5, array(ref("Ask"), 1), { required: true }),
          numbered("state", 6, ref("State")),
          numbered("byName", 7, map(ref("Ask"))),
          numbered("when", 8, scalar("timestamp"), { presence: "explicit" }),
          numbered("left", 10, string, { presence: "explicit" }),
          numbered("right", 11, scalar("json"), { presence: "explicit" }),
        ],
        { oneofs: [{ name: "side", members: ["left", "right"], required: true }] },
      ),
      enumOf("State", { NONE: "STATE_NONE", ON: "STATE_ON" }),
    ]);
    expect(text).toContain(`export const Ask: WireMessage = {
  name: "t.v1.Ask",
  fields: [
    { no: 1, name: "id", type: "string" },
    { no: 2, name: "maybe", type: "int32", optional: true },
    { no: 3, name: "note", type: "string", always: true },
    { no: 4, name: "modes", type: "string", repeated: true, always: true },
    { no: 5, name: "parts", type: "message", of: () => Ask, repeated: true },
    { no: 6, name: "state", type: "enum", of: () => State },
    { no: 7, name: "byName", type: "message", of: () => Ask, key: "string" },
    { no: 8, name: "when", type: "timestamp" },
    { no: 9, name: "flag", type: "bool" },
    { no: 10, name: "left", type: "string", oneof: "side" },
    { no: 11, name: "right", type: "value", oneof: "side" },
  ],
};`);
    expect(text).toContain(
      `export const Empty: WireMessage = { name: "google.protobuf.Empty", fields: [] };`,
    );
    expect(text).toContain(
      `export const State: WireEnum = { name: "t.v1.State", values: { STATE_NONE: 0, STATE_ON: 1 } };`,
    );
    expect(text).toContain(`export const grpc: GrpcService = {
  name: "t.v1.A2AService",
  methods: { ask: { name: "Ask", input: Ask, output: Empty, serverStream: true } },
};`);
  });

  it("name what the JSON does not tell: other names, other types, other keys", async () => {
    const text = await emitted([
      objectOf("Ask", [
        numbered("message", 1, string, { protoName: "request" }),
        numbered("size", 2, scalar("int64"), { wire: "fixed64" }),
        numbered("list", 3, scalar("json"), { wire: "google.protobuf.ListValue" }),
        numbered("byNumber", 4, map(string), { wireKey: "int32" }),
      ]),
    ]);
    expect(text).toContain(`{ no: 1, name: "message", proto: "request", type: "string" }`);
    expect(text).toContain(`{ no: 2, name: "size", type: "fixed64" }`);
    expect(text).toContain(`{ no: 3, name: "list", type: "listValue" }`);
    expect(text).toContain(`{ no: 4, name: "byNumber", type: "string", key: "int32" }`);
  });

  it("leave out what no method says, and follow bare aliases", async () => {
    const text = await emitted([
      objectOf("Ask", [numbered("inner", 1, ref("Other"))]),
      alias("Other", ref("Inner")),
      objectOf("Inner", []),
      objectOf("Unused", []),
    ]);
    expect(text).toContain("of: () => Inner");
    expect(text).not.toContain("Unused");
  });

  it("take their types from the seam of their reader, and nothing else", () => {
    const text = emitGrpc(model([objectOf("Ask", []), empty]), EXTERNAL) ?? "";
    expect(text.match(/from "[^"]+"/g)).toEqual(['from "a2a-typed/codegen-v1"']);
  });

  it.each<[fault: string, field: Field]>([
    ["Duration", numbered("wait", 1, string, { wire: "google.protobuf.Duration" })],
    ["Any", numbered("any", 1, scalar("json"), { wire: "google.protobuf.Any" })],
    ["of nothing", numbered("much", 1, scalar("integer"))],
    ["Other", numbered("inner", 1, ref("Empty"), { wire: "Other" })],
  ])("stop codegen where a field is %s", (fault, wrong) => {
    expect(() => emitGrpc(model([objectOf("Ask", [wrong]), empty]), INTERNAL)).toThrow(
      new RegExp(
        `#/fields/${wrong.name}: has the protobuf type .*${fault}, which the tables of gRPC cannot say`,
      ),
    );
  });

  it("are none without methods of gRPC, a package or numbers", () => {
    const decls = [objectOf("Ask", []), empty];
    expect(hasGrpc(model(decls))).toBe(true);
    expect(hasGrpc(model(decls, "Ask", { methods: [method("Ask", ref("Ask"), ref("Empty"))] }))).toBe(false);
    expect(
      hasGrpc(modelOf(decls, { methods: [method("Ask", ref("Ask"), ref("Empty"), { grpc: "Ask" })] })),
    ).toBe(false);
    const without = model([objectOf("Ask", [field("id", string)]), empty]);
    expect(hasGrpc(without)).toBe(false);
    expect(emitGrpc(without, INTERNAL)).toBeUndefined();
  });
});

describe("facts of the wire in the model", () => {
  const facts = (name: string, type: Type, proto: object): object =>
    wireFacts(name, type, { name, json: name, number: 4, type: "string", ...proto });

  it("stand there only where they do not follow", () => {
    expect(facts("contextId", string, { name: "context_id" })).toEqual({ number: 4 });
    expect(facts("tasks", array(ref("Task")), { type: "Task", label: "repeated" })).toEqual({ number: 4 });
    expect(facts("scopes", map(string), { label: "map", key: "string" })).toEqual({ number: 4 });
    expect(facts("metadata", scalar("struct"), { type: "google.protobuf.Struct" })).toEqual({ number: 4 });
  });

  it("stand there where they do not", () => {
    expect(facts("message", ref("Message"), { name: "request", type: "Message" })).toEqual({
      number: 4,
      protoName: "request",
    });
    expect(facts("size", scalar("int64"), { type: "uint64" })).toEqual({ number: 4, wire: "uint64" });
    expect(facts("names", map(string), { label: "map", key: "int64" })).toEqual({
      number: 4,
      wireKey: "int64",
    });
    expect(facts("location", ref("Where"), {})).toEqual({ number: 4, wire: "string" });
  });
});

it("versions and forms that gRPC speaks are listed, newest first", async () => {
  const old = { ...model([objectOf("Ask", []), empty]), version: "8.0", line: "v8.0" };
  const plain = modelOf([objectOf("Ask", [])], { version: "7.0", line: "v7.0" });
  const withForm = { ...plain, form: { ...old, version: "7.0", line: "v7.0/proto" } };
  const text = await format(
    "grpc-lines.ts",
    emitGrpcLines([withForm, old, model([objectOf("Ask", []), empty])]),
  );
  expect(text).toContain(`export const grpcLines = {
  "9.0": () => import("./v9.0/grpc.js"),
  "8.0": () => import("./v8.0/grpc.js"),
  "7.0/proto": () => import("./v7.0/proto/grpc.js"),
} as const;`);
});
