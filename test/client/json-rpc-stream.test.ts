import { describe, expect, it } from "vitest";
import { A2A, userMessage, type StreamResponse } from "../../generated/v1.0/index.js";
import { tolerant } from "../../src/codec/tolerant.js";
import {
  createClient,
  isA2AError,
  jsonRpc,
  type Client,
  type ClientOptions,
  type ClientStream,
  type ClientWarning,
} from "../../src/index.js";
import {
  chunk,
  drain,
  frame,
  listen,
  message,
  openStream,
  reply,
  status,
  task,
  type TestServer,
} from "./support.js";

const hello = { message: userMessage("hello") };
const client = (server: { url: string }, options?: ClientOptions): Client<typeof A2A> =>
  createClient(A2A, jsonRpc({ url: server.url }), options);
const start = (server: { url: string }, options?: ClientOptions): ClientStream<StreamResponse> =>
  client(server, options).sendStreamingMessage(hello);

/** A server whose stream has exactly this text (or these pieces) and then ends; `{id}` stands for the request's id. */
const streaming = (...pieces: (string | Uint8Array)[]): Promise<TestServer> =>
  listen(async (seen, response) => {
    openStream(response);
    for (const piece of pieces) {
      const text = typeof piece === "string" ? piece.replaceAll("{id}", JSON.stringify(seen.json.id)) : piece;
      await new Promise((resolve) => response.write(text, resolve));
    }
    response.end();
  });

const working = frame(1, task("TASK_STATE_WORKING"));
const completed = frame(1, status("TASK_STATE_COMPLETED"));
const rpcError = { code: -32001, message: "no such task" };

describe("a stream over JSON-RPC (A2A-9.4-b)", () => {
  it("gives its events in order and ends", async () => {
    await using server = await streaming(working, frame(1, chunk("a")) + frame(1, chunk("b")), completed);
    const { events, error } = await drain(start(server));
    expect(error).toBeUndefined();
    expect(events).toEqual([
      task("TASK_STATE_WORKING"),
      chunk("a"),
      chunk("b"),
      status("TASK_STATE_COMPLETED"),
    ]);
    expect(server.seen[0]?.json).toMatchObject({ method: "SendStreamingMessage", params: hello });
    expect(server.seen[0]?.headers).toMatchObject({
      accept: "text/event-stream, application/json",
      "a2a-version": "1.0",
    });
  });

  it("hands out an event as soon as its blank line has come", async () => {
    let send: (text: string) => void = () => undefined;
    await using server = await listen((_, response) => {
      send = openStream(response);
      send(working);
    });
    const stream = start(server);
    expect((await stream.next()).value).toEqual(task("TASK_STATE_WORKING"));
    send(completed);
    expect((await stream.next()).value).toEqual(status("TASK_STATE_COMPLETED"));
    await stream.return();
  });

  it("may consist of one message", async () => {
    await using server = await streaming(frame(1, message("hi")));
    expect(await drain(start(server))).toEqual({ events: [message("hi")] });
  });

  it.each([
    ["comments and empty events", [": ping\n\n", `event: ping\ndata:\n\n${working}`, ":\n\n", completed]],
    ["CRLF", [working.replaceAll("\n", "\r\n"), completed.replaceAll("\n", "\r\n")]],
    ["lone CR", [working.replaceAll("\n", "\r"), completed.replaceAll("\n", "\r")]],
    ["a byte order mark", [`\ufeff${working}`, completed]],
    [
      "single bytes",
      Array.from(new TextEncoder().encode(working + completed), (byte) => Uint8Array.of(byte)),
    ],
    ["several data lines", [working.replaceAll(",", ",\ndata: "), completed]],
    ["a closing task (Q25)", [working, completed, frame(1, task("TASK_STATE_COMPLETED"))]],
  ])("survives %s", async (name, pieces) => {
    await using server = await streaming(...pieces);
    const { events, error } = await drain(start(server));
    expect(error).toBeUndefined();
    expect(events.length).toBe(name.startsWith("a closing") ? 3 : 2);
  });

  it("tells the headers of the reply and the last event id, and sends an id as Last-Event-ID", async () => {
    await using server = await listen((seen, response) => {
      response.setHeader("a2a-extensions", "urn:a");
      const send = openStream(response);
      if (seen.headers["last-event-id"] === "2") send(`id: 3\n${frame(2, status("TASK_STATE_COMPLETED"))}`);
      else send(`id: 1\n${working}id: 2\n${frame(1, chunk("a"))}`);
      response.end();
    });
    const one = client(server);
    const first = one.sendStreamingMessage(hello);
    expect(first.lastEventId).toBeUndefined();
    expect((await first.headers)["a2a-extensions"]).toBe("urn:a");
    const { error } = await drain(first);
    expect(error?.reason).toBe("STREAM_CUT");
    expect(first.lastEventId).toBe("2");
    const second = one.subscribeToTask({ id: "t1" }, { lastEventId: first.lastEventId });
    expect((await drain(second)).events).toEqual([status("TASK_STATE_COMPLETED")]);
    expect(second.lastEventId).toBe("3");
  });
});

describe("an error in a stream", () => {
  it.each([
    ["with the envelope", `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, error: rpcError })}\n\n`],
    ["without an id", `data: ${JSON.stringify({ jsonrpc: "2.0", error: rpcError })}\n\n`],
    [
      "of type error, with the envelope",
      `event: error\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: 1, error: rpcError })}\n\n`,
    ],
    ["of type error, bare", `event: error\ndata: ${JSON.stringify(rpcError)}\n\n`],
  ])("is thrown typed after the events before it: %s (Q24)", async (_, text) => {
    await using server = await streaming(working, text, completed);
    const { events, error } = await drain(start(server));
    expect(events).toEqual([task("TASK_STATE_WORKING")]);
    expect(error).toMatchObject({ reason: "TASK_NOT_FOUND", code: -32001, message: "no such task" });
  });

  it("may be plain text", async () => {
    await using server = await streaming(working, "event: error\ndata: out of memory\n\n");
    expect((await drain(start(server))).error).toMatchObject({
      reason: "INTERNAL_ERROR",
      message: "out of memory",
    });
  });

  it.each([
    ["as JSON", "application/json", 200],
    ["as JSON under HTTP 404", "application/json", 404],
    ["without a media type", "", 200],
    ["labelled as a stream", "text/event-stream", 200],
  ])("may come in place of the stream: %s (A2A-JR-f)", async (_, type, code) => {
    await using server = await listen((seen, response) => {
      reply(response, { jsonrpc: "2.0", id: seen.json.id, error: rpcError }, { type, status: code });
    });
    const stream = start(server);
    expect(isA2AError((await drain(stream)).error, "TASK_NOT_FOUND")).toBe(true);
    await expect(stream.headers)
      .resolves.toBeDefined()
      .catch(() => undefined);
  });

  it("may be a page", async () => {
    await using server = await listen((_, response) => {
      reply(response, "<h1>busy</h1>", { status: 503, type: "text/html", headers: { "retry-after": "5" } });
    });
    const { error } = await drain(start(server));
    expect(error).toMatchObject({ reason: "HTTP", status: 503 });
    expect(error?.headers?.["retry-after"]).toBe("5");
  });
});

describe("a stream that misbehaves", () => {
  const cases: [string, string[], number, string, RegExp][] = [
    ["another id", [working, frame(7, chunk("a"))], 1, "DECODE", /reply to call 1, got .*"id":7/],
    ["no jsonrpc", [working, `data: {"id":1,"result":{}}\n\n`], 1, "DECODE", /JSON-RPC 2.0 reply/],
    ["text that is no JSON", [working, "data: hello\n\n"], 1, "DECODE", /got text\/event-stream: "hello"/],
    ["a result without a payload", [frame(1, {})], 0, "INVALID_AGENT_RESPONSE", /./],
    [
      "two payloads",
      [frame(1, { ...task("TASK_STATE_WORKING"), ...message("a") })],
      0,
      "INVALID_AGENT_RESPONSE",
      /./,
    ],
    [
      "an update at its start (A2A-11.7-b)",
      [frame(1, status("TASK_STATE_WORKING"))],
      0,
      "INVALID_AGENT_RESPONSE",
      /starts with an update/,
    ],
    ["no event", [], 0, "STREAM_CUT", /before its first event/],
    ["comments only", [": ping\n\n"], 0, "STREAM_CUT", /before its first event/],
    [
      "an end while the task works (A2A-SSE-d)",
      [working, frame(1, chunk("a"))],
      2,
      "STREAM_CUT",
      /subscribe/,
    ],
    ["an end within an event", [working, completed.slice(0, 40)], 1, "STREAM_CUT", /subscribe/],
    [
      "an end after a pause that was over",
      [frame(1, task("TASK_STATE_INPUT_REQUIRED")), frame(1, status("TASK_STATE_WORKING"))],
      2,
      "STREAM_CUT",
      /subscribe/,
    ],
  ];
  it.each(cases)("with %s", async (_, pieces, count, reason, text) => {
    await using server = await streaming(...pieces);
    const { events, error } = await drain(start(server));
    expect(events.length).toBe(count);
    expect(error?.reason).toBe(reason);
    expect(error?.message).toMatch(text);
  });

  it.each([
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_REJECTED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_AUTH_REQUIRED",
  ])("may end, and even break, after %s", async (state) => {
    await using server = await listen(async (_, response) => {
      const send = openStream(response);
      await new Promise((resolve) => response.write(working + frame(1, status(state)), resolve));
      send("data: {");
      response.destroy();
    });
    const { events, error } = await drain(start(server));
    expect(error).toBeUndefined();
    expect(events.length).toBe(2);
  });

  it("by breaking the connection: STREAM_CUT with the failure as cause", async () => {
    await using server = await listen(async (_, response) => {
      openStream(response);
      await new Promise((resolve) => response.write(working, resolve));
      response.destroy();
    });
    const { error } = await drain(start(server));
    expect(error?.reason).toBe("STREAM_CUT");
    expect(error?.cause).toMatchObject({ reason: "NETWORK" });
  });

  it("with an event that is larger than the client takes", async () => {
    await using server = await streaming(working, frame(1, chunk("x".repeat(5000))));
    const one = createClient(A2A, jsonRpc({ url: server.url, maxEventBytes: 2000 }));
    const { events, error } = await drain(one.sendStreamingMessage(hello));
    expect(events.length).toBe(1);
    expect(error?.reason).toBe("PAYLOAD_TOO_LARGE");
    await server.seen[0]?.closed;
  });

  it("with JSON texts that are no event stream", async () => {
    await using server = await listen((_, response) => {
      reply(
        response,
        `${JSON.stringify({ jsonrpc: "2.0", id: 1, result: task("TASK_STATE_WORKING") })}\u001e{}`,
      );
    });
    const { error } = await drain(start(server));
    expect(error).toMatchObject({ reason: "DECODE" });
    await using single = await listen((seen, response) => {
      reply(response, { jsonrpc: "2.0", id: seen.json.id, result: task("TASK_STATE_WORKING") });
    });
    expect((await drain(start(single))).error?.message).toContain(
      "Expected text/event-stream, got application/json",
    );
  });

  it("skips events of an unknown kind with a warning (decision 15)", async () => {
    await using server = await streaming(working, frame(1, { newThing: { a: 1 } }), completed);
    const warnings: ClientWarning[] = [];
    const { events, error } = await drain(start(server, { onWarning: (w) => warnings.push(w) }));
    expect(error).toBeUndefined();
    expect(events.length).toBe(2);
    expect(warnings).toMatchObject([{ method: "sendStreamingMessage", code: "unknown-event" }]);
    expect(warnings[0]?.message).toContain("newThing");
  });

  it("may start with an update in tolerant mode, with a warning", async () => {
    await using server = await streaming(completed);
    const warnings: ClientWarning[] = [];
    const { error } = await drain(start(server, { mode: tolerant, onWarning: (w) => warnings.push(w) }));
    expect(error).toBeUndefined();
    expect(warnings).toMatchObject([{ code: "stream-start" }]);
  });
});

describe("ending a stream early", () => {
  const endless = (): Promise<TestServer> =>
    listen((_, response) => {
      openStream(response)(working + frame(1, chunk("a")));
    });

  it("break closes the connection", async () => {
    await using server = await endless();
    for await (const event of start(server)) {
      expect(event).toEqual(task("TASK_STATE_WORKING"));
      break;
    }
    await server.seen[0]?.closed;
  });

  it("so does a throw in the loop, return(), and await using", async () => {
    await using server = await endless();
    const loop = async (): Promise<void> => {
      for await (const event of start(server)) throw new Error(`stop ${typeof event}`);
    };
    await expect(loop()).rejects.toThrow("stop");
    await server.seen[0]?.closed;

    const stream = start(server);
    await stream.headers;
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    await server.seen[1]?.closed;

    {
      await using scoped = start(server);
      await scoped.next();
    }
    await server.seen[2]?.closed;
  });

  it("return() ends a next() that is waiting, without an error", async () => {
    await using server = await endless();
    const stream = start(server);
    await stream.next();
    await stream.next();
    const waiting = stream.next();
    await stream.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await server.seen[0]?.closed;
  });

  it("a signal ends it with ABORTED", async () => {
    await using server = await endless();
    const controller = new AbortController();
    const stream = client(server).sendStreamingMessage(hello, { signal: controller.signal });
    await stream.next();
    await stream.next();
    const waiting = drain(stream);
    controller.abort(new Error("enough"));
    const { error } = await waiting;
    expect(error?.reason).toBe("ABORTED");
    expect(error?.cause).toMatchObject({ message: "enough" });
    await server.seen[0]?.closed;
  });

  it("close() of the client ends all of them with ABORTED", async () => {
    await using server = await endless();
    const one = client(server);
    const streams = [one.sendStreamingMessage(hello), one.sendStreamingMessage(hello)];
    await Promise.all(streams.map((stream) => stream.headers));
    await one.close();
    for (const stream of streams) expect((await drain(stream)).error?.reason).toBe("ABORTED");
    await Promise.all(server.seen.map((seen) => seen.closed));
    expect((await drain(one.sendStreamingMessage(hello))).error?.message).toContain("closed");
  });
});

describe("deadlines of streams", () => {
  it("count until the headers", async () => {
    await using server = await listen(() => undefined);
    expect((await drain(start(server, { timeoutMs: 50 }))).error?.reason).toBe("TIMEOUT");
    await server.seen[0]?.closed;
  });

  it("count the silence between bytes, not the length of the stream", async () => {
    let beats = 0;
    await using server = await listen((_, response) => {
      const send = openStream(response);
      send(working);
      const timer = setInterval(() => {
        if (++beats < 8) send(": beat\n\n");
        else clearInterval(timer);
      }, 50);
      response.once("close", () => {
        clearInterval(timer);
      });
    });
    const { events, error } = await drain(start(server, { timeoutMs: 200 }));
    expect(events.length).toBe(1);
    expect(error?.reason).toBe("TIMEOUT");
    expect(beats).toBe(8);
  });

  it("do not count while nobody waits", async () => {
    let send: (text: string) => void = () => undefined;
    await using server = await listen((_, response) => {
      send = openStream(response);
      send(working);
    });
    const stream = start(server, { timeoutMs: 60 });
    await stream.next();
    await new Promise((resolve) => setTimeout(resolve, 150));
    send(completed);
    expect((await stream.next()).value).toEqual(status("TASK_STATE_COMPLETED"));
    await stream.return();
  });

  it("do not turn a finished task into a failure when the server forgets to close", async () => {
    await using server = await listen((_, response) => {
      openStream(response)(working + completed);
    });
    const { events, error } = await drain(start(server, { timeoutMs: 80 }));
    expect(error).toBeUndefined();
    expect(events.length).toBe(2);
  });
});
