import { describe, expect, it } from "vitest";
import { buildModel } from "../../codegen/ir/build.js";
import type { Model } from "../../codegen/ir/types.js";
import { loadLine } from "../../codegen/load/load-line.js";
import { loadOfficial } from "../../codegen/load/load-official.js";
import { declIn, fieldIn, overlayOf } from "./ir-of.js";

const spec = "§0";

/** A 0.x schema of one operation, `tasks/get`. */
const json = JSON.stringify({
  definitions: {
    GetTaskRequest: {
      type: "object",
      properties: { method: { const: "tasks/get" }, params: { $ref: "#/definitions/TaskQueryParams" } },
    },
    GetTaskSuccessResponse: { type: "object", properties: { result: { $ref: "#/definitions/Task" } } },
    TaskQueryParams: { type: "object", properties: { id: { type: "string" } } },
    Task: { type: "object", properties: { kind: { const: "task" }, id: { type: "string" } } },
    AgentCard: { type: "object", properties: { url: { type: "string" } } },
  },
});
const proto = `
  package a2a.v1;
  enum State { STATE_UNSPECIFIED = 0; STATE_DONE = 1; }
  message Task { string id = 1; State state = 2; map<string, bytes> files = 7; oneof end { Note ok = 3; string bad = 4; } }
  message Note { google.protobuf.Struct data = 1; google.protobuf.Timestamp at = 2; }
  message AgentCard { string url = 1; }
  message GetTaskRequest { string name = 1; int32 history_length = 2; }
  message PutRequest { string parent = 1; Task config = 2 [json_name = "theTask"]; }
  service S {
    rpc FetchTask(GetTaskRequest) returns (Task) { option (google.api.http) = { get: "/v1/{name=tasks/*}" }; }
    rpc Put(PutRequest) returns (Task) { option (google.api.http) = { post: "/v1/{parent=tasks/*}/x" body: "config" }; }
  }`;

function formOf(form: object, files = { json, proto }): Model {
  const overlay = overlayOf({
    methods: { GetTask: { key: "getTask", capability: "reading", idempotent: true, spec } },
    form: { spec, methods: { FetchTask: { as: "GetTask", spec } }, ...form },
  });
  const { form: built } = buildModel(loadOfficial({ ...files, release: "0.7.0", overlay }));
  if (built === undefined) throw new Error("no form");
  return built;
}

describe("the ProtoJSON form of a 0.x version", () => {
  it("is built from the proto alone: types, numbers, presence, groups", () => {
    const model = formOf({});
    expect(model.decls.map(({ name }) => name)).toEqual([
      ...["AgentCard", "GetTaskRequest", "Note", "PutRequest", "State", "Task"],
    ]);
    expect(declIn(model, "Task")).toMatchObject({
      kind: "object",
      proto: true,
      oneofs: [{ name: "end", members: ["ok", "bad"], required: false }],
      fields: [
        { name: "id", number: 1, presence: "implicit", type: { kind: "scalar", name: "string" } },
        { name: "state", number: 2, presence: "implicit", type: { kind: "ref", name: "State" } },
        { name: "files", number: 7, presence: "implicit", type: { kind: "map", of: { name: "bytes" } } },
        { name: "ok", number: 3, presence: "explicit", type: { kind: "ref", name: "Note" } },
        { name: "bad", number: 4, presence: "explicit" },
      ],
    });
    expect(fieldIn(model, "PutRequest.theTask").aliases).toEqual(["config"]);
    expect(fieldIn(model, "Note.at").type).toEqual({ kind: "scalar", name: "timestamp" });
    expect(model.service).toMatchObject({ package: "a2a.v1", tenantPrefix: false });
  });

  it("shares the facts of the JSON operation that it is, and has no JSON-RPC", () => {
    const [fetch, put] = formOf({}).methods;
    expect(fetch).toMatchObject({
      name: "FetchTask",
      key: "getTask",
      grpc: "FetchTask",
      capability: "reading",
      idempotent: true,
    });
    expect(fetch).not.toHaveProperty("jsonrpc");
    expect(put).toMatchObject({ key: "put", idempotent: false });
  });

  it("keeps the patterns of resource names, and the body of one field, under JSON names", () => {
    const [fetch, put] = formOf({}).methods;
    expect(fetch?.rest).toEqual([{ verb: "GET", path: "/v1/{name=tasks/*}" }]);
    expect(put?.rest).toEqual([{ verb: "POST", path: "/v1/{parent=tasks/*}/x", body: "theTask" }]);
  });

  it("takes routes, fields of later protos, required members and spellings from the overlay", () => {
    const model = formOf({
      methods: {
        FetchTask: {
          as: "GetTask",
          routes: [{ verb: "POST", path: "/v2/{name=tasks/*}", body: "*", spec }],
          routesOnly: true,
          spec,
        },
      },
      fields: { "Note.file_name": { number: 9, type: "string", spec } },
      required: { "Task.id": { spec } },
      oneofs: { "Task.end": { required: true, spec } },
      aliases: { "GetTaskRequest.name": { also: ["id"], spec } },
    });
    expect(model.methods[0]?.rest).toEqual([{ verb: "POST", path: "/v2/{name=tasks/*}", body: "*" }]);
    expect(fieldIn(model, "Note.fileName")).toMatchObject({ number: 9, aliases: ["file_name"] });
    expect(fieldIn(model, "Task.id").required).toBe(true);
    expect(declIn(model, "Task")).toMatchObject({ oneofs: [{ required: true }] });
    expect(fieldIn(model, "GetTaskRequest.name").aliases).toEqual(["id"]);
  });

  it("refuses facts about what neither schema has", () => {
    expect(() => formOf({ methods: { FetchTask: { as: "ReadTask", spec } } })).toThrow(
      "overlay.json#/form/methods/FetchTask: names ReadTask, which is no method of the schema",
    );
    const field = { number: 1, type: "string", spec };
    expect(() => formOf({ fields: { "Nothing.x": field } })).toThrow(/Nothing\.x: names no message/);
    expect(() => formOf({ fields: { "Task.id": field } })).toThrow(/Task\.id: is in proto\.json already/);
    const odd = proto.replace("string url", "Url url");
    expect(() => formOf({}, { json, proto: odd })).toThrow(/AgentCard\.url: has the type Url/);
  });

  it.each(["v0.3", "v0.2"])("%s has the operations of its JSON under the same keys", async (line) => {
    const model = await loadLine(line).then(buildModel);
    const keys = model.form?.methods.map(({ key }) => key) ?? [];
    expect(keys).toEqual(expect.arrayContaining(model.methods.map(({ key }) => key)));
    for (const { key, errors, capability } of model.form?.methods ?? []) {
      const json = model.methods.find((method) => method.key === key);
      if (json !== undefined)
        expect({ errors, capability }).toEqual({ errors: json.errors, capability: json.capability });
    }
  });

  it("is not there without a proto, and not for a version whose JSON is ProtoJSON", async () => {
    const overlay = overlayOf({ form: { spec } });
    expect(buildModel(loadOfficial({ json, release: "0.7.0", overlay })).form).toBeUndefined();
    expect(buildModel(await loadLine("v1.0")).form).toBeUndefined();
  });
});
