import { describe, expect, it } from "vitest";
import * as v03 from "../../generated/v0.3/tables.js";
import { A2A } from "../../generated/v1.0/index.js";
import * as v1 from "../../generated/v1.0/tables.js";

const text = { is: "string" };
const struct = { is: "struct" };

describe("the data that generated modules build", () => {
  it("a message: rules of all fields, the names of the required ones", () => {
    expect(v1.TaskStatusUpdateEvent).toStrictEqual({
      is: "object",
      proto: true,
      fields: {
        taskId: { is: "string", blank: "refused" },
        contextId: text,
        status: v1.TaskStatus,
        metadata: struct,
      },
      required: ["taskId", "contextId", "status"],
    });
    expect(v1.Empty).toStrictEqual({ is: "object", proto: true, fields: {}, required: [] });
    expect(v1.APIKeySecurityScheme).toHaveProperty("legacy", { in: "location" });
  });

  it("a oneof: its members are fields among the others", () => {
    expect(v1.Part).toStrictEqual({
      is: "object",
      proto: true,
      fields: {
        text,
        raw: { is: "bytes" },
        url: text,
        data: { is: "json" },
        metadata: struct,
        filename: text,
        mediaType: text,
      },
      oneofs: [{ members: ["text", "raw", "url", "data"], required: true }],
    });
  });

  it("plain objects have no mark of ProtoJSON", () => {
    expect(v03.AgentProvider).toStrictEqual({
      is: "object",
      fields: { organization: text, url: text },
      required: ["organization", "url"],
    });
  });

  it("a method: one name for all bindings, the tables themselves", () => {
    expect(A2A.methods.getTask).toStrictEqual({
      name: "GetTask",
      kind: "unary",
      jsonrpc: "GetTask",
      rest: [{ verb: "GET", path: "/tasks/{id}" }],
      grpc: "GetTask",
      input: v1.GetTaskRequest,
      output: v1.Task,
      idempotent: true,
      errors: ["TASK_NOT_FOUND"],
    });
    expect(A2A.methods.getTask.output).toBe(v1.Task);
  });
});
