/** The end of a server, on sockets: who is answered, which streams end and how, what becomes of tasks. */
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { memoryStore, serve, type Ctx, type TaskStore } from "../../src/server.js";
import { receiver } from "../push/receiver.js";
import { bindings, callerOf, say } from "../rules/support.js";
import { textOf } from "../../src/versions/pivot.js";
import { agentOf, gate, quiet, turn } from "./agents.js";

/** As a store that outlives the process. */
const durable = (): TaskStore => ({ ...memoryStore(), hints: { durable: true } });

/** An agent that tells when its handler began, and ends when it is let. */
function working() {
  const began = gate<Ctx>();
  const end = gate();
  const agent = agentOf(async (ctx) => {
    began.open(ctx);
    await end.passed;
    return "done";
  });
  return { agent, began, end };
}

describe.each(bindings)("%s: close()", (binding) => {
  it("lets handlers end: blocking callers and streams get the answer", async () => {
    const { agent, began, end } = working();
    const server = await serve(agent, { port: 0, logger: quiet });
    const caller = callerOf(server.url, binding);
    const blocking = caller.call("SendMessage", say("one"));
    await began.passed;
    const stream = await caller.stream("SendStreamingMessage", say("two"));
    expect((await stream.next())?.event).toHaveProperty("task");
    const closed = server.close();
    expect(server.close({ deadlineMs: 1 })).toBe(closed);
    await turn();
    end.open();
    expect((await blocking).result.task.status.state).toBe("TASK_STATE_COMPLETED");
    const rest = await stream.rest();
    expect(rest.at(-1)?.event.statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
    await closed;
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it("ends at the deadline: the signal fires, and a task in memory is FAILED in neutral words", async () => {
    const { agent, began } = working();
    const server = await serve(agent, { port: 0, logger: quiet });
    const caller = callerOf(server.url, binding);
    const blocking = caller.call("SendMessage", say("one"));
    const ctx = await began.passed;
    const aborted = once(ctx.signal, "abort");
    await server.close({ deadlineMs: 50 });
    const { task } = (await blocking).result;
    expect(task.status).toMatchObject({
      state: "TASK_STATE_FAILED",
      message: { parts: [{ text: "The agent stopped." }] },
    });
    await aborted;
    expect(ctx.signal.reason).toMatchObject({ reason: "UNAVAILABLE" });
    expect(() => ctx.working()).toThrow("ended as TASK_STATE_FAILED");
  });

  it("leaves the task WORKING in a store that outlives the process, and ends its streams to be resumed", async () => {
    const store = durable();
    const { agent, began } = working();
    const server = await serve(agent, { port: 0, logger: quiet, store });
    const caller = callerOf(server.url, binding);
    const stream = await caller.stream("SendStreamingMessage", say("one"));
    const first = await stream.next();
    const ctx = await began.passed;
    ctx.working("half");
    const second = await stream.next();
    expect([first?.id, second?.id]).toEqual(["1", "2"]);
    await server.close({ deadlineMs: 0 });
    // No error and no terminal event: the client sees that the stream was cut.
    expect(await stream.rest()).toEqual([]);
    expect(ctx.signal.aborted).toBe(true);

    const { id = "" } = first?.event.task ?? {};
    expect((await store.read({ tenant: "", owner: "" }, id))?.head.state).toBe("TASK_STATE_WORKING");
    // Whoever comes next recovers it, and the stream goes on there.
    await using next = await serve(agent, { port: 0, logger: quiet, store });
    const again = callerOf(next.url, binding);
    const resumed = await again.stream("SubscribeToTask", { id }, { "last-event-id": "1" });
    expect(await resumed.rest()).toMatchObject([
      { id: "2", event: { statusUpdate: { status: { state: "TASK_STATE_WORKING" } } } },
      { id: "3", event: { statusUpdate: { status: { state: "TASK_STATE_FAILED" } } } },
    ]);
  });

  it("ends streams of tasks that nobody works on at once", async () => {
    const [began, end] = [gate(), gate()];
    const asking = agentOf(async (ctx, message) => {
      if (textOf(message) === "question") return ctx.inputRequired("?");
      began.open();
      await end.passed;
      return "done";
    });
    const server = await serve(asking, { port: 0, logger: quiet });
    const caller = callerOf(server.url, binding);
    const { id } = await caller.send("question");
    const idle = await caller.stream("SubscribeToTask", { id });
    expect((await idle.next())?.id).toBe("2");
    const blocking = caller.call("SendMessage", say("work"));
    await began.passed;
    const closed = server.close();
    expect(await idle.rest()).toEqual([]);
    end.open();
    expect((await blocking).result.task.status.state).toBe("TASK_STATE_COMPLETED");
    await closed;
  });

  it("answers late requests of connections that are still open with 503, and closes them", async () => {
    const { agent, began, end } = working();
    const server = await serve(agent, { port: 0, logger: quiet, health: true });
    const caller = callerOf(server.url, binding);
    const blocking = caller.call("SendMessage", say("one"));
    await began.passed;
    const path = binding === "JSONRPC" ? "/" : "/message:send";
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const closed = server.close();
    const reply = await server.handle({
      method: "POST",
      url: path,
      headers: { "a2a-version": "1.0" },
      body: () => Promise.reject(new Error("not read")),
      signal: new AbortController().signal,
    });
    expect(reply.status).toBe(503);
    expect(reply.headers).toMatchObject({ connection: "close", "retry-after": "1" });
    expect(JSON.parse(reply.body as string)).toMatchObject({
      error: { message: "This agent is shutting down; try again later" },
    });
    const health = await server.handle({
      method: "GET",
      url: "/readyz",
      headers: {},
      body: () => Promise.resolve(""),
      signal: new AbortController().signal,
    });
    expect([health.status, JSON.parse(health.body as string)]).toEqual([503, { status: "draining" }]);
    end.open();
    expect((await blocking).status).toBe(200);
    await closed;
  });

  it("delivers what webhooks of a store in memory still wait for", async () => {
    await using hooked = await receiver();
    const { agent, began, end } = working();
    const server = await serve(agent, { port: 0, logger: quiet, push: { allow: ["127.0.0.1"] } });
    const caller = callerOf(server.url, binding);
    const configuration = { taskPushNotificationConfig: { url: hooked.url } };
    const blocking = caller.send("one", {}, configuration);
    await began.passed;
    const closed = server.close();
    end.open();
    expect((await blocking).status.state).toBe("TASK_STATE_COMPLETED");
    await closed;
    expect(hooked.bodies.at(-1)).toMatchObject({
      statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } },
    });
  });
});
