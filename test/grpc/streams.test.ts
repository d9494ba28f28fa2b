/** Streams over gRPC: slow readers, callers who vanish, deadlines, the end of the server. */
import { once } from "node:events";
import type { ClientReadableStream } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { listenGrpc } from "../../src/grpc.js";
import { createRouter, serve, type Agent, type ServeOptions } from "../../src/server.js";
import { said } from "../bindings/peer.js";
import { task } from "../rpc/support.js";
import { agentOf, gate, quiet } from "../server/agents.js";
import { peer, V1 } from "./peer.js";

async function host(agent: Agent, options: Partial<ServeOptions> = {}) {
  const server = await serve(agent, { port: 0, logger: quiet, grpc: { port: 0 }, ...options });
  const caller = await peer(server.grpc?.address ?? "");
  return {
    server,
    caller,
    async [Symbol.asyncDispose]() {
      caller.close();
      await server.close({ deadlineMs: 0 });
    },
  };
}

const now = { configuration: { returnImmediately: true } };
const started = async (caller: Awaited<ReturnType<typeof peer>>): Promise<string> =>
  (await caller.unary("SendMessage", { ...said("go"), ...now }, V1)).result.task.id as string;

/** The status of a call, whatever it is. */
const statusOf = (call: ClientReadableStream<Buffer>): Promise<number> =>
  new Promise((resolve) => {
    call.on("error", () => undefined);
    call.on("status", ({ code }) => resolve(code));
  });

describe("a reader that takes nothing", () => {
  it("is cut beyond its limit; the task goes on, and what it took is whole and in order", async () => {
    const [go, done] = [gate(), gate()];
    const text = "x".repeat(64 * 1024);
    const agent = agentOf(async (ctx) => {
      await go.passed;
      const out = ctx.open();
      for (let n = 0; n < 400; n += 1) {
        await out.write(text);
        await new Promise(setImmediate);
      }
      done.open();
      return ctx.completed();
    });
    await using it = await host(agent, {
      limits: { subscriberSize: 256 * 1024, subscriberStallMs: 0 },
      sweepMs: 1,
    });
    const { caller } = it;
    const id = await started(caller);
    const stalled = caller.open("SubscribeToTask", { id }, V1);
    const status = statusOf(stalled);
    await once(stalled, "readable");
    go.open();
    await done.passed;
    const state = async (): Promise<string> =>
      (await caller.unary("ListTasks", {}, V1)).result.tasks[0].status.state as string;
    while ((await state()) !== "TASK_STATE_COMPLETED");
    const events: Buffer[] = [];
    for await (const bytes of stalled) events.push(bytes as Buffer);
    // Cut, with what was said before: no error, and fewer events than there were.
    expect(await status).toBe(0);
    expect(events.length).toBeGreaterThan(0);
    expect(events.length).toBeLessThan(402);
    const kinds = events.map((bytes) => Object.keys(caller.read("SubscribeToTask", bytes) as object)[0]);
    expect(kinds.slice(1).every((kind) => kind === "artifactUpdate" || kind === "statusUpdate")).toBe(true);
  });

  it("holds back a handler that can wait", async () => {
    let made = 0;
    const ended = gate();
    const router = createRouter(A2A, {
      async *subscribeToTask() {
        try {
          for (;;) {
            made += 1;
            yield { task: { ...task("1"), metadata: { pad: "x".repeat(10_000) } } };
          }
        } finally {
          ended.open();
        }
      },
    });
    await using listening = await listenGrpc(router);
    const caller = await peer(listening.address);
    const call = caller.open("SubscribeToTask", { id: "1" }, V1);
    const status = statusOf(call);
    await once(call, "readable");
    // It stands still once windows and buffers are full: nothing new in ten looks at it.
    let still = 0;
    for (let last = made; still < 10; last = made) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      still = made === last ? still + 1 : 0;
    }
    expect(made).toBeLessThan(2_000);
    call.cancel();
    await ended.passed;
    expect(await status).toBe(1);
    caller.close();
  });
});

describe("a caller who vanishes", () => {
  it("ends the subscriber, not the task", async () => {
    const [go, gone] = [gate(), gate()];
    const agent = agentOf(async (ctx) => {
      ctx.working("on it");
      await go.passed;
      return "done";
    });
    await using it = await host(agent, {
      middleware: [
        (next) => async (call) => {
          if (call.methodName === "subscribeToTask") call.signal.addEventListener("abort", () => gone.open());
          return next(call);
        },
      ],
    });
    const other = await peer(it.server.grpc?.address ?? "");
    const id = await started(it.caller);
    const call = other.open("SubscribeToTask", { id }, V1);
    call.on("error", () => undefined);
    await once(call, "readable");
    other.close();
    call.cancel();
    await gone.passed;
    go.open();
    const watched = await it.caller.stream("SubscribeToTask", { id }, V1);
    const last = watched.events.at(-1) ?? (await it.caller.unary("GetTask", { id }, V1)).result;
    expect(JSON.stringify(last)).toContain("TASK_STATE_COMPLETED");
  });

  it("fires the signal of a call that is no stream", async () => {
    const [begun, gone] = [gate(), gate()];
    const router = createRouter(A2A, {
      getTask: async (_, { signal }) => {
        signal.addEventListener("abort", () => gone.open());
        begun.open();
        await gone.passed;
        return task("1");
      },
    });
    await using listening = await listenGrpc(router);
    const caller = await peer(listening.address);
    const call = caller.open("GetTask", { id: "1" }, V1);
    const status = statusOf(call);
    await begun.passed;
    call.cancel();
    await gone.passed;
    expect(await status).toBe(1);
    caller.close();
  });

  it("may have set a deadline, which ends the call and not the task", async () => {
    const go = gate();
    const agent = agentOf(async () => {
      await go.passed;
      return "done";
    });
    await using it = await host(agent);
    const deadline = (): { deadline: number } => ({ deadline: Date.now() + 300 });
    const blocking = await it.caller.unary("SendMessage", said("go"), V1, deadline());
    const streaming = await it.caller.stream("SendStreamingMessage", said("again"), V1, deadline());
    expect([blocking.code, streaming.code]).toEqual([4, 4]);
    const { tasks } = (await it.caller.unary("ListTasks", {}, V1)).result;
    expect(tasks.map((one: { status: { state: string } }) => one.status.state)).toEqual([
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_SUBMITTED",
    ]);
    go.open();
  });
});

describe("the end of a server", () => {
  it("lets calls end, tells those who come late, and health that it is over", async () => {
    const [go, begun] = [gate(), gate()];
    const agent = agentOf(async () => {
      begun.open();
      await go.passed;
      return "done";
    });
    const server = await serve(agent, { port: 0, logger: quiet, grpc: { port: 0 } });
    const caller = await peer(server.grpc?.address ?? "");
    const streaming = caller.stream("SendStreamingMessage", said("go"), V1);
    await begun.passed;
    const closing = server.close({ deadlineMs: 10_000 });
    const late = await caller.unary("GetTask", { id: "x" }, V1);
    expect(late.code).toBe(14);
    go.open();
    const { code, events } = await streaming;
    expect([code, JSON.stringify(events.at(-1)).includes("TASK_STATE_COMPLETED")]).toEqual([0, true]);
    await closing;
    const after = await caller.unary("GetTask", { id: "x" }, V1);
    expect([after.code, after.text.includes("ECONNREFUSED")]).toEqual([14, true]);
    caller.close();
  });

  it("cuts a caller who does not take the end, within a second or so", async () => {
    const agent = agentOf(async (ctx) => {
      const out = ctx.open();
      for (let n = 0; n < 200; n += 1) await out.write("x".repeat(64 * 1024));
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
    });
    const server = await serve(agent, { port: 0, logger: quiet, grpc: { port: 0 } });
    const caller = await peer(server.grpc?.address ?? "");
    const stuck = caller.open("SendStreamingMessage", said("go"), V1);
    const status = statusOf(stuck);
    await once(stuck, "readable");
    const begun = performance.now();
    await server.close({ deadlineMs: 0 });
    expect(performance.now() - begun).toBeLessThan(15_000);
    stuck.resume();
    expect([0, 1, 13, 14]).toContain(await status);
    caller.close();
  });
});
