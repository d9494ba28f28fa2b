import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { A2AError } from "../../src/errors.js";
import { JsonText } from "../../src/json-text.js";
import { deferred, ask, drain, eventsOf, raw, rpc, send, serve, task, v1 } from "./support.js";

const status = (text: string) => ({
  statusUpdate: {
    taskId: "t",
    contextId: "c1",
    status: { state: "TASK_STATE_WORKING" as const },
    metadata: { text },
  },
});
const rest = (server: { port: number }, headers: Record<string, string> = {}) =>
  ask(server, "/message:stream", { method: "POST", headers: { ...v1, ...headers }, body: send() });

/** Opens a stream and hands over the response before its end. */
const open = async (server: { port: number }): Promise<IncomingMessage> => {
  const request = httpRequest({
    port: server.port,
    path: "/message:stream",
    method: "POST",
    headers: v1,
    agent: false,
  });
  request.end(JSON.stringify(send()));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
};

describe("a stream", () => {
  it("JSON-RPC: whole responses with the caller's id, each on one data line", async () => {
    await using server = await serve({
      async *sendStreamingMessage() {
        yield { task: task("t") };
        yield status("a\nb");
      },
    });
    const reply = await rpc(server, "SendStreamingMessage", send());
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
    });
    expect(reply.headers["content-length"]).toBeUndefined();
    expect(reply.text).toBe(
      `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { task: task("t") } })}\n\n` +
        `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: status("a\nb") })}\n\n`,
    );
  });

  it("HTTP+JSON: bare events", async () => {
    await using server = await serve({
      async *sendStreamingMessage() {
        yield { task: task("t") };
      },
    });
    const reply = await rest(server, { accept: "text/event-stream" });
    expect(reply.headers["content-type"]).toBe("text/event-stream");
    expect(reply.text).toBe(`data: ${JSON.stringify({ task: task("t") })}\n\n`);
  });

  it("encoded events carry their id line and are not encoded again", async () => {
    await using server = await serve({
      async *sendStreamingMessage() {
        yield new JsonText(`{"task": ${JSON.stringify(task("t"))}}`, 1);
        yield [new JsonText(JSON.stringify(status("a")), 2), new JsonText(JSON.stringify(status("b")))];
        yield [];
      },
    });
    const reply = await rpc(server, "SendStreamingMessage", send());
    expect(reply.text).toContain(`id: 1\ndata: {"jsonrpc":"2.0","id":1,"result":{"task": {"id":"t"`);
    expect(eventsOf(reply.text)).toEqual([
      { id: "1", data: { jsonrpc: "2.0", id: 1, result: { task: task("t") } } },
      { id: "2", data: { jsonrpc: "2.0", id: 1, result: status("a") } },
      { data: { jsonrpc: "2.0", id: 1, result: status("b") } },
    ]);
  });

  it("pretty-printed text is spread over data lines, not broken", async () => {
    await using server = await serve({
      async *sendStreamingMessage() {
        yield new JsonText('{\n  "task": {}\r\n}', 7);
      },
    });
    expect((await rest(server)).text).toBe('id: 7\ndata: {\ndata:   "task": {}\ndata: }\n\n');
  });

  it("several ready events are one write", async () => {
    await using server = await serve({
      async *sendStreamingMessage() {
        yield [1, 2, 3].map((n) => new JsonText(JSON.stringify(status(String(n))), n));
      },
    });
    const response = await open(server);
    const chunks: string[] = [];
    response.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
    await once(response, "end");
    expect(chunks).toHaveLength(1);
    expect(eventsOf(chunks[0] ?? "")).toHaveLength(3);
  });

  it("events are sent as they occur", async () => {
    const gate = deferred();
    await using server = await serve({
      async *sendStreamingMessage() {
        yield { task: task("t") };
        await gate.promise;
        yield status("late");
      },
    });
    const response = await open(server);
    const chunks: AsyncIterator<string> = response.setEncoding("utf8")[Symbol.asyncIterator]();
    expect(eventsOf((await chunks.next()).value)).toEqual([{ data: { task: task("t") } }]);
    gate.resolve();
    expect(eventsOf((await chunks.next()).value)).toEqual([{ data: status("late") }]);
    expect((await chunks.next()).done).toBe(true);
  });

  it("hands Last-Event-ID to the handler, and may then be empty", async () => {
    const seen: (string | undefined)[] = [];
    await using server = await serve({
      // eslint-disable-next-line require-yield
      async *subscribeToTask(_input, ctx) {
        seen.push(ctx.context.lastEventId);
      },
    });
    const path = "/tasks/t:subscribe";
    const resumed = await ask(server, path, { headers: { ...v1, "last-event-id": "41" } });
    expect(resumed).toMatchObject({
      status: 200,
      text: "",
      headers: { "content-type": "text/event-stream" },
    });
    const fresh = await ask(server, path, { headers: v1 });
    expect(fresh).toMatchObject({
      status: 500,
      json: { error: { status: "INTERNAL", details: [{ reason: "INVALID_AGENT_RESPONSE" }] } },
    });
    expect(seen).toEqual(["41", undefined]);
  });
});

describe("failures", () => {
  it("before the first event are plain JSON of the binding", async () => {
    await using server = await serve({
      // eslint-disable-next-line require-yield
      async *sendStreamingMessage() {
        throw new A2AError("TASK_NOT_FOUND", "Task not found");
      },
      subscribeToTask: () => {
        throw new A2AError("UNSUPPORTED_OPERATION", "The task has ended");
      },
    });
    const overRpc = await rpc(server, "SendStreamingMessage", send());
    expect(overRpc).toMatchObject({
      status: 200,
      headers: { "content-type": "application/json" },
      json: { id: 1, error: { code: -32001 } },
    });
    expect(await rest(server)).toMatchObject({ status: 404, json: { error: { code: 404 } } });
    expect((await rpc(server, "SubscribeToTask", { id: "t" })).json.error.code).toBe(-32004);
  });

  it("inside are an error frame, then the end", async () => {
    await using server = await serve({
      async *sendStreamingMessage() {
        yield { task: task("t") };
        throw new A2AError("UNAVAILABLE", "Restarting");
      },
    });
    const overRpc = eventsOf((await rpc(server, "SendStreamingMessage", send())).text);
    expect(overRpc.map(({ data }) => data)).toEqual([
      { jsonrpc: "2.0", id: 1, result: { task: task("t") } },
      { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Restarting" } },
    ]);
    const overRest = eventsOf((await rest(server)).text);
    expect(overRest.map(({ data }) => data)).toEqual([
      { task: task("t") },
      { error: { code: 503, status: "UNAVAILABLE", message: "Restarting" } },
    ]);
  });

  it("unknown throws leak nothing and are logged", async () => {
    await using server = await serve({
      async *sendStreamingMessage() {
        yield { task: task("t") };
        throw new Error("secret");
      },
    });
    const events = eventsOf((await rest(server)).text);
    expect(events[1]?.data).toEqual({ error: { code: 500, status: "INTERNAL", message: "Internal error" } });
    expect(server.log).toMatchObject([
      { message: "a2a: SendStreamingMessage failed", details: { message: "secret" } },
    ]);
  });

  it("an event that cannot be encoded ends the stream and lets the handler clean up", async () => {
    const ended = deferred();
    await using server = await serve({
      async *sendStreamingMessage() {
        try {
          yield { task: task("t") };
          yield { ...status("x"), n: 1n } as never;
          yield status("never");
        } finally {
          ended.resolve();
        }
      },
    });
    const events = eventsOf((await rest(server)).text);
    expect(events.map(({ data }) => Object.keys(data)[0])).toEqual(["task", "error"]);
    await ended.promise;
  });

  it("a stream handler that gives no iterable is an internal error", async () => {
    await using server = await serve({ sendStreamingMessage: () => ({ task: {} }) as never });
    expect((await rpc(server, "SendStreamingMessage", send())).json.error.code).toBe(-32603);
    expect(server.log).toHaveLength(1);
  });
});

describe("a silent stream", () => {
  it("is kept open by comments, also before its first event", async () => {
    const gates = [deferred(), deferred()] as const;
    await using server = await serve(
      {
        async *sendStreamingMessage() {
          await gates[0].promise;
          yield { task: task("t") };
          await gates[1].promise;
        },
      },
      { keepAliveMs: 20 },
    );
    const response = await open(server);
    response.setEncoding("utf8");
    expect(response.headers["content-type"]).toBe("text/event-stream");
    const [early] = (await once(response, "data")) as [string];
    expect(early).toMatch(/^:.*\n\n$/);
    gates[0].resolve();
    let text = "";
    response.on("data", (chunk: string) => (text += chunk));
    while (!/data: .*\n\n: *\n\n/.test(text)) await once(response, "data");
    gates[1].resolve();
    await once(response, "end");
    expect(eventsOf(text)).toEqual([{ data: { task: task("t") } }]);
  });

  it("a failure after such an opening is an error frame", async () => {
    const gate = deferred();
    await using server = await serve(
      {
        // eslint-disable-next-line require-yield
        async *sendStreamingMessage() {
          await gate.promise;
          throw new A2AError("TASK_NOT_FOUND", "gone");
        },
      },
      { keepAliveMs: 10 },
    );
    const response = await open(server);
    gate.resolve();
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    await once(response, "end");
    expect(eventsOf(text)).toMatchObject([{ data: { error: { code: 404 } } }]);
  });
});

describe("a client that goes away", () => {
  it("aborts the signal and runs the handler's finally", async () => {
    const [aborted, cleaned] = [deferred<unknown>(), deferred()];
    await using server = await serve({
      async *sendStreamingMessage(_input, ctx) {
        ctx.signal.addEventListener("abort", () => aborted.resolve("aborted"));
        try {
          yield { task: task("t") };
          yield await new Promise<never>((_, reject) =>
            ctx.signal.addEventListener("abort", () => reject(new Error("gone"))),
          );
        } finally {
          cleaned.resolve();
        }
      },
    });
    const response = await open(server);
    await once(response, "data");
    response.destroy();
    expect(await aborted.promise).toBe("aborted");
    await cleaned.promise;
    expect(server.log).toEqual([]);
  });

  it("ends a source that never looks at the signal by its return()", async () => {
    const returned = deferred();
    let pulls = 0;
    await using server = await serve({
      sendStreamingMessage: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () =>
            pulls++ === 0
              ? Promise.resolve({ done: false as const, value: { task: task("t") } })
              : new Promise<never>(() => undefined),
          return: () => {
            returned.resolve();
            return Promise.resolve({ done: true as const, value: undefined });
          },
        }),
      }),
    });
    const response = await open(server);
    await once(response, "data");
    response.destroy();
    await returned.promise;
    expect(pulls).toBe(2);
  });

  it("while the first event is awaited", async () => {
    const [started, cleaned] = [deferred(), deferred()];
    await using server = await serve({
      sendStreamingMessage: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => {
            started.resolve();
            return new Promise<never>(() => undefined);
          },
          return: () => {
            cleaned.resolve();
            return Promise.resolve({ done: true as const, value: undefined });
          },
        }),
      }),
    });
    const socket = await raw(server);
    const body = JSON.stringify(send());
    socket.write(
      `POST /message:stream HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await started.promise;
    socket.destroy();
    await cleaned.promise;
  });

  it("aborts the signal of a unary call, and nothing is logged", async () => {
    const [started, aborted] = [deferred(), deferred()];
    await using server = await serve({
      getTask: (_input, ctx) =>
        new Promise((_, reject) => {
          ctx.signal.addEventListener("abort", () => {
            aborted.resolve();
            reject(new Error("gone"));
          });
          started.resolve();
        }),
    });
    const socket = await raw(server);
    socket.write("GET /tasks/t HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n\r\n");
    await started.promise;
    socket.destroy();
    await aborted.promise;
    expect(server.log).toEqual([]);
  });

  it("does not abort the signal of a call that ended well", async () => {
    let signal: AbortSignal | undefined;
    await using server = await serve({
      getTask: (_input, ctx) => {
        signal = ctx.signal;
        return task("t");
      },
    });
    const socket = await raw(server);
    const received = drain(socket);
    socket.write("GET /tasks/t HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nConnection: close\r\n\r\n");
    expect(await received).toContain('"id":"t"');
    expect(signal?.aborted).toBe(false);
  });
});

describe("a slow reader", () => {
  it("holds the handler back: pulls stop when the socket is full", async () => {
    const text = "x".repeat(64 * 1024);
    let pulls = 0;
    const cleaned = deferred();
    await using server = await serve({
      async *sendStreamingMessage() {
        try {
          for (;;) {
            pulls++;
            yield status(text);
          }
        } finally {
          cleaned.resolve();
        }
      },
    });
    const socket = await raw(server);
    socket.pause();
    const body = JSON.stringify(send());
    socket.write(
      `POST /message:stream HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    // The pull count is stable once the kernel buffers are full: two looks that agree.
    let before = -1;
    while (pulls === 0 || before !== pulls) {
      before = pulls;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    const stalled = pulls;
    expect(stalled * text.length).toBeLessThan(32 * 1024 * 1024);
    // Reading on lets it go on.
    let received = 0;
    const more = deferred();
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > (stalled + 4) * text.length) more.resolve();
    });
    socket.resume();
    await more.promise;
    expect(pulls).toBeGreaterThan(stalled);
    socket.destroy();
    await cleaned.promise;
  });
});

describe("disposing a router", () => {
  it("ends open streams and refuses later calls", async () => {
    const { A2A } = await import("../../generated/v1.0/index.js");
    const { createRouter } = await import("../../src/server/router.js");
    const { listen } = await import("../../src/adapter/node-listen.js");
    const cleaned = deferred();
    const router = createRouter(A2A, {
      sendStreamingMessage: () => {
        let first = true;
        return {
          [Symbol.asyncIterator]: () => ({
            next: () => {
              if (!first) return new Promise<never>(() => undefined);
              first = false;
              return Promise.resolve({ done: false as const, value: { task: task("t") } });
            },
            return: () => {
              cleaned.resolve();
              return Promise.resolve({ done: true as const, value: undefined });
            },
          }),
        };
      },
    });
    await using server = await listen(router.handle);
    const response = await open(server);
    await once(response, "data");
    await router[Symbol.asyncDispose]();
    await once(response.resume(), "end");
    await cleaned.promise;
    const reply = await rpc(server, "SendStreamingMessage", send());
    expect(reply.json.error).toMatchObject({
      code: -32603,
      message: expect.stringContaining("shutting down"),
    });
  });
});
