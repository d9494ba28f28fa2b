import { request as httpRequest } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, drain, raw, rpc, send, serve, task, v1 } from "./support.js";

let server: Awaited<ReturnType<typeof serve>>;
let inputs: unknown[] = [];

beforeAll(async () => {
  server = await serve(
    {
      sendMessage: (input) => {
        inputs.push(input);
        return { task: task("t") };
      },
      getTask: (input) => {
        inputs.push(input);
        return task("t");
      },
    },
    { limits: { bodyBytes: 1000 } },
  );
});
afterAll(() => server.close());

const post = (path: string, body: unknown) => ask(server, path, { method: "POST", headers: v1, body });

describe("size", () => {
  it("a body of exactly the limit passes, one byte more is 413 on both bindings", async () => {
    const fill = (bytes: number): string => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "a", pad: "" } });
      return body.replace('"pad":""', `"pad":"${"x".repeat(bytes - body.length)}"`);
    };
    expect((await post("/", fill(1000))).json.result).toEqual(task("t"));
    const large = await post("/", fill(1001));
    expect(large.status).toBe(413);
    expect(large.headers["content-type"]).toBe("application/json");
    expect(large.json).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: "The request body is larger than 1000 bytes" },
    });
    expect(await post("/message:send", fill(1001))).toMatchObject({
      status: 413,
      json: { error: { code: 413, status: "RESOURCE_EXHAUSTED" } },
    });
  });

  it("the default limit is 10 MiB", async () => {
    await using other = await serve({ sendMessage: () => ({ task: task("t") }) });
    const send10 = (size: number) => rpc(other, "SendMessage", send("x".repeat(size)));
    expect((await send10(10 * 1024 * 1024 - 500)).status).toBe(200);
    expect((await send10(10 * 1024 * 1024)).status).toBe(413);
  });

  it("a body without a length is cut at the limit, and the answer still arrives", async () => {
    const request = httpRequest({ port: server.port, path: "/", method: "POST", headers: v1, agent: false });
    request.on("error", () => undefined);
    let sent = 0;
    const timer = setInterval(() => {
      sent += 600;
      request.write("x".repeat(600));
    }, 5);
    try {
      const [response] = await once(request, "response");
      expect(response.statusCode).toBe(413);
      expect(sent).toBeLessThan(100_000);
      response.resume();
      await once(response, "end");
    } finally {
      clearInterval(timer);
      request.destroy();
    }
  });

  it("a declared length above the limit is refused before a byte of it is sent", async () => {
    const socket = await raw(server);
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nContent-Length: 100000000\r\n\r\n");
    const [reply] = await once(socket, "data");
    expect(String(reply)).toContain("413 Payload Too Large");
    socket.destroy();
  });

  it("a sender that goes on after its refusal is cut off", async () => {
    const { createRouter } = await import("../../src/server/router.js");
    const { A2A } = await import("../../generated/v1.0/index.js");
    const { listen } = await import("../../src/adapter/node-listen.js");
    const router = createRouter(A2A, {}, { limits: { bodyBytes: 1000 } });
    await using other = await listen(router.handle, { lingerMs: 50 });
    const socket = await raw(other);
    socket.on("error", () => undefined);
    const received = drain(socket);
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nContent-Length: 100000000\r\n\r\n`);
    const timer = setInterval(() => socket.write("x".repeat(1000)), 5);
    expect(await received).toContain("413 Payload Too Large");
    clearInterval(timer);
  });

  it("a very long target is 414", async () => {
    const reply = await ask(server, `/tasks/${"x".repeat(15_000)}`, { headers: v1 });
    expect(reply.status).toBe(200);
    await using strict = await serve({}, { limits: { urlLength: 100 } });
    expect(await ask(strict, `/tasks/${"x".repeat(100)}`, { headers: v1 })).toMatchObject({
      status: 414,
      json: { error: { code: 414, status: "INVALID_ARGUMENT" } },
    });
  });
});

describe("text", () => {
  it.each([
    ["a cut sequence", [0x22, 0xe2, 0x82, 0x22]],
    ["an overlong form", [0x22, 0xc0, 0xaf, 0x22]],
    ["a surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00]],
  ])("%s is no UTF-8: parse error", async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":'), Buffer.from(bytes), Buffer.from("}")]);
    expect((await post("/", body)).json).toMatchObject({ id: null, error: { code: -32700 } });
    expect((await post("/message:send", body)).json).toMatchObject({
      error: { code: 400, status: "INVALID_ARGUMENT" },
    });
  });

  it("a character split over packets is put together", async () => {
    const socket = await raw(server);
    const received = drain(socket);
    const body = Buffer.from(
      JSON.stringify({ jsonrpc: "2.0", id: "€😀", method: "GetTask", params: { id: "ü" } }),
    );
    const at = body.indexOf(0xf0) + 2;
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nA2A-Version: 1.0\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.subarray(0, at));
    setImmediate(() => socket.write(body.subarray(at)));
    expect(await received).toContain('"id":"€😀"');
  });

  it("a byte order mark is passed over; a lone surrogate escape does no harm", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "a" } });
    expect((await post("/", `\uFEFF${body}`)).json.result).toEqual(task("t"));
    expect((await post("/", body.replace('"a"', '"\\ud800"'))).status).toBe(200);
  });

  it("deep nesting is refused, not a crash", async () => {
    await using other = await serve({ sendMessage: () => ({ task: task("t") }) });
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${JSON.stringify({
      ...send(),
      metadata: { x: "DEEP" },
    }).replace('"DEEP"', deep)}}`;
    const reply = await ask(other, "/", { method: "POST", headers: v1, body });
    expect(reply.json).toMatchObject({ id: 1, error: { code: -32602 } });
    const open = await ask(other, "/", { method: "POST", headers: v1, body: "[".repeat(1_000_000) });
    expect(open.json.error.code).toBe(-32700);
  });

  it("prototype keys stay data", async () => {
    inputs = [];
    const metadata = '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}';
    const body = JSON.stringify({ ...send(), metadata: "M", __x: 1 }).replace('"M"', metadata);
    await post("/message:send", body.replace('"__x":1', '"__proto__":{"tenant":"evil"}'));
    const [input] = inputs as [{ metadata: object; tenant?: string }];
    expect(JSON.stringify(input.metadata)).toBe(metadata);
    expect(input.tenant).toBeUndefined();
    expect((Object.prototype as { admin?: unknown }).admin).toBeUndefined();
    const envelope = '{"jsonrpc":"2.0","__proto__":{"id":5,"method":"GetTask"},"params":{"id":"a"}}';
    expect((await post("/", envelope)).json).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

describe("paths", () => {
  it.each(["%", "%zz", "%e2%82", "%c0%af"])("/tasks/%s is a malformed encoding: 400", async (segment) => {
    const reply = await ask(server, `/tasks/${segment}`, { headers: v1 });
    expect(reply).toMatchObject({
      status: 400,
      json: { error: { code: 400, message: "The path holds a malformed percent-encoding" } },
    });
  });

  it("a malformed query does no harm", async () => {
    expect((await ask(server, "/tasks/a?%&%zz=1&=&historyLength=1&&", { headers: v1 })).status).toBe(200);
  });

  it.each([
    ["GET http://evil.example/tasks/a HTTP/1.1", 200],
    ["GET /tasks/a#frag HTTP/1.1", 200],
    ["OPTIONS * HTTP/1.1", 404],
    ["GET //evil.example/tasks/a HTTP/1.1", 404],
    ["GET /../tasks/a HTTP/1.1", 200],
  ])("%s is %i, in JSON", async (line, status) => {
    const socket = await raw(server);
    const received = drain(socket);
    socket.write(`${line}\r\nHost: x\r\nA2A-Version: 1.0\r\nConnection: close\r\n\r\n`);
    const text = await received;
    expect(text).toContain(`HTTP/1.1 ${status} `);
    expect(text).toMatch(/content-type: application\/(a2a\+)?json/);
  });
});

describe("what is no HTTP", () => {
  it.each([
    ["a bad request line", "NONSENSE\r\n\r\n", 400],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n", 400],
    ["headers without end", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000)}\r\n\r\n`, 431],
    [
      "a chunk size that is no number",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      400,
    ],
  ])("%s is refused in JSON", async (_name, text, status) => {
    const socket = await raw(server);
    const received = drain(socket);
    socket.write(text);
    const reply = await received;
    expect(reply).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(reply.slice(reply.indexOf("\r\n\r\n")))).toMatchObject({ error: { code: status } });
  });
});

describe("headers", () => {
  it("a reply header that cannot be written is a JSON 500", async () => {
    await using other = await serve({
      getTask: (_input, ctx) => {
        ctx.replyHeaders["x-note"] = "a\r\nset-cookie: b";
        return task("t");
      },
    });
    const reply = await rpc(other, "GetTask", { id: "t" });
    expect(reply).toMatchObject({ status: 500, json: { error: { code: 500, status: "INTERNAL" } } });
    expect(reply.headers["set-cookie"]).toBeUndefined();
  });

  it("an Accept, Last-Event-ID and extensions header of any content does no harm", async () => {
    for (const value of [",,,;q=", "a".repeat(4000), "application/json;q=NaN", ";;;"]) {
      const headers = { ...v1, accept: value, "last-event-id": value, "a2a-extensions": value };
      expect((await ask(server, "/tasks/a", { headers })).status).toBe(200);
    }
  });
});
