import { describe, expect, it } from "vitest";
import { buildModel } from "../../codegen/ir/build.js";
import { checkModel } from "../../codegen/ir/check.js";
import { orphanDocs, undocumented } from "../../codegen/ir/docs.js";
import { loadLine, supportedLines } from "../../codegen/load/load-line.js";
import { aliasIn, fieldIn, irOf, overlayOf } from "./ir-of.js";

const object = (properties: object, required: string[] = []): object => ({
  type: "object",
  properties,
  required,
});
const ref = (name: string): object => ({ $ref: `#/definitions/${name}` });
const request = (method: string, params?: object): object =>
  object({ method: { const: method, type: "string" }, ...(params === undefined ? {} : { params }) }, [
    "method",
  ]);

/** A small 0.x protocol: three methods, one of which has no response of its own. */
const definitions = {
  AgentCard: object({}),
  Params: object({ id: { type: "string" } }, ["id"]),
  A2ARequest: { anyOf: [ref("SendRequest"), ref("StreamRequest"), ref("ResubscriptionRequest")] },
  SendRequest: request("message/send", ref("Params")),
  SendSuccessResponse: object({ result: { anyOf: [ref("Task"), ref("Message")] } }),
  StreamRequest: request("message/stream", { anyOf: [ref("Params"), ref("More")] }),
  StreamSuccessResponse: object({ result: { type: "array", items: ref("Task") } }),
  ResubscriptionRequest: request("tasks/resubscribe"),
  AnotherRequest: request("another", ref("Params")),
  AnotherResponse: object({ result: { type: "null" } }),
  More: object({ id: { type: "string" }, more: {} }, ["id"]),
  Task: object({ kind: { const: "task" } }, ["kind"]),
  Message: object({ kind: { const: "message" } }, ["kind"]),
  TaskNotFoundError: object({
    code: { const: -32001 },
    message: { type: "string", default: "Task not found" },
  }),
  InternalError: object({ code: { const: -32603 }, message: { type: "string", default: "Internal error" } }),
};

describe("the methods of a 0.x schema", () => {
  const model = irOf(definitions);

  it("come from the requests, in the order of their union, then by name", () => {
    expect(model.methods.map((m) => [m.name, m.key, m.jsonrpc, m.kind])).toEqual([
      ["Send", "send", "message/send", "unary"],
      ["Stream", "stream", "message/stream", "serverStream"],
      ["Resubscription", "resubscription", "tasks/resubscribe", "serverStream"],
      ["Another", "another", "another", "unary"],
    ]);
  });

  it("get a name for unions and lists that stand inline as params or result, used wherever they stand", () => {
    expect(model.methods[0]?.output).toEqual({ kind: "ref", name: "SendResult" });
    expect(fieldIn(model, "SendSuccessResponse.result").type).toEqual({ kind: "ref", name: "SendResult" });
    expect(aliasIn(model, "SendResult")).toMatchObject({
      kind: "union",
      discrimination: { by: "tag", tag: "kind" },
    });
    expect(model.methods[1]?.input).toEqual({ kind: "ref", name: "StreamInput" });
    expect(aliasIn(model, "StreamResult")).toEqual({ kind: "array", of: { kind: "ref", name: "Task" } });
  });

  it("take no params where the request has none, and go on with a stream where there is no response", () => {
    expect(model.methods[2]).toMatchObject({
      input: { name: "Empty" },
      emptyInput: true,
      output: { name: "StreamResult" },
    });
    expect(model.methods[3]).toMatchObject({ emptyInput: false, output: { kind: "scalar", name: "null" } });
  });

  it("follow the overlay", () => {
    const overlay = overlayOf({
      methods: {
        Resubscription: {
          key: "again",
          stream: true,
          resultOf: "Send",
          idempotent: true,
          errors: ["TASK_NOT_FOUND"],
          spec: "§0",
        },
      },
      errors: { TASK_NOT_FOUND: { http: 404, status: "NOT_FOUND", spec: "§0" } },
    });
    const { methods, errors } = irOf(definitions, { overlay });
    expect(methods[2]).toMatchObject({
      key: "again",
      idempotent: true,
      output: { name: "SendResult" },
      errors: ["TASK_NOT_FOUND"],
    });
    expect(errors).toEqual([
      { reason: "TASK_NOT_FOUND", code: -32001, message: "Task not found", http: 404, status: "NOT_FOUND" },
    ]);
  });

  it("the generic errors of JSON-RPC are not errors of the version", () => {
    expect(model.errors.map(({ reason }) => reason)).toEqual(["TASK_NOT_FOUND"]);
  });

  it("roots are what goes over the wire", () => {
    expect(model.roots).toEqual([
      "AgentCard",
      "Empty",
      "Params",
      "SendResult",
      "StreamInput",
      "StreamResult",
    ]);
  });
});

describe("the committed lines", () => {
  it.each(supportedLines)("%s is closed and fully described", async (line) => {
    const loaded = await loadLine(line);
    const model = buildModel(loaded);
    expect(checkModel(model)).toEqual([]);
    expect(undocumented(model)).toEqual([]);
    expect(orphanDocs(model, loaded.docs)).toEqual([]);
  });

  it.each(supportedLines)("%s builds the same twice and survives JSON", async (line) => {
    const model = buildModel(await loadLine(line));
    expect(buildModel(await loadLine(line))).toEqual(model);
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  });

  it("a fact about something that is not there is refused", async () => {
    const loaded = await loadLine("v1.0");
    if (loaded.overlay === undefined) throw new Error("v1.0 has an overlay");
    const stale = {
      ...loaded.overlay,
      required: { ...loaded.overlay.required, "Task.nothing": { spec: "§0" } },
    };
    expect(() => buildModel({ ...loaded, overlay: stale })).toThrow(
      /overlay\.json#\/required\/Task\.nothing: names something that the schema does not have/,
    );
    const method = { errors: [], routes: [], spec: "§0" };
    const unknown = { ...loaded.overlay, methods: { ...loaded.overlay.methods, Fly: method } };
    expect(() => buildModel({ ...loaded, overlay: unknown })).toThrow(/methods\/Fly: is not a method/);
  });
});

describe("the name of a type", () => {
  const AgentCard = object({});

  it.each(["default", "class", "any", "task", "errors", "My Type", "no-name", "Über", "_Task", "2D"])(
    "is not %s: a fault that says where and what to do",
    (name) => {
      expect(() => irOf({ AgentCard, [name]: object({ a: {} }) })).toThrow(
        `a2a.json: #/definitions/${name}: "${name}" is no name for a type: it must be a capital letter, ` +
          "then letters, digits and _ (rename it in the schema)",
      );
    },
  );

  it.each(["A2A", "A2AErrorReason", "Record", "TerminalState"])("is not %s, which is taken", (name) => {
    expect(() => irOf({ AgentCard, [name]: object({ a: {} }) })).toThrow(
      `#/definitions/${name}: the type ${name} has a name that the generated modules use themselves (rename`,
    );
  });

  it("that was made up for something inline is mended in the overlay", () => {
    const definitions = { AgentCard, Task: object({ "a-b": { type: "string", enum: ["x"] } }) };
    expect(() => irOf(definitions)).toThrow(
      /#\/definitions\/Task\/properties\/a-b: "TaskA-b" is no name .* \(name it under names in overlay\.json\)/,
    );
    const overlay = overlayOf({ names: { "Task.a-b": { name: "TaskAb", spec: "§0" } } });
    expect(fieldIn(irOf(definitions, { overlay }), "Task.a-b").type).toEqual({ kind: "ref", name: "TaskAb" });
  });

  it("may have digits and _", () => {
    const { decls } = irOf({ AgentCard, Task_status: object({}), HTTP2client: object({}) });
    expect(decls.map(({ name }) => name)).toEqual(["AgentCard", "HTTP2client", "Task_status"]);
  });
});

describe("a committed schema", () => {
  it("that requires what it does not have is refused", async () => {
    const loaded = await loadLine("v0.3");
    const { TaskStatus = {}, ...others } = loaded.schema.definitions;
    const broken = { ...TaskStatus, required: [...(TaskStatus.required ?? []), "nope"] };
    const schema = { ...loaded.schema, definitions: { ...others, TaskStatus: broken } };
    expect(() => buildModel({ ...loaded, schema })).toThrow(
      "#/definitions/TaskStatus/required/1: requires nope, which is not among the properties",
    );
  });
});

describe("check", () => {
  it("finds open references, doubled names and tags without constants", async () => {
    const model = buildModel(await loadLine("v0.3"));
    const [first] = model.decls;
    const broken = {
      ...model,
      decls: [
        ...model.decls,
        ...(first === undefined ? [] : [first]),
        { kind: "alias" as const, name: "X", pointer: "", type: { kind: "ref" as const, name: "Nowhere" } },
        {
          kind: "alias" as const,
          name: "Y",
          pointer: "",
          type: {
            kind: "union" as const,
            of: [{ kind: "ref" as const, name: "Task" }],
            discrimination: {
              by: "tag" as const,
              tag: "kind",
              variants: [{ value: "other", type: { kind: "ref" as const, name: "Task" } }],
            },
          },
        },
      ],
      roots: ["Gone"],
    };
    expect(checkModel(broken)).toEqual([
      `the type ${first?.name ?? ""} exists twice`,
      "X refers to Nowhere, which does not exist",
      "Y: the variant other has no constant kind",
      "the root Gone does not exist",
    ]);
  });
});
