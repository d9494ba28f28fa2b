import { describe, expect, it } from "vitest";
import { A2A, userMessage } from "../../generated/v1.0/index.js";
import type { ServiceDescriptor } from "../../src/descriptor.js";
import {
  A2AError,
  createClient,
  inMemory,
  jsonRpc,
  type Interceptor,
  type Transport,
} from "../../src/index.js";
import { JsonText } from "../../src/json-text.js";
import { createRouter, type Handlers } from "../../src/server/router.js";
import { chunk, drain, failure, status, task } from "./support.js";

const hello = { message: userMessage("hello") };
const working = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" as const } };
type Serving = Handlers<typeof A2A>;
const memory = (handlers: Serving): Transport => inMemory(createRouter(A2A, handlers));

describe("interceptors", () => {
  const noting =
    (name: string, log: string[]): Interceptor =>
    (next) =>
    async (call) => {
      log.push(`${name} before ${call.methodName}`);
      const reply = await next(call);
      log.push(`${name} after`);
      return reply;
    };

  it("wrap a call, the first outermost, and share its context", async () => {
    const log: string[] = [];
    const seen: unknown[] = [];
    const outer: Interceptor = (next) => (call) => {
      call.context["who"] = "outer";
      return next(call);
    };
    const inner: Interceptor = (next) => (call) => {
      seen.push(call.context["who"]);
      return next(call);
    };
    const client = createClient(A2A, memory({ getTask: () => working }), {
      interceptors: [noting("a", log), outer, noting("b", log), inner],
    });
    await client.getTask({ id: "t1" });
    expect(log).toEqual(["a before getTask", "b before getTask", "b after", "a after"]);
    expect(seen).toEqual(["outer"]);
  });

  it("are made once per client, so that they can keep state", async () => {
    let made = 0;
    const counting: Interceptor = (next) => {
      made++;
      return next;
    };
    const client = createClient(A2A, memory({ getTask: () => working }), { interceptors: [counting] });
    await client.getTask({ id: "t1" });
    await client.getTask({ id: "t1" });
    expect(made).toBe(1);
  });

  it("see the canonical input, and may change input and headers", async () => {
    let got: unknown;
    const change: Interceptor = (next) => (call) => {
      call.headers["x-trace"] = "1";
      call.input = { ...(call.input as object), historyLength: 3 };
      return next(call);
    };
    const client = createClient(
      A2A,
      memory({
        getTask: (input, ctx) => {
          got = [input, ctx.headers["x-trace"], ctx.headers["a2a-version"]];
          return working;
        },
      }),
      { interceptors: [change] },
    );
    await client.getTask({ id: "t1" });
    expect(got).toEqual([{ id: "t1", historyLength: 3 }, "1", "1.0"]);
  });

  it("cannot send what the schema refuses", async () => {
    let calls = 0;
    const counting: Transport = {
      ...memory({}),
      unary: () => {
        calls++;
        return Promise.resolve({ output: working, headers: {} });
      },
    };
    const spoil: Interceptor = (next) => (call) => next({ ...call, input: { id: 5 } });
    const client = createClient(A2A, counting, { interceptors: [spoil] });
    expect((await failure(client.getTask({ id: "t1" }))).reason).toBe("INVALID_PARAMS");
    expect(calls).toBe(0);
  });

  it("may answer themselves, change the answer, and catch typed errors", async () => {
    let calls = 0;
    const cached: Interceptor = () => () =>
      Promise.resolve({ stream: false, output: { ...working, id: "cached" }, headers: {} });
    const renamed: Interceptor = (next) => async (call) => {
      const reply = await next(call);
      return reply.stream ? reply : { ...reply, output: { ...(reply.output as object), contextId: "c9" } };
    };
    const forgiving: Interceptor = (next) => async (call) => {
      try {
        return await next(call);
      } catch (error) {
        expect(error).toMatchObject({ reason: "TASK_NOT_FOUND" });
        return { stream: false, output: working, headers: {} };
      }
    };
    const transport = memory({
      getTask: () => {
        calls++;
        throw new A2AError("TASK_NOT_FOUND", "gone");
      },
      cancelTask: () => working,
    });
    expect((await createClient(A2A, transport, { interceptors: [cached] }).getTask({ id: "t1" })).id).toBe(
      "cached",
    );
    expect(calls).toBe(0);
    expect(
      (await createClient(A2A, transport, { interceptors: [renamed] }).cancelTask({ id: "t1" })).contextId,
    ).toBe("c9");
    expect((await createClient(A2A, transport, { interceptors: [forgiving] }).getTask({ id: "t1" })).id).toBe(
      "t1",
    );
  });

  it("wrap the events of a stream", async () => {
    const seen: unknown[] = [];
    const tap: Interceptor = (next) => async (call) => {
      const reply = await next(call);
      if (!reply.stream) return reply;
      const { output } = reply;
      async function* tapped(): AsyncGenerator {
        for await (const event of output) {
          seen.push(event);
          yield event;
        }
      }
      return { ...reply, output: tapped() };
    };
    const client = createClient(
      A2A,
      memory({
        async *sendStreamingMessage() {
          yield await Promise.resolve({ task: { ...working, status: { state: "TASK_STATE_COMPLETED" } } });
        },
      }),
      { interceptors: [tap] },
    );
    const { events } = await drain(client.sendStreamingMessage(hello));
    expect(seen).toEqual(events);
    expect(events.length).toBe(1);
  });
});

describe("a fetch function", () => {
  it.each([undefined, null, "down", new Error("down")])("may reject with %j", async (reason) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what others may do
    const fetch = (): Promise<never> => Promise.reject(reason);
    const client = createClient(A2A, jsonRpc({ url: "http://127.0.0.1", fetch }));
    const error = await failure(client.getTask({ id: "t1" }));
    expect(error).toMatchObject({ reason: "NETWORK", message: "Could not reach http://127.0.0.1/" });
    expect(error.cause).toBe(reason);
  });
});

describe("deadlines and signals", () => {
  // A transport that never answers and never looks at its signal.
  const deaf: Transport = {
    binding: "urn:deaf",
    unary: () => new Promise(() => undefined),
    stream: () => new Promise(() => undefined),
  };

  it("end a call even where the transport ignores the signal", async () => {
    const client = createClient(A2A, deaf, { timeoutMs: 20 });
    const error = await failure(client.getTask({ id: "t1" }));
    expect(error.reason).toBe("TIMEOUT");
    expect(error.message).toBe("getTask got no answer for 20 ms");
    expect((await drain(client.sendStreamingMessage(hello))).error?.reason).toBe("TIMEOUT");
  });

  it("of the call go before those of the client; 0 and Infinity mean none", async () => {
    const client = createClient(A2A, deaf, { timeoutMs: 20 });
    for (const timeoutMs of [0, Infinity]) {
      const controller = new AbortController();
      const call = failure(client.getTask({ id: "t1" }, { timeoutMs, signal: controller.signal }));
      const first = await Promise.race([call, new Promise((resolve) => setTimeout(resolve, 80, "pending"))]);
      expect(first).toBe("pending");
      controller.abort();
      expect((await call).reason).toBe("ABORTED");
    }
  });

  it("tell an abort from a timeout of the caller's signal", async () => {
    const client = createClient(A2A, deaf);
    const late = await failure(client.getTask({ id: "t1" }, { signal: AbortSignal.timeout(10) }));
    expect(late.reason).toBe("TIMEOUT");
    const aborted = await failure(client.getTask({ id: "t1" }, { signal: AbortSignal.abort("no") }));
    expect(aborted).toMatchObject({ reason: "ABORTED", cause: "no" });
  });

  it("leave nothing behind on a signal that lives longer", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>): void => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
      listeners--;
      remove(...args);
    };
    const client = createClient(
      A2A,
      memory({
        getTask: () => working,
        async *subscribeToTask() {
          yield await Promise.resolve({ task: { ...working, status: { state: "TASK_STATE_COMPLETED" } } });
        },
      }),
    );
    await client.getTask({ id: "t1" }, { signal });
    await drain(client.subscribeToTask({ id: "t1" }, { signal }));
    for await (const event of client.subscribeToTask({ id: "t1" }, { signal })) {
      expect(event.task?.id).toBe("t1");
      break;
    }
    expect(listeners).toBe(0);
  });
});

describe("close", () => {
  it("ends calls under way, refuses new ones, and closes the transport once", async () => {
    let closed = 0;
    const transport: Transport = {
      binding: "urn:test",
      unary: () => new Promise(() => undefined),
      stream: () => new Promise(() => undefined),
      close: async () => {
        await Promise.resolve(closed++);
      },
    };
    const client = createClient(A2A, transport);
    const call = failure(client.getTask({ id: "t1" }));
    await client.close();
    expect((await call).reason).toBe("ABORTED");
    expect(closed).toBe(1);
    expect(await failure(client.getTask({ id: "t1" }))).toMatchObject({
      reason: "ABORTED",
      message: "The client is closed",
    });
  });

  it("comes with await using", async () => {
    let closed = false;
    {
      await using client = createClient(A2A, {
        ...memory({}),
        close: () => Promise.resolve(void (closed = true)),
      });
      expect(typeof client.getTask).toBe("function");
    }
    expect(closed).toBe(true);
  });
});

describe("the in-memory transport", () => {
  it("shares no value with the other side", async () => {
    const stored = structuredClone(working);
    let received: unknown;
    const client = createClient(
      A2A,
      memory({
        getTask: () => stored,
        sendMessage: (input) => {
          received = input.message;
          return { task: stored };
        },
      }),
    );
    expect(await client.getTask({ id: "t1" })).toEqual(stored);
    expect(await client.getTask({ id: "t1" })).not.toBe(stored);
    await client.sendMessage(hello);
    expect(received).toEqual(hello.message);
    expect(received).not.toBe(hello.message);
  });

  it("takes encoded values, and events alone or several at once, with their ids", async () => {
    const client = createClient(
      A2A,
      memory({
        getTask: () => new JsonText(JSON.stringify(working)),
        async *subscribeToTask() {
          yield new JsonText(JSON.stringify(task("TASK_STATE_WORKING")), 1);
          yield [new JsonText(JSON.stringify(chunk("a")), 2), new JsonText(JSON.stringify(chunk("b")), 3)];
          yield await Promise.resolve(new JsonText(JSON.stringify(status("TASK_STATE_COMPLETED")), 4));
        },
      }),
    );
    expect((await client.getTask({ id: "t1" })).id).toBe("t1");
    const stream = client.subscribeToTask({ id: "t1" });
    const ids: unknown[] = [];
    for await (const event of stream) ids.push(`${Object.keys(event).join()} ${stream.lastEventId ?? ""}`);
    expect(ids).toEqual(["task 1", "artifactUpdate 2", "artifactUpdate 3", "statusUpdate 4"]);
  });

  it("ends the handler's stream when the caller leaves", async () => {
    let aborted = false;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const client = createClient(
      A2A,
      memory({
        async *subscribeToTask(_, ctx) {
          try {
            yield { task: working };
            await new Promise((resolve) => {
              ctx.signal.addEventListener("abort", resolve);
            });
          } finally {
            aborted = ctx.signal.aborted;
            end();
          }
        },
      }),
    );
    const stream = client.subscribeToTask({ id: "t1" });
    await stream.next();
    const waiting = stream.next();
    await stream.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await ended;
    expect(aborted).toBe(true);
  });

  it("carries errors as the wire does, and keeps the cause for whoever debugs", async () => {
    const client = createClient(
      A2A,
      memory({
        getTask: () => {
          throw new A2AError("TASK_NOT_FOUND", "no t1", { metadata: { taskId: "t1" } });
        },
        cancelTask: () => {
          throw new Error("password is hunter2");
        },
      }),
    );
    const missing = await failure(client.getTask({ id: "t1" }));
    expect(missing).toMatchObject({ reason: "TASK_NOT_FOUND", code: -32001, metadata: { taskId: "t1" } });
    const broken = await failure(client.cancelTask({ id: "t1" }));
    expect(broken).toMatchObject({ reason: "INTERNAL_ERROR", message: "Internal error" });
    expect(broken.cause).toMatchObject({ message: "password is hunter2" });
    expect((await failure(client.listTasks())).reason).toBe("UNSUPPORTED_OPERATION");
  });

  it("refuses a router of another version", async () => {
    const other: ServiceDescriptor = { ...A2A, version: "9.9" };
    const client = createClient(A2A, inMemory(createRouter(other, {})));
    expect((await failure(client.getTask({ id: "t1" }))).reason).toBe("VERSION_NOT_SUPPORTED");
  });

  it("does not let a finished stream count as cut, nor a cut one as finished", async () => {
    const client = createClient(
      A2A,
      memory({
        async *subscribeToTask() {
          yield await Promise.resolve({ task: working });
        },
      }),
    );
    expect((await drain(client.subscribeToTask({ id: "t1" }))).error?.reason).toBe("STREAM_CUT");
  });
});
