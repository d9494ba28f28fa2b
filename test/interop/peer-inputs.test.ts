import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { defineAgent, serve, type Agent } from "a2a-typed/server";
import type { Message, Task } from "a2a-typed/v1";

/**
 * What the official SDK takes without a word (some of it coerced, some of it lost), sent to our server:
 * refused with the field, or kept, as the specification says; a refused request leaves no trace.
 */
let server: Awaited<ReturnType<typeof serve>>;
let heard: Message[] = [];
beforeAll(async () => {
  const agent: Agent = defineAgent({
    card: {
      name: "A",
      description: "An agent.",
      skills: [{ id: "s", name: "S", description: "Does it.", tags: ["t"] }],
      defaultInputModes: ["text/plain", "application/json"],
    },
    async handle(_, message) {
      heard.push(message);
      if (message.metadata?.["do"] === "throw") throw new Error("secret: password123");
    },
  });
  server = await serve(agent, { port: 0 });
});
afterAll(async () => {
  await server.close();
});

interface RpcReply {
  readonly id?: unknown;
  readonly result?: { readonly task?: Task; readonly totalSize?: number };
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: readonly { readonly fieldViolations?: readonly { readonly field: string }[] }[];
  };
}

const headers = { "content-type": "application/json", "a2a-version": "1.0" };
const post = async (body: unknown): Promise<RpcReply> => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(server.url, { method: "POST", headers, body: text });
  return (await response.json()) as RpcReply;
};
const rpc = (method: string, params: unknown) => post({ jsonrpc: "2.0", id: 1, method, params });
const count = async (): Promise<number | undefined> => (await rpc("ListTasks", {})).result?.totalSize;

const message = (change: object) => ({
  message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }], ...change },
});
const configuration = (change: object) => ({ ...message({}), configuration: change });
const refused: [string, object, string][] = [
  ["no role and no parts", { message: { messageId: "x" } }, "message.role"],
  ["parts as a string", message({ parts: "x" }), "message.parts"],
  ["no part", message({ parts: [] }), "message.parts"],
  ["a part without content", message({ parts: [{}] }), "message.parts[0]"],
  [
    "two contents in one part",
    message({ parts: [{ text: "a", url: "https://b.example" }] }),
    "message.parts[0]",
  ],
  ["a 0.3 part", message({ parts: [{ kind: "file", file: { bytes: "aGk=" } }] }), "message.parts[0]"],
  ["a 0.3 role", message({ role: "user" }), "message.role"],
  ["an unknown role", message({ role: "ROLE_FOO" }), "message.role"],
  ["a message of the agent", message({ role: "ROLE_AGENT" }), "message.role"],
  ["bytes that are no base64", message({ parts: [{ raw: "***" }] }), "message.parts[0].raw"],
  ["an object as id", message({ messageId: { a: 1 } }), "message.messageId"],
  ["a word as number", configuration({ historyLength: "abc" }), "configuration.historyLength"],
  ["a negative limit", configuration({ historyLength: -5 }), "configuration.historyLength"],
  ["a string as boolean", configuration({ returnImmediately: "false" }), "configuration.returnImmediately"],
];

describe("refused", () => {
  it.each(refused)("%s", async (_, params, field) => {
    const before = await count();
    heard = [];
    const { error } = await rpc("SendMessage", params);
    expect(error?.code).toBe(-32602);
    const fields = error?.data?.flatMap(({ fieldViolations = [] }) => fieldViolations.map((v) => v.field));
    expect(fields).toContain(field);
    expect(heard).toEqual([]);
    expect(await count()).toBe(before);
  });

  it.each([
    ["a batch", [{ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "t1" } }], -32600],
    ["no jsonrpc", { id: 1, method: "GetTask", params: { id: "t1" } }, -32600],
    ["an unknown method without params", { jsonrpc: "2.0", id: 1, method: "Nope" }, -32601],
    ["half a body", '{"jsonrpc":', -32700],
  ])("%s", async (_, body, code) => {
    expect((await post(body)).error?.code).toBe(code);
  });
});

describe("kept", () => {
  const heardFrom = async (params: object): Promise<Message | undefined> => {
    heard = [];
    const { result } = await rpc("SendMessage", params);
    expect(result?.task?.status.state).toBe("TASK_STATE_COMPLETED");
    return heard[0];
  };

  it("null as data", async () => {
    const got = await heardFrom(message({ parts: [{ data: null, mediaType: "application/json" }] }));
    expect(got?.parts).toEqual([{ data: null, mediaType: "application/json" }]);
  });

  it("URL-safe base64, brought to the standard alphabet", async () => {
    const got = await heardFrom(message({ parts: [{ raw: "-_8", mediaType: "text/plain" }] }));
    expect(got?.parts).toEqual([{ raw: "+/8=", mediaType: "text/plain" }]);
  });

  it("everything known beside an unknown field, which is dropped", async () => {
    const got = await heardFrom(message({ extra: 1 }));
    expect(got).toMatchObject({ messageId: "m1", parts: [{ text: "hi" }] });
    expect(got).not.toHaveProperty("extra");
  });

  it("snake_case names", async () => {
    const { result } = await rpc("SendMessage", message({}));
    const got = await rpc("GetTask", { id: result?.task?.id, history_length: 0 });
    expect(got.result).toMatchObject({ id: result?.task?.id });
    expect(got.result).not.toHaveProperty("history");
  });
});

it("never shows the text of an exception", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const reply = await rpc("SendMessage", message({ metadata: { do: "throw" } }));
  expect(reply.result?.task?.status.state).toBe("TASK_STATE_FAILED");
  expect(JSON.stringify(reply)).not.toContain("password123");
  expect(logged.mock.calls.flat().map(String).join()).toContain("password123");
  logged.mockRestore();
});

it("answers in JSON where nothing is, or nothing of that size is taken", async () => {
  const lost = await fetch(new URL("nowhere", server.url), { headers });
  expect([lost.status, lost.headers.get("content-type")]).toEqual([404, expect.stringContaining("json")]);
  const wrong = await fetch(new URL("tasks", server.url), { method: "PUT", headers });
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, expect.stringContaining("GET")]);
  // The official server refuses 150 kB with a page; ours takes 10 MiB.
  expect(
    (await rpc("SendMessage", message({ parts: [{ text: "x".repeat(150_000) }] }))).error,
  ).toBeUndefined();
  const huge = await fetch(server.url, { method: "POST", headers, body: "x".repeat(11 * 1024 * 1024) });
  expect([huge.status, huge.headers.get("content-type")]).toEqual([413, expect.stringContaining("json")]);
});
