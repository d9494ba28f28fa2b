import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { A2A as A2A02 } from "../../generated/v0.2/index.js";
import { A2A as A2A03 } from "../../generated/v0.3/index.js";
import { A2A } from "../../generated/v1.0/index.js";
import { fromRpcError, fromStatusBody, toRpcError, toStatusBody } from "../../src/binding/error-body.js";
import { rpcHttpStatus } from "../../src/binding/to-rpc-error.js";
import type { ServiceDescriptor } from "../../src/descriptor.js";
import { A2AError } from "../../src/errors.js";

const readJson = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
const wire = readJson("test/vectors/shared/wire.json");
const legacy: ServiceDescriptor = { ...A2A, version: "0.3", errorData: "any" };
const info = (reason: string, metadata?: object) => ({
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason,
  domain: "a2a-protocol.org",
  ...(metadata && { metadata }),
});

describe("A2A errors", () => {
  const table = [
    ["TASK_NOT_FOUND", -32001, 404, "NOT_FOUND"],
    ["TASK_NOT_CANCELABLE", -32002, 400, "FAILED_PRECONDITION"],
    ["PUSH_NOTIFICATION_NOT_SUPPORTED", -32003, 400, "FAILED_PRECONDITION"],
    ["UNSUPPORTED_OPERATION", -32004, 400, "FAILED_PRECONDITION"],
    ["CONTENT_TYPE_NOT_SUPPORTED", -32005, 400, "INVALID_ARGUMENT"],
    ["INVALID_AGENT_RESPONSE", -32006, 500, "INTERNAL"],
    ["EXTENDED_AGENT_CARD_NOT_CONFIGURED", -32007, 400, "FAILED_PRECONDITION"],
    ["EXTENSION_SUPPORT_REQUIRED", -32008, 400, "FAILED_PRECONDITION"],
    ["VERSION_NOT_SUPPORTED", -32009, 400, "FAILED_PRECONDITION"],
  ] as const;

  it.each(table)(
    "%s ⇄ JSON-RPC %i ⇄ HTTP %i %s (A2A-5.4-a, A2A-9.5-a, A2A-9.5-c, A2A-9.5-e, A2A-11.6-a, A2A-11.6-d, A2A-11.6-e)",
    (reason, code, http, status) => {
      const error = new A2AError(reason, "why", { metadata: { taskId: "123" } });
      const details = [info(reason, { taskId: "123" })];

      const json = toRpcError(A2A, error);
      expect(json).toEqual({ code, message: "why", data: details });
      expect(rpcHttpStatus(A2A, error)).toBe(200);
      expect(fromRpcError(A2A, json)).toMatchObject({
        reason,
        code,
        message: "why",
        metadata: { taskId: "123" },
      });
      // Told by the code alone where the peer sends no details.
      expect(fromRpcError(A2A, { code, message: "why" })).toMatchObject({ reason, code });

      const reply = toStatusBody(A2A, error);
      expect(reply).toEqual({
        http,
        headers: {},
        body: { error: { code: http, status, message: "why", details } },
      });
      expect(fromStatusBody(A2A, http, reply.body)).toMatchObject({
        reason,
        code,
        status: http,
        message: "why",
      });
    },
  );

  it("equal the shared vectors in the 1.0 shape", () => {
    for (const { "v1.0": expected, note } of wire.errors) {
      const error = fromRpcError(A2A, expected);
      expect(toRpcError(A2A, error), note).toEqual(expected);
    }
    const { status, body } = wire.rest10Error;
    const error = fromStatusBody(A2A, status, body);
    expect(error).toMatchObject({ reason: "TASK_NOT_FOUND", metadata: { taskId: "123" } });
    expect(toStatusBody(A2A, error)).toMatchObject({ http: status, body });
  });

  it.each([
    [A2A, "v1.0"],
    [A2A03, "v0.3"],
    [A2A02, "v0.2"],
  ] as const)(
    "have by default the message of the schema, also where the table leaves it out",
    (service, line) => {
      const ir = readJson(`generated/${line}/ir.json`) as { errors: { reason: string; message: string }[] };
      expect(ir.errors.length).toBeGreaterThan(5);
      for (const { reason, message } of ir.errors) {
        expect(toRpcError(service, new A2AError(reason, "")).message, reason).toBe(message);
      }
    },
  );

  it("take their default message where they have none", () => {
    expect(toRpcError(A2A, new A2AError("TASK_NOT_FOUND", "")).message).toBe("Task not found");
  });
});

describe("generic errors", () => {
  const table = [
    ["PARSE_ERROR", -32700, 400, "INVALID_ARGUMENT", 200],
    ["INVALID_REQUEST", -32600, 400, "INVALID_ARGUMENT", 200],
    ["METHOD_NOT_FOUND", -32601, 404, "NOT_FOUND", 200],
    ["INVALID_PARAMS", -32602, 400, "INVALID_ARGUMENT", 200],
    ["INTERNAL_ERROR", -32603, 500, "INTERNAL", 200],
    ["UNAVAILABLE", -32603, 503, "UNAVAILABLE", 200],
    ["UNAUTHENTICATED", -32000, 401, "UNAUTHENTICATED", 401],
    ["PERMISSION_DENIED", -32000, 403, "PERMISSION_DENIED", 403],
    ["RESOURCE_EXHAUSTED", -32000, 429, "RESOURCE_EXHAUSTED", 429],
    ["PAYLOAD_TOO_LARGE", -32600, 413, "RESOURCE_EXHAUSTED", 413],
  ] as const;

  it.each(table)(
    "%s: JSON-RPC %i, HTTP %i %s, no ErrorInfo (A2A-9.5-b)",
    (reason, code, http, status, rpcStatus) => {
      const error = new A2AError(reason, "why");
      expect(toRpcError(A2A, error)).toEqual({ code, message: "why" });
      expect(rpcHttpStatus(A2A, error)).toBe(rpcStatus);
      expect(toStatusBody(A2A, error).body).toEqual({ error: { code: http, status, message: "why" } });
      if (reason !== "UNAVAILABLE") {
        expect(fromRpcError(A2A, { code, message: "why" }, { status: rpcStatus }).reason).toBe(reason);
      }
      if (http !== 400) expect(fromStatusBody(A2A, http, toStatusBody(A2A, error).body).reason).toBe(reason);
    },
  );

  it("carry refused fields as BadRequest, and give them back with their pointer (A2A-9.5-e, A2A-11.6-c)", () => {
    const violations = [
      { field: "message.parts[0].text", pointer: "/message/parts/0/text", description: "expected a string" },
    ];
    const error = new A2AError("INVALID_PARAMS", "bad", { violations });
    const detail = {
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [{ field: "message.parts[0].text", description: "expected a string" }],
    };
    expect(toRpcError(A2A, error)).toEqual({ code: -32602, message: "bad", data: [detail] });
    expect(fromRpcError(A2A, toRpcError(A2A, error)).violations).toEqual(violations);
    const { http, body } = toStatusBody(A2A, error);
    expect(fromStatusBody(A2A, http, body)).toMatchObject({ reason: "INVALID_PARAMS", violations });
    expect(toRpcError(legacy, error)).toEqual({ code: -32602, message: "bad", data: [detail] });
  });

  it("carry their headers beside the body", () => {
    const error = new A2AError("UNAVAILABLE", "later", { headers: { "retry-after": "3" } });
    expect(toStatusBody(A2A, error)).toMatchObject({ http: 503, headers: { "retry-after": "3" } });
  });
});

describe("what an error may hold", () => {
  it("data without @type is wrapped in 1.x and free in 0.x (A2A-9.5-d, A2A-11.6-b)", () => {
    const error = new A2AError("INTERNAL_ERROR", "x", { data: { a: 1 } });
    expect(toRpcError(A2A, error).data).toEqual([
      { "@type": "type.googleapis.com/google.protobuf.Value", value: { a: 1 } },
    ]);
    expect(toRpcError(legacy, error).data).toEqual({ a: 1 });
    expect(
      toRpcError(legacy, new A2AError("TASK_NOT_FOUND", "x", { metadata: { taskId: "1" } })).data,
    ).toEqual({
      taskId: "1",
    });
  });

  it("metadata values become strings", () => {
    const metadata = { n: 3, list: ["0.3", "1.0"] } as unknown as Record<string, string>;
    const { data } = toRpcError(A2A, new A2AError("TASK_NOT_FOUND", "x", { metadata }));
    expect(data).toEqual([info("TASK_NOT_FOUND", { n: "3", list: '["0.3","1.0"]' })]);
  });

  it("an ErrorInfo of its own is not doubled, further details are kept (A2A-9.5-f, A2A-11.6-f)", () => {
    const data = [info("TASK_NOT_FOUND"), { "@type": "type.googleapis.com/google.rpc.Help", links: [] }];
    expect(toRpcError(A2A, new A2AError("TASK_NOT_FOUND", "x", { data })).data).toEqual(data);
    expect(fromRpcError(A2A, { code: -32001, message: "x", data }).data).toEqual(data);
  });

  it("a reason of the agent's own keeps its code and status, else -32603 and 500", () => {
    const own = new A2AError("OUT_OF_CREDIT", "pay", { code: -32050, status: 402 });
    expect(toRpcError(A2A, own)).toEqual({ code: -32050, message: "pay", data: [info("OUT_OF_CREDIT")] });
    expect(toStatusBody(A2A, own).http).toBe(402);
    expect(fromRpcError(A2A, toRpcError(A2A, own)).reason).toBe("OUT_OF_CREDIT");
    expect(toRpcError(A2A, new A2AError("ODD", "x")).code).toBe(-32603);
    expect(toStatusBody(A2A, new A2AError("ODD", "x")).http).toBe(500);
  });

  it("a status that is no failure is not answered with, and no name reaches Object.prototype", () => {
    expect(toStatusBody(A2A, new A2AError("TASK_NOT_FOUND", "x", { status: 200 })).http).toBe(404);
    expect(toStatusBody(A2A, new A2AError("constructor", "x")).http).toBe(500);
    expect(toRpcError(A2A, new A2AError("toString", "x")).code).toBe(-32603);
  });
});

describe("errors of other peers", () => {
  it("an ErrorInfo of another domain does not name the reason", () => {
    const data = [{ ...info("API_KEY_INVALID"), domain: "gateway.example" }];
    expect(fromRpcError(A2A, { code: -32001, message: "x", data }).reason).toBe("TASK_NOT_FOUND");
    expect(fromStatusBody(A2A, 401, { error: { code: 401, message: "x", details: data } }).reason).toBe(
      "UNAUTHENTICATED",
    );
  });

  it("problem+json, plain text and no body at all still say something (A2A-11.6-g)", () => {
    expect(fromStatusBody(A2A, 404, { title: "Not here", detail: "No task 1" })).toMatchObject({
      reason: "METHOD_NOT_FOUND",
      message: "No task 1",
    });
    expect(fromStatusBody(A2A, 502, undefined)).toMatchObject({
      reason: "HTTP",
      status: 502,
      message: "The agent answered HTTP 502",
    });
  });

  it("the statuses of 1.0.0 are read by their reason", () => {
    const body = {
      error: {
        code: 415,
        status: "INVALID_ARGUMENT",
        message: "x",
        details: [info("CONTENT_TYPE_NOT_SUPPORTED")],
      },
    };
    expect(fromStatusBody(A2A, 415, body)).toMatchObject({
      reason: "CONTENT_TYPE_NOT_SUPPORTED",
      code: -32005,
    });
  });

  it.each([null, "boom", 7, {}, { code: "x" }, []])("%j is no JSON-RPC error", (json) => {
    expect(fromRpcError(A2A, json).reason).toBe("INVALID_AGENT_RESPONSE");
  });

  it.each([
    { data: "text" },
    { data: [null, 1, { "@type": 5 }] },
    {
      data: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [null, { field: 3 }] }],
    },
    { data: [{ ...info("TASK_NOT_FOUND"), metadata: { a: 1 } }] },
  ])("malformed details are passed over: %j", (extra) => {
    const error = fromRpcError(A2A, { code: -32001, message: "x", ...extra });
    expect(error).toMatchObject({ reason: "TASK_NOT_FOUND", data: extra.data });
    expect(error.violations).toBeUndefined();
    expect(error.metadata).toBeUndefined();
  });
});
