/** How failures look on the wire: status, google.rpc.Status, trailers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { A2AError } from "../../src/errors.js";
import { listenGrpc, type GrpcListening } from "../../src/grpc.js";
import { createRouter, type RunningServer } from "../../src/server.js";
import { said, start } from "../bindings/peer.js";
import { task } from "../rpc/support.js";
import { peer, V1, type Peer } from "./peer.js";

const DOMAIN = "a2a-protocol.org";

describe("a server", () => {
  let server: RunningServer;
  let caller: Peer;
  beforeAll(async () => {
    server = await start({ grpc: { port: 0 } });
    caller = await peer(server.grpc?.address ?? "");
  });
  afterAll(async () => {
    caller.close();
    await server.close();
  });

  it("tells a missing task with NOT_FOUND, an ErrorInfo and the same code and message in both places (A2A-10.6-a, A2A-10.6-b)", async () => {
    const { code, text, status, details } = await caller.unary("GetTask", { id: "nobody" }, V1);
    expect([code, text]).toEqual([5, "Task not found: nobody"]);
    expect(status).toMatchObject({ code: 5, message: "Task not found: nobody" });
    expect(details).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "TASK_NOT_FOUND",
        domain: DOMAIN,
        metadata: { taskId: "nobody" },
      },
    ]);
  });

  it("tells refused fields with INVALID_ARGUMENT and a BadRequest (A2A-10.6-c)", async () => {
    const { code, details } = await caller.unary("SendMessage", { message: { role: "ROLE_USER" } }, V1);
    expect(code).toBe(3);
    expect(details).toMatchObject([
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: "message.messageId" }, { field: "message.parts" }],
      },
    ]);
  });

  it("tells bytes that are no message with INVALID_ARGUMENT, and answers the next call", async () => {
    for (const bytes of [Buffer.from([0x0a, 0xff]), Buffer.from("hello"), Buffer.alloc(64, 0xff)]) {
      expect((await caller.raw("SendMessage", bytes, V1)).code).toBe(3);
    }
    expect((await caller.unary("SendMessage", said("go"), V1)).code).toBe(0);
  });

  it("refuses a version that the package does not have (A2A-10.2-d)", async () => {
    for (const version of ["99.0", "0.3", "soon"]) {
      const { code, details } = await caller.unary("GetTask", { id: "x" }, { "a2a-version": version });
      expect([version, code, details[0]?.["reason"]]).toEqual([version, 9, "VERSION_NOT_SUPPORTED"]);
    }
    const old = await peer(server.grpc?.address ?? "", "0.3");
    const { code, details, text } = await old.unary("GetTask", { name: "tasks/x" }, V1);
    expect([code, details[0]?.["reason"]]).toEqual([9, "VERSION_NOT_SUPPORTED"]);
    // What the agent speaks elsewhere is no help to who has called this service.
    expect(details[0]?.["metadata"]).toEqual({ supportedVersions: "0.3, 0.2" });
    expect(text).toContain("1.0 is not spoken by a2a.v1.A2AService (it speaks 0.3, 0.2)");
    old.close();
  });

  it("takes the version from the package where the caller names none, and ignores a patch (A2A-3.6-c)", async () => {
    for (const headers of [{}, { "a2a-version": "" }, { "a2a-version": "1.0.7" }]) {
      expect((await caller.unary("GetTask", { id: "x" }, headers)).code).toBe(5);
    }
  });

  it("knows no other methods and services", async () => {
    const paths = ["/lf.a2a.v1.A2AService/NoSuchMethod", "/other.Service/GetTask"];
    for (const path of paths) {
      const code = await new Promise((resolve) => {
        const same = (bytes: Buffer): Buffer => bytes;
        caller.client.makeUnaryRequest(path, same, same, Buffer.alloc(0), (error) => resolve(error?.code));
      });
      expect(code).toBe(12);
    }
  });
});

describe("an error", () => {
  const errors = new Map<string, unknown>();
  const log: unknown[] = [];
  let listening: GrpcListening;
  let caller: Peer;
  beforeAll(async () => {
    const router = createRouter(
      A2A,
      {
        getTask: ({ id }) => {
          throw errors.get(id);
        },
        async *subscribeToTask({ id }) {
          yield { task: task(id) };
          throw errors.get(id);
        },
      },
      { logger: { error: (message, details) => void log.push([message, details]) } },
    );
    listening = await listenGrpc(router);
    caller = await peer(listening.address);
  });
  afterAll(async () => {
    caller.close();
    await listening.close();
  });
  const thrown = async (error: unknown) => {
    errors.set("1", error);
    return caller.unary("GetTask", { id: "1" }, V1);
  };

  it.each([
    ["TASK_NOT_FOUND", 5],
    ["TASK_NOT_CANCELABLE", 9],
    ["PUSH_NOTIFICATION_NOT_SUPPORTED", 9],
    ["UNSUPPORTED_OPERATION", 9],
    ["CONTENT_TYPE_NOT_SUPPORTED", 3],
    ["INVALID_AGENT_RESPONSE", 13],
    ["EXTENDED_AGENT_CARD_NOT_CONFIGURED", 9],
    ["EXTENSION_SUPPORT_REQUIRED", 9],
    ["VERSION_NOT_SUPPORTED", 9],
  ])("of A2A, %s, has status %i and its name in an ErrorInfo (A2A-10.6-b)", async (reason, code) => {
    const seen = await thrown(new A2AError(reason, "so it is", { metadata: { a: "b" } }));
    expect([seen.code, seen.text]).toEqual([code, "so it is"]);
    expect(seen.details).toEqual([
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: DOMAIN, metadata: { a: "b" } },
    ]);
  });

  it.each([
    ["UNAUTHENTICATED", 16],
    ["PERMISSION_DENIED", 7],
    ["RESOURCE_EXHAUSTED", 8],
    ["PAYLOAD_TOO_LARGE", 8],
    ["UNAVAILABLE", 14],
    ["METHOD_NOT_FOUND", 12],
    ["INVALID_PARAMS", 3],
    ["INTERNAL_ERROR", 13],
  ])("of a binding, %s, has status %i and no ErrorInfo (A2A-7.4-b)", async (reason, code) => {
    const seen = await thrown(new A2AError(reason, "so it is"));
    expect([seen.code, seen.details]).toEqual([code, []]);
  });

  it("of the agent's own goes out with its data; JSON of any kind survives", async () => {
    const data = [
      "text",
      7.5,
      true,
      null,
      ["a"],
      { b: { c: null } },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3s" },
    ];
    const { code, details } = await thrown(
      new A2AError("ROOM_OCCUPIED", "Try another", { status: 409, data }),
    );
    expect(code).toBe(10);
    expect(details.map(({ "@type": type, value, reason }) => reason ?? value ?? type)).toEqual([
      "ROOM_OCCUPIED",
      "text",
      7.5,
      true,
      "type.googleapis.com/google.protobuf.Value",
      ["a"],
      { b: { c: null } },
      "type.googleapis.com/google.rpc.RetryInfo",
    ]);
  });

  it("that nobody meant to tell leaks nothing and is logged (A2A-3.3.2-n)", async () => {
    log.length = 0;
    const secret = new Error("password=hunter2 at /etc/agent");
    const { code, text, details } = await thrown(secret);
    expect([code, text, details]).toEqual([13, "Internal error", []]);
    expect(log).toEqual([["a2a: GetTask failed", secret]]);
  });

  it("carries what HTTP has in headers as trailers", async () => {
    const headers = { "retry-after": "7", "www-authenticate": "Bearer", connection: "close" };
    const { trailers } = await thrown(new A2AError("UNAVAILABLE", "Later", { headers }));
    expect([
      trailers.get("retry-after"),
      trailers.get("www-authenticate"),
      trailers.get("connection"),
    ]).toEqual([["7"], ["Bearer"], []]);
  });

  it("fits into the metadata that peers take, however much is wrong", async () => {
    const violations = Array.from({ length: 500 }, (_, i) => ({
      field: `message.parts[${String(i)}]`,
      pointer: "",
      description: "x".repeat(90),
    }));
    const seen = await thrown(
      new A2AError("INVALID_PARAMS", "\u{1f600}".repeat(5000), { violations, data: ["y".repeat(9000)] }),
    );
    expect(seen.code).toBe(3);
    expect(seen.details).toMatchObject([{ fieldViolations: { length: 10 } }]);
    expect(seen.text.length).toBeLessThan(1100);
  });

  it("may hold any character, half of one included", async () => {
    const { text } = await thrown(new A2AError("TASK_NOT_FOUND", "ü 100% \n \ud800 ✓"));
    expect(text).toBe("ü 100% \n \uFFFD ✓");
  });

  it("in the middle of a stream comes after the events that were sent", async () => {
    errors.set("1", new A2AError("TASK_NOT_FOUND", "It is gone"));
    const { code, events, details } = await caller.stream("SubscribeToTask", { id: "1" }, V1);
    expect([code, events.length, details[0]?.["reason"]]).toEqual([5, 1, "TASK_NOT_FOUND"]);
  });
});

it("the error table of 1.0.0 has its own statuses", async () => {
  await using server = await start({
    grpc: { port: 0 },
    errorTable: "1.0.0",
    extendedCard: undefined as never,
  });
  const caller = await peer(server.grpc?.address ?? "");
  const { code, details } = await caller.unary("GetTask", { id: "x" }, { "a2a-version": "99.0" });
  expect([code, details[0]?.["reason"]]).toEqual([12, "VERSION_NOT_SUPPORTED"]);
  caller.close();
});
