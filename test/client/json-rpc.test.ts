import { gzipSync } from "node:zlib";
import { createServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { A2A, userMessage } from "../../generated/v1.0/index.js";
import { createClient, isA2AError, jsonRpc, type Client, type ClientOptions } from "../../src/index.js";
import { failure, listen, message, reply, task, type TestServer } from "./support.js";

const hello = { message: userMessage("hello") };
const client = (server: { url: string }, options?: ClientOptions): Client<typeof A2A> =>
  createClient(A2A, jsonRpc({ url: `${server.url}/rpc` }), options);
const ok = (id: unknown, result: unknown): object => ({ jsonrpc: "2.0", id, result });

/** A server that answers every call with this body. */
const answering = (
  body: (id: unknown) => unknown,
  options: Parameters<typeof reply>[2] = {},
): Promise<TestServer> => listen((seen, response) => reply(response, body(seen.json.id), options));

describe("a call over JSON-RPC", () => {
  it("is a POST to the URL as it is, with the envelope and headers of the specification (A2A-9.1-a, A2A-9.3-a, A2A-3.6.1-a, A2A-A-c)", async () => {
    await using server = await answering((id) => ok(id, message("hi")));
    const answer = await client(server).sendMessage(hello);
    expect(answer.message?.parts).toEqual([{ text: "hi" }]);
    expect(answer.task).toBeUndefined();
    const [seen] = server.seen;
    expect(seen?.method).toBe("POST");
    expect(seen?.url).toBe("/rpc");
    expect(seen?.json).toEqual({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: hello });
    expect(seen?.headers).toMatchObject({
      "content-type": "application/json",
      accept: "application/json",
      "a2a-version": "1.0",
    });
    expect(seen?.headers).not.toHaveProperty("a2a-extensions");
  });

  it("gives every call an id of its own (A2A-JR-c)", async () => {
    await using server = await answering((id) =>
      ok(id, { id: "t1", status: { state: "TASK_STATE_WORKING" } }),
    );
    const one = client(server);
    await Promise.all([one.getTask({ id: "t1" }), one.getTask({ id: "t1" }), one.getTask({ id: "t1" })]);
    expect(new Set(server.seen.map((seen) => seen.json.id)).size).toBe(3);
  });

  it("sends headers and extensions of transport, client and call, the nearer ones over the others", async () => {
    await using server = await answering((id) => ok(id, message("hi")));
    const transport = jsonRpc({
      url: server.url,
      headers: { Authorization: "Bearer 1", "X-A": "transport" },
    });
    const one = createClient(A2A, transport, {
      headers: { "x-a": "client", "x-b": "client" },
      extensions: ["urn:a", "urn:b"],
    });
    await one.sendMessage(hello, { headers: { "X-B": "call" } });
    await one.sendMessage(hello, { extensions: ["urn:c"] });
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: "Bearer 1",
      "x-a": "client",
      "x-b": "call",
      "a2a-extensions": "urn:a, urn:b",
    });
    expect(server.seen[1]?.headers["a2a-extensions"]).toBe("urn:c");
  });

  it("allows a method without required input to be called without one", async () => {
    await using server = await answering((id) =>
      ok(id, { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 }),
    );
    const page = await client(server).listTasks();
    expect(page.tasks).toEqual([]);
    expect(server.seen[0]?.json.params).toEqual({});
  });

  it.each([
    ["{}", {}],
    ["null", null],
    ["no result at all", undefined],
  ])("accepts %s for an operation without a result", async (_, result) => {
    await using server = await answering((id) => ok(id, result));
    expect(await client(server).deleteTaskPushNotificationConfig({ taskId: "t1", id: "c1" })).toEqual({});
  });

  it("checks the input before anything is sent", async () => {
    await using server = await answering((id) => ok(id, message("hi")));
    const partless = { messageId: "m", role: "ROLE_USER" } as const;
    // @ts-expect-error a message has parts
    const error = await failure(client(server).sendMessage({ message: partless }));
    expect(error.reason).toBe("INVALID_PARAMS");
    expect(error.violations?.[0]?.field).toBe("message.parts");
    expect(server.seen).toEqual([]);
  });

  it("reads a compressed reply and one with a byte order mark", async () => {
    await using zipped = await listen((seen, response) => {
      reply(response, gzipSync(JSON.stringify(ok(seen.json.id, message("hi")))), {
        headers: { "content-encoding": "gzip" },
      });
    });
    expect((await client(zipped).sendMessage(hello)).message?.messageId).toBe("m1");
    await using marked = await answering((id) => `\ufeff${JSON.stringify(ok(id, message("hi")))}`);
    expect((await client(marked).sendMessage(hello)).message?.messageId).toBe("m1");
  });

  it("reads the body whatever the media type and the HTTP status (Q23)", async () => {
    await using server = await answering((id) => ok(id, message("hi")), { status: 500, type: "text/plain" });
    expect((await client(server).sendMessage(hello)).message?.messageId).toBe("m1");
  });
});

describe("an error of the agent", () => {
  const notFound = {
    code: -32001,
    message: "no such task",
    data: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "TASK_NOT_FOUND",
        domain: "a2a-protocol.org",
        metadata: { taskId: "t9" },
      },
    ],
  };

  it.each([200, 400, 404, 500])("is typed under HTTP %i (Q23)", async (status) => {
    await using server = await answering((id) => ({ jsonrpc: "2.0", id, error: notFound }), { status });
    const error = await failure(client(server).getTask({ id: "t9" }));
    expect(isA2AError(error, "TASK_NOT_FOUND")).toBe(true);
    expect(error).toMatchObject({
      code: -32001,
      status,
      message: "no such task",
      metadata: { taskId: "t9" },
    });
  });

  it("is accepted with an id of null, which says that the request could not be read", async () => {
    await using server = await answering(() => ({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: "bad" },
    }));
    expect((await failure(client(server).getTask({ id: "t1" }))).reason).toBe("PARSE_ERROR");
  });

  it("is not ours with the id of another call (A2A-JR-c)", async () => {
    await using server = await answering(() => ({ jsonrpc: "2.0", id: 99, error: notFound }));
    expect((await failure(client(server).getTask({ id: "t1" }))).reason).toBe("DECODE");
  });

  it("with a code that nobody defined is internal and keeps the code", async () => {
    await using server = await answering((id) => ({
      jsonrpc: "2.0",
      id,
      error: { code: 502, message: "Bad Gateway" },
    }));
    expect(await failure(client(server).getTask({ id: "t1" }))).toMatchObject({
      reason: "INTERNAL_ERROR",
      code: 502,
    });
  });

  it("without an envelope is told by the HTTP status", async () => {
    await using server = await answering(() => ({ error: "unauthorized" }), {
      status: 401,
      headers: { "www-authenticate": "Bearer" },
    });
    const error = await failure(client(server).getTask({ id: "t1" }));
    expect(error).toMatchObject({ reason: "UNAUTHENTICATED", status: 401 });
    expect(error.headers?.["www-authenticate"]).toBe("Bearer");
  });
});

describe("a server that misbehaves", () => {
  const cases: [string, unknown, Parameters<typeof reply>[2], string, RegExp][] = [
    [
      "another id",
      { jsonrpc: "2.0", id: 2, result: message("hi") },
      {},
      "DECODE",
      /reply to call 1, got application\/json: "\{"jsonrpc":"2.0","id":2/,
    ],
    ["an id of another type", { jsonrpc: "2.0", id: "1", result: message("hi") }, {}, "DECODE", /"id":"1"/],
    ["no id", { jsonrpc: "2.0", result: message("hi") }, {}, "DECODE", /reply to call 1, got .*"result"/],
    ["no jsonrpc", { id: 1, result: message("hi") }, {}, "DECODE", /JSON-RPC 2.0 reply/],
    ["jsonrpc 1.0", { jsonrpc: "1.0", id: 1, result: message("hi") }, {}, "DECODE", /JSON-RPC 2.0 reply/],
    ["neither result nor error", { jsonrpc: "2.0", id: 1 }, {}, "DECODE", /JSON-RPC 2.0 reply/],
    ["a bare result", message("hi"), {}, "DECODE", /JSON-RPC 2.0 reply/],
    ["a list", [], {}, "DECODE", /JSON-RPC 2.0 reply/],
    ["an empty body", "", {}, "DECODE", /application\/json, empty/],
    ["text", "hello there", { type: "text/plain" }, "DECODE", /got text\/plain: "hello there"/],
    ["half a JSON text", '{"jsonrpc":"2.0","id":1,"res', {}, "DECODE", /JSON-RPC 2.0 reply/],
    [
      "a page",
      "<h1>busy</h1>",
      { status: 503, type: "text/html", headers: { "retry-after": "5" } },
      "HTTP",
      /HTTP 503: "<h1>busy<\/h1>"/,
    ],
    ["an empty 502", "", { status: 502 }, "HTTP", /HTTP 502$/],
    [
      "JSON of another kind under 404",
      { detail: "Not Found" },
      { status: 404 },
      "HTTP",
      /HTTP 404.*Not Found/,
    ],
    [
      "429 in plain text",
      "slow down",
      { status: 429, type: "text/plain" },
      "RESOURCE_EXHAUSTED",
      /slow down/,
    ],
    [
      "an error that is no object",
      { jsonrpc: "2.0", id: 1, error: "boom" },
      {},
      "INVALID_AGENT_RESPONSE",
      /numeric code/,
    ],
    [
      "a result of another shape",
      { jsonrpc: "2.0", id: 1, result: { id: 5 } },
      {},
      "INVALID_AGENT_RESPONSE",
      /task|message/,
    ],
    [
      "two payloads in one result",
      { jsonrpc: "2.0", id: 1, result: { ...task("TASK_STATE_WORKING"), ...message("hi") } },
      {},
      "INVALID_AGENT_RESPONSE",
      /task|message/,
    ],
  ];
  it.each(cases)("by answering with %s", async (_, body, options, reason, text) => {
    await using server = await answering(() => body, options);
    const error = await failure(client(server).sendMessage(hello));
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(text);
    if (options?.headers?.["retry-after"]) expect(error.headers?.["retry-after"]).toBe("5");
  });

  it("by shortening nothing: a message shows 200 characters of a body, not more", async () => {
    await using server = await answering(() => "x".repeat(100_000), { status: 500 });
    expect((await failure(client(server).sendMessage(hello))).message.length).toBeLessThan(260);
  });

  it("by answering with more than the client takes, with and without a length", async () => {
    for (const length of [true, false]) {
      await using server = await listen((_, response) => {
        const body = " ".repeat(5000);
        response.writeHead(200, length ? { "content-length": body.length } : {});
        response.end(body);
      });
      const one = createClient(A2A, jsonRpc({ url: server.url, maxBodyBytes: 1000 }));
      const error = await failure(one.sendMessage(hello));
      expect(error).toMatchObject({ reason: "PAYLOAD_TOO_LARGE", status: undefined });
    }
  });

  it("by breaking the connection before, and in the middle of, its answer", async () => {
    await using before = await listen((_, response) => void response.destroy());
    expect((await failure(client(before).sendMessage(hello))).reason).toBe("NETWORK");
    await using within = await listen(async (_, response) => {
      response.writeHead(200, { "content-length": 100 });
      await new Promise((resolve) => response.write('{"jsonrpc":', resolve));
      response.destroy();
    });
    expect((await failure(client(within).sendMessage(hello))).reason).toBe("NETWORK");
  });

  it("by not being there", async () => {
    const server = await listen(() => undefined);
    await server[Symbol.asyncDispose]();
    const url = `${server.url}/rpc?api_key=secret`;
    const error = await failure(createClient(A2A, jsonRpc({ url })).sendMessage(hello));
    expect(error.reason).toBe("NETWORK");
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.message).toContain(`${server.url}/rpc`);
    expect(error.message).not.toContain("secret");
  });

  it("by never answering", async () => {
    await using server = await listen(() => undefined);
    const error = await failure(client(server, { timeoutMs: 50 }).sendMessage(hello));
    expect(error.reason).toBe("TIMEOUT");
    expect(error.message).toContain("sendMessage");
    await server.seen[0]?.closed;
  });

  it("by stopping in the middle of its headers or its body", async () => {
    for (const head of ["HTTP/1.1 200 OK\r\ncontent-ty", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"]) {
      const server = createServer((socket) => {
        socket.on("error", () => undefined).resume();
        socket.write(head);
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const call = client({ url: `http://127.0.0.1:${String(port)}` }).sendMessage(hello, { timeoutMs: 100 });
      expect((await failure(call)).reason).toBe("TIMEOUT");
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe("redirects", () => {
  it("are refused to another origin, and the credentials stay here", async () => {
    await using other = await answering((id) => ok(id, message("hi")));
    await using server = await listen((_, response) => {
      reply(response, "", { status: 307, headers: { location: `${other.url}/x?token=secret` } });
    });
    const error = await failure(
      client(server, { headers: { authorization: "Bearer top-secret" } }).sendMessage(hello),
    );
    expect(error).toMatchObject({ reason: "HTTP", status: 307 });
    expect(error.message).toContain(`${other.url}/x`);
    expect(error.message).not.toContain("secret");
    expect(other.seen).toEqual([]);
  });

  it("are followed within the origin where they keep the method, and refused where they do not", async () => {
    await using server = await listen((seen, response) => {
      if (seen.url === "/rpc/") reply(response, ok(seen.json.id, message("hi")));
      else reply(response, "", { status: seen.url === "/rpc" ? 308 : 303, headers: { location: "/rpc/" } });
    });
    expect((await client(server).sendMessage(hello)).message?.messageId).toBe("m1");
    const lossy = createClient(A2A, jsonRpc({ url: `${server.url}/other` }));
    expect((await failure(lossy.sendMessage(hello))).reason).toBe("HTTP");
  });

  it("to what is no URL are refused like those elsewhere", async () => {
    await using server = await listen((_, response) => {
      reply(response, "", { status: 307, headers: { location: "http://[" } });
    });
    expect(await failure(client(server).sendMessage(hello))).toMatchObject({ reason: "HTTP", status: 307 });
  });

  it("that go round in circles end", async () => {
    await using server = await listen((_, response) => {
      reply(response, "", { status: 307, headers: { location: "/rpc" } });
    });
    expect((await failure(client(server).sendMessage(hello))).reason).toBe("HTTP");
    expect(server.seen.length).toBe(6);
  });
});

describe("configuration errors", () => {
  it("are found before anything is sent and never show credentials", async () => {
    const reasonOf = (url: string): string => {
      try {
        jsonRpc({ url });
      } catch (error) {
        if (isA2AError(error)) return `${error.reason} ${error.message}`;
      }
      return "none";
    };
    expect(reasonOf("/rpc")).toMatch(/^CONFIG .*absolute/);
    expect(reasonOf("ftp://host/rpc")).toMatch(/^CONFIG .*http or https/);
    expect(reasonOf("https://me:secret@host/rpc")).toMatch(/^CONFIG .*without credentials/);
    expect(reasonOf("https://me:secret@host/rpc")).not.toContain("secret");
    const one = createClient(A2A, jsonRpc({ url: "http://127.0.0.1:1" }));
    const error = await failure(one.getTask({ id: "t1" }, { headers: { authorization: "Bearer secret\n" } }));
    expect(error.reason).toBe("CONFIG");
    expect(error.message).toContain("authorization");
    expect(error.message).not.toContain("secret");
    for (const name of ["x y", "", "naïve"]) {
      const refused = await failure(one.getTask({ id: "t1" }, { headers: { [name]: "v" } }));
      expect([refused.reason, refused.message]).toEqual([
        "CONFIG",
        `Name or value of header ${JSON.stringify(name)} cannot be sent over HTTP`,
      ]);
    }
  });
});
