import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { NodePump } from "../../src/adapter/node-pump.js";
import { EventStream } from "../../src/binding/event-stream.js";
import { restFrames } from "../../src/binding/http-json-server.js";
import { A2AError } from "../../src/errors.js";
import { deferred, drain, eventsOf, open, raw, rpc, send, serve, status, task } from "./support.js";

describe("a silent stream", () => {
  it("is kept open by comments, also before its first event (A2A-SSE-c)", async () => {
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

  it("is silent for 15 seconds unless told otherwise", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    await using _timers = { [Symbol.asyncDispose]: () => Promise.resolve(void vi.useRealTimers()) };
    const gates = [deferred(), deferred()] as const;
    await using server = await serve({
      async *sendStreamingMessage() {
        yield { task: task("one") };
        await gates[0].promise;
        yield { task: task("two") };
        await gates[1].promise;
      },
    });
    const response = await open(server);
    response.setEncoding("utf8");
    const next = async (): Promise<string> => ((await once(response, "data")) as [string])[0];
    expect(await next()).toContain('"one"');
    vi.advanceTimersByTime(14_999);
    gates[0].resolve();
    expect(await next()).toMatch(/^data: .*"two"/);
    vi.advanceTimersByTime(15_000);
    expect(await next()).toMatch(/^:/);
    gates[1].resolve();
    response.resume();
    await once(response, "end");
  });

  it("that is resumed and missed nothing is opened at once: callers wait for the head with a deadline", async () => {
    const gate = deferred();
    await using server = await serve(
      {
        async *subscribeToTask() {
          await gate.promise;
          yield { task: task("t") };
        },
      },
      { keepAliveMs: 0 },
    );
    const headers = { "a2a-version": "1.0", "last-event-id": "2", "content-type": "application/json" };
    const subscribe = { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id: "t" } };
    const responses = await Promise.all([
      fetch(`${server.url}/tasks/t:subscribe`, { headers }),
      fetch(server.url, { method: "POST", headers, body: JSON.stringify(subscribe) }),
    ]);
    gate.resolve();
    for (const response of responses) {
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      expect(await response.text()).toMatch(/^:\s*\n\n+data: .*"task".*\n\n$/);
    }
  });

  it("a failure after such an opening is an error frame", async () => {
    const gate = deferred();
    await using server = await serve(
      {
        // eslint-disable-next-line require-yield -- a stream without an event
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

  it("at any moment around the first event", async () => {
    const left: number[] = [];
    for (let moment = 0; moment < 20; moment++) {
      const controller = new AbortController();
      let returned = false;
      const source: AsyncIterableIterator<unknown> = {
        [Symbol.asyncIterator]: () => source,
        next: () => Promise.resolve({ done: false, value: { task: task("t") } }),
        return: () => {
          returned = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      };
      const opening = EventStream.open(
        source,
        { frames: restFrames, failure: () => "", mayBeEmpty: false, signal: controller.signal },
        { keepAliveMs: 0, ended: () => undefined },
      ).catch(() => undefined);
      for (let turn = 0; turn < moment; turn++) await Promise.resolve();
      controller.abort();
      const stream = await opening;
      // What was opened all the same ends with the response that nobody reads.
      const gone = new ServerResponse(new IncomingMessage(new Socket()));
      gone.destroy();
      if (stream !== undefined) new NodePump(gone, stream).start();
      if (!returned) left.push(moment);
    }
    expect(left).toEqual([]);
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
    // A round trip later the failure has been dealt with.
    await rpc(server, "ListTasks");
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
