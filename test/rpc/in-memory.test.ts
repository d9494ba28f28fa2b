import { describe, expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import type { Call, Interceptor } from "../../src/call.js";
import { A2AError } from "../../src/errors.js";
import { createRouter } from "../../src/server/router.js";
import { send, serve, rpc, task } from "./support.js";

const callOf = (methodName: keyof typeof A2A.methods, input: unknown, extra: Partial<Call> = {}): Call => ({
  service: A2A,
  methodName,
  method: A2A.methods[methodName],
  input,
  headers: {},
  signal: new AbortController().signal,
  context: {},
  ...extra,
});

describe("router.call", () => {
  it("runs the handler with the input as it is", async () => {
    const input = { id: "a" };
    const router = createRouter(A2A, {
      getTask: (given, ctx) => {
        expect(given).toBe(input);
        ctx.replyHeaders["x-method"] = ctx.method.name;
        return task(given.id);
      },
    });
    const reply = await router.call(callOf("getTask", input));
    expect(reply).toEqual({ stream: false, output: task("a"), headers: { "x-method": "GetTask" } });
    expect(router.service).toBe(A2A);
  });

  it("gives a stream as an async iterable", async () => {
    const router = createRouter(A2A, {
      async *sendStreamingMessage() {
        yield { task: task("t") };
      },
    });
    const reply = await router.call(callOf("sendStreamingMessage", send()));
    const events: unknown[] = [];
    if (reply.stream) for await (const event of reply.output) events.push(event);
    expect(events).toEqual([{ task: task("t") }]);
  });

  it("an unimplemented method is UNSUPPORTED_OPERATION", async () => {
    const router = createRouter(A2A, {});
    await expect(router.call(callOf("getTask", { id: "a" }))).rejects.toMatchObject({
      reason: "UNSUPPORTED_OPERATION",
      message: "This agent does not offer GetTask",
    });
    await expect(router.call(callOf("getTask", {}, { methodName: "toString" }))).rejects.toMatchObject({
      reason: "UNSUPPORTED_OPERATION",
    });
  });

  it("checks the card given to the router", async () => {
    const router = createRouter(
      A2A,
      { subscribeToTask: async function* () {} },
      { card: { capabilities: {} } },
    );
    await expect(router.call(callOf("subscribeToTask", { id: "a" }))).rejects.toMatchObject({
      reason: "UNSUPPORTED_OPERATION",
    });
  });
});

describe("middleware", () => {
  const trace: string[] = [];
  const named =
    (name: string): Interceptor =>
    (next) =>
    async (call) => {
      trace.push(`${name}>`);
      const reply = await next(call);
      trace.push(`<${name}`);
      reply.headers[`x-${name}`] = "1";
      return reply;
    };

  it("wraps every call, the first outermost, over HTTP and in memory", async () => {
    const handlers = {
      getTask: ({ id }: { id: string }) => {
        trace.push("handler");
        return task(id);
      },
    };
    const middleware = [named("outer"), named("inner")];
    trace.length = 0;
    await createRouter(A2A, handlers, { middleware }).call(callOf("getTask", { id: "a" }));
    expect(trace).toEqual(["outer>", "inner>", "handler", "<inner", "<outer"]);
    await using server = await serve(handlers, { middleware });
    expect((await rpc(server, "GetTask", { id: "a" })).headers).toMatchObject({
      "x-outer": "1",
      "x-inner": "1",
    });
  });

  it("may change the input, the context and a copied call, and refuse", async () => {
    const copied: Interceptor = (next) => (call) => next({ ...call, input: { id: "other" } });
    const denied: Interceptor = (next) => (call) => {
      if (call.headers["x-deny"]) throw new A2AError("PERMISSION_DENIED", "No");
      call.context["note"] = "seen";
      return next(call);
    };
    await using server = await serve(
      {
        getTask: ({ id }, ctx) => {
          expect(ctx.signal).toBeInstanceOf(AbortSignal);
          return { ...task(id), metadata: { note: String(ctx.context["note"]) } };
        },
      },
      { middleware: [denied, copied] },
    );
    expect((await rpc(server, "GetTask", { id: "a" })).json.result).toEqual({
      ...task("other"),
      metadata: { note: "seen" },
    });
    const headers = { "a2a-version": "1.0", "x-deny": "1" };
    expect((await rpc(server, "GetTask", { id: "a" }, headers)).status).toBe(403);
  });

  it("sees what the card refuses", async () => {
    trace.length = 0;
    await using server = await serve({}, { middleware: [named("outer")], card: { capabilities: {} } });
    expect((await rpc(server, "SubscribeToTask", { id: "a" })).json.error.code).toBe(-32004);
    expect(trace).toEqual(["outer>"]);
  });
});
