import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { A2AError } from "../../src/errors.js";
import { JsonText } from "../../src/json-text.js";
import { ask, deferred, eventsOf, open, rpc, send, serve, status, task, v1 } from "./support.js";

const rest = (server: { port: number }, headers: Record<string, string> = {}) =>
  ask(server, "/message:stream", { method: "POST", headers: { ...v1, ...headers }, body: send() });

describe("a stream", () => {
  it("JSON-RPC: whole responses with the caller's id, each on one data line (A2A-9.1-d, A2A-9.4-b, A2A-SSE-b, A2A-SSE-c)", async () => {
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

  it("HTTP+JSON: bare events (A2A-11.7-a, A2A-SSE-b)", async () => {
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
      // eslint-disable-next-line require-yield -- a stream without an event
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
  it("before the first event are plain JSON of the binding (A2A-JR-f)", async () => {
    await using server = await serve({
      // eslint-disable-next-line require-yield -- a stream without an event
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

  it("before the first event are an event for JSON-RPC callers that take nothing but events", async () => {
    await using server = await serve({
      subscribeToTask: () => {
        throw new A2AError("TASK_NOT_FOUND", "Task not found");
      },
      getTask: () => {
        throw new A2AError("TASK_NOT_FOUND", "Task not found");
      },
    });
    const only = { ...v1, accept: "text/event-stream" };
    const reply = await rpc(server, "SubscribeToTask", { id: "t" }, only);
    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toBe("text/event-stream");
    expect(eventsOf(reply.text)).toMatchObject([
      { data: { jsonrpc: "2.0", id: 1, error: { code: -32001 } } },
    ]);
    const either = { ...v1, accept: "text/event-stream, application/json" };
    for (const [method, headers] of [
      ["SubscribeToTask", either],
      ["GetTask", only],
    ] as const)
      expect((await rpc(server, method, { id: "t" }, headers)).json.error.code).toBe(-32001);
  });

  it("before the first event that say it cannot be streamed are JSON, whatever is accepted", async () => {
    await using server = await serve({
      subscribeToTask: () => {
        throw new A2AError("UNSUPPORTED_OPERATION", "It has ended");
      },
    });
    const reply = await rpc(server, "SubscribeToTask", { id: "t" }, { ...v1, accept: "text/event-stream" });
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(reply.json).toMatchObject({ id: 1, error: { code: -32004, message: "It has ended" } });
  });

  it("inside are an error frame, then the end (A2A-JR-f)", async () => {
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
