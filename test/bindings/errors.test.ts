import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2AError } from "../../src/errors.js";
import { defineAgent, serve, type RunningServer } from "../../src/server.js";
import { ask } from "../rpc/support.js";
import { quiet, skill } from "../server/agents.js";
import { bindings, call, said, start, type BindingName } from "./peer.js";

let server: RunningServer;
/** Streams nothing, pushes nothing, has no extended card and asks for an extension where it is told to. */
let bare: RunningServer;

beforeAll(async () => {
  server = await start({
    extendedCard: () => Promise.reject(new Error("password=hunter2 at /srv/cards.ts")),
  });
  bare = await serve(
    defineAgent({
      replies: "message",
      card: { name: "Bare", description: "Has nothing", skills: [skill], capabilities: { streaming: false } },
      handle: async () => {
        throw new A2AError("INVALID_AGENT_RESPONSE", "The model answered nonsense");
      },
    }),
    { port: 0, logger: quiet },
  );
});
afterAll(async () => {
  await server.close();
  await bare.close();
});

const TYPE = "type.googleapis.com/google.rpc.";

/** Reason → what brings it about, with its codes. */
const a2a: readonly (readonly [string, number, number, (binding: BindingName) => ReturnType<typeof call>])[] =
  [
    ["TASK_NOT_FOUND", -32001, 404, (binding) => call(server, binding, "GetTask", { id: "none" })],
    [
      "TASK_NOT_CANCELABLE",
      -32002,
      400,
      async (binding) => {
        const { result } = await call(server, binding, "SendMessage", said("go"));
        return call(server, binding, "CancelTask", { id: result.task.id });
      },
    ],
    [
      "PUSH_NOTIFICATION_NOT_SUPPORTED",
      -32003,
      400,
      (binding) => call(bare, binding, "ListTaskPushNotificationConfigs", { taskId: "t" }),
    ],
    [
      "UNSUPPORTED_OPERATION",
      -32004,
      400,
      (binding) => call(bare, binding, "SendStreamingMessage", said("go")),
    ],
    [
      "CONTENT_TYPE_NOT_SUPPORTED",
      -32005,
      400,
      (binding) =>
        call(server, binding, "SendMessage", {
          message: {
            messageId: "m",
            role: "ROLE_USER",
            parts: [{ raw: "AA==", mediaType: "video/x-unknown" }],
          },
        }),
    ],
    ["INVALID_AGENT_RESPONSE", -32006, 500, (binding) => call(bare, binding, "SendMessage", said("go"))],
    [
      "VERSION_NOT_SUPPORTED",
      -32009,
      400,
      (binding) => call(server, binding, "GetTask", { id: "none" }, { "a2a-version": "99.0" }),
    ],
  ];

describe.each(bindings)("errors over %s", (binding) => {
  it.each(a2a)(
    "%s has its code, ErrorInfo and nothing else (A2A-5.4-a, A2A-9.5-a, A2A-9.5-c, A2A-9.5-d, A2A-9.5-e, A2A-11.6-a, A2A-11.6-b, A2A-11.6-d)",
    async (reason, code, status, provoke) => {
      const { error, http, headers } = await provoke(binding);
      expect(error?.code).toBe(binding === "JSON-RPC" ? code : status);
      expect(http).toBe(binding === "JSON-RPC" ? 200 : status);
      expect(error?.message).toMatch(/\S/);
      expect(error?.details).toContainEqual(
        expect.objectContaining({ "@type": `${TYPE}ErrorInfo`, reason, domain: "a2a-protocol.org" }),
      );
      expect(error?.details.every((detail) => detail["@type"].startsWith("type.googleapis.com/"))).toBe(true);
      expect(headers["content-type"]).toBe(
        binding === "JSON-RPC" ? "application/json" : "application/a2a+json",
      );
    },
  );

  it("a value out of range is told as a BadRequest with its field (A2A-9.5-e, A2A-11.6-c)", async () => {
    const { error } = await call(server, binding, "ListTasks", { pageSize: 150 });
    expect(error?.code).toBe(binding === "JSON-RPC" ? -32602 : 400);
    expect(error?.details).toMatchObject([
      { "@type": `${TYPE}BadRequest`, fieldViolations: [{ field: "pageSize" }] },
    ]);
  });

  it("a failure of the agent's own code says nothing (A2A-9.5-b, A2A-5.1-c)", async () => {
    const { error, text } = await call(server, binding, "GetExtendedAgentCard");
    expect(error).toMatchObject({ code: binding === "JSON-RPC" ? -32603 : 500, message: "Internal error" });
    expect(text).not.toMatch(/hunter2|srv/);
  });
});

describe("JSON-RPC's own errors (A2A-9.5-b)", () => {
  it.each([
    [-32700, '{"jsonrpc"', "Invalid JSON payload"],
    [-32600, '{"jsonrpc":"1.0","id":1,"method":"GetTask"}', undefined],
    [-32601, '{"jsonrpc":"2.0","id":1,"method":"Nope"}', undefined],
    [-32602, '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{}}', undefined],
    [-32603, '{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard"}', "Internal error"],
  ])("%i", async (code, body, message) => {
    const headers = { "a2a-version": "1.0", "content-type": "application/json" };
    const reply = await ask(server, "/", { method: "POST", headers, body });
    expect(reply.status).toBe(200);
    expect(reply.json.error.code).toBe(code);
    expect(reply.json.error.message).toMatch(/\S/);
    if (message !== undefined) expect(reply.json.error.message).toContain(message);
    expect(reply.json).not.toHaveProperty("result");
  });
});

describe("HTTP+JSON's error bodies (A2A-11.6-a, A2A-11.6-g)", () => {
  it.each([
    ["an unknown route", "GET", "/nowhere", undefined],
    ["a verb that is not taken", "PUT", "/tasks/1", undefined],
    ["a value out of range", "GET", "/tasks?pageSize=0", undefined],
    ["no JSON", "POST", "/message:send", "{"],
    ["a task that does not exist", "GET", "/tasks/none", undefined],
    ["a broken escape", "GET", "/tasks/%zz", undefined],
  ])("%s: code, status, message; never problem+json", async (_, method, path, body) => {
    const headers = { "a2a-version": "1.0", "content-type": "application/a2a+json" };
    const reply = await ask(server, path, { method, headers, body });
    expect(Object.keys(reply.json)).toEqual(["error"]);
    expect(reply.json.error.code).toBe(reply.status);
    expect(reply.json.error.status).toMatch(/^[A-Z_]+$/);
    expect(reply.json.error.message).toMatch(/\S/);
    expect(reply.headers["content-type"]).toBe("application/a2a+json");
    expect(reply.json).not.toHaveProperty("type");
  });
});
