/** Spans, metrics and trace context, with the SDKs of OpenTelemetry. */
import { inspect as show } from "node:util";
import { trace } from "@opentelemetry/api";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { createClient, inMemory } from "../../src/index.js";
import { A2AError } from "../../src/errors.js";
import { serve, traceContext } from "../../src/server.js";
import { receiver } from "../push/receiver.js";
import { bindings, host, say } from "../rules/support.js";
import { agentOf, gate, quiet, start } from "../server/agents.js";
import { otelTelemetry } from "../../src/telemetry/otel.js";
import { points, register, spans, total } from "./support.js";

beforeAll(register);
beforeEach(() => spans.reset());

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
const inspect = (value: unknown): string => show(value, { depth: 20 });
const named = (name: string) => spans.getFinishedSpans().filter((span) => span.name === name);
const one = (name: string) => {
  const [span, ...more] = named(name);
  if (!span || more.length > 0) throw new Error(`${String(more.length)} more spans ${name}`);
  return span;
};

describe.each(bindings)("%s", (binding) => {
  it("a call is a span, its run a child, and what the handler does happens in it (A2A-ER-g)", async () => {
    let active: string | undefined;
    const agent = agentOf(async (ctx) => {
      await Promise.resolve();
      active = trace.getActiveSpan()?.spanContext().spanId;
      expect(ctx.trace?.traceparent).toBe(`00-${TRACE_ID}-${active ?? ""}-01`);
      return "done";
    });
    await using on = await host(binding, agent);
    const { task } = await on.ok("SendMessage", say("secret words"), {
      traceparent,
      tracestate: "vendor=1",
      authorization: "Bearer secret-token",
    });
    const call = one("SendMessage");
    expect(call.kind).toBe(1);
    expect(call.parentSpanContext).toMatchObject({
      traceId: TRACE_ID,
      spanId: "00f067aa0ba902b7",
      isRemote: true,
    });
    expect(call.spanContext().traceState?.serialize()).toBe("vendor=1");
    expect(call.attributes).toEqual({
      "rpc.system": "a2a",
      "rpc.method": "SendMessage",
      "a2a.version": "1.0",
      "a2a.binding": binding,
      "a2a.task.id": task.id,
      "a2a.context.id": task.contextId,
      "a2a.outcome": "ok",
    });
    const run = one("run");
    expect(run.parentSpanContext?.spanId).toBe(call.spanContext().spanId);
    expect(run.spanContext().spanId).toBe(active);
    expect(run.attributes).toEqual({ "a2a.task.id": task.id, "a2a.context.id": task.contextId });
    expect(
      JSON.stringify(spans.getFinishedSpans().map(({ attributes, events }) => [attributes, events])),
    ).not.toContain("secret");
  });

  it("an error has its reason; only what the server is to blame for is a failed span", async () => {
    const agent = agentOf(() => Promise.reject(new Error("secret cause")));
    await using on = await host(binding, agent);
    await on.call("GetTask", { id: "nobody" });
    expect(one("GetTask")).toMatchObject({
      status: { code: 0 },
      attributes: {
        "a2a.outcome": "TASK_NOT_FOUND",
        "error.type": "TASK_NOT_FOUND",
        "a2a.task.id": "nobody",
      },
    });
    await on.ok("SendMessage", say("x"));
    expect(one("run")).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "INTERNAL_ERROR" } });
  });

  it("refusals before a method is known are counted too", async () => {
    const auth = (): never => {
      throw new A2AError("UNAUTHENTICATED", "Who are you?");
    };
    await using on = await host(
      binding,
      agentOf(async () => "x"),
      { auth },
    );
    const before = await total("a2a.server.requests", { "a2a.outcome": "UNAUTHENTICATED" });
    expect((await on.call("SendMessage", say("x"))).status).toBe(401);
    expect(await total("a2a.server.requests", { "a2a.outcome": "UNAUTHENTICATED" })).toBe(before + 1);
  });

  it("metrics: requests, durations, events, live tasks, open streams (A2A-ER-h)", async () => {
    const [began, end] = [gate(), gate()];
    const agent = agentOf(async (ctx) => {
      ctx.working();
      began.open();
      await end.passed;
      return ctx.completed();
    });
    await using on = await host(binding, agent);
    const by = { "rpc.method": "SendStreamingMessage", "a2a.binding": binding, "a2a.outcome": "ok" };
    const before = await Promise.all([total("a2a.server.requests", by), total("a2a.server.events")]);
    const streams = await total("a2a.server.open_streams");
    const live = await total("a2a.server.live_tasks");
    const stream = await on.stream("SendStreamingMessage", say("x"));
    await began.passed;
    expect(await total("a2a.server.open_streams")).toBe(streams + 1);
    expect(await total("a2a.server.live_tasks")).toBe(live + 1);
    expect(named("SendStreamingMessage")).toEqual([]);
    end.open();
    await stream.rest();
    await expect.poll(() => named("SendStreamingMessage").length).toBe(1);
    expect(await total("a2a.server.open_streams")).toBe(streams);
    expect(await total("a2a.server.live_tasks")).toBe(live);
    expect(await total("a2a.server.requests", by)).toBe((before[0] ?? 0) + 1);
    expect(await total("a2a.server.request.duration", by)).toBe((before[0] ?? 0) + 1);
    expect(await total("a2a.server.events")).toBe((before[1] ?? 0) + 3);
  });

  it("a webhook carries the trace of its task on, and its failures are counted", async () => {
    await using hooked = await receiver(200, 400);
    await using on = await host(
      binding,
      agentOf(async () => "done"),
      { push: { allow: ["127.0.0.1"] } },
    );
    const letters = await total("a2a.push.dead_letters");
    const configuration = { taskPushNotificationConfig: { url: hooked.url } };
    await on.ok("SendMessage", { ...say("x"), configuration }, { traceparent });
    await hooked.arrived(3);
    await expect.poll(() => named("push").length).toBe(3);
    const [first, , last] = named("push");
    expect(first?.parentSpanContext?.spanId).toBe(one("SendMessage").spanContext().spanId);
    expect(last?.parentSpanContext?.spanId).toBe(one("run").spanContext().spanId);
    expect(hooked.requests[0]?.headers["traceparent"]).toBe(
      `00-${TRACE_ID}-${first?.spanContext().spanId ?? ""}-01`,
    );
    expect(first?.attributes).toMatchObject({ "a2a.outcome": "delivered" });
    await expect.poll(() => total("a2a.push.dead_letters")).toBe(letters + 2);
  });

  it("without telemetry: no spans, and the trace of the request goes on all the same", async () => {
    await using hooked = await receiver();
    const next = start(
      agentOf(async (ctx) => ctx.trace?.traceparent ?? "none"),
      { telemetry: false },
    );
    const agent = agentOf(async (ctx) => {
      const other = createClient(A2A, inMemory(next.server), { interceptors: [traceContext(ctx)] });
      const { task } = await other.sendMessage({ message: say("x").message as never });
      return task?.artifacts?.[0]?.parts ?? [];
    });
    await using on = await host(binding, agent, { telemetry: false, push: { allow: ["127.0.0.1"] } });
    const configuration = { taskPushNotificationConfig: { url: hooked.url } };
    spans.reset();
    const { task } = await on.ok("SendMessage", { ...say("x"), configuration }, { traceparent });
    expect(task.artifacts[0].parts).toEqual([{ text: traceparent }]);
    await hooked.arrived(1);
    expect(hooked.requests[0]?.headers["traceparent"]).toBe(traceparent);
    expect(named("SendMessage")).toEqual([]);
    for (const broken of [
      "",
      "00-x",
      `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
      `ff${traceparent.slice(2)}`,
    ]) {
      const reply = await on.ok("SendMessage", say("x"), { traceparent: broken });
      expect(reply.task.artifacts[0].parts).toEqual([{ text: "none" }]);
    }
  });

  it("logs name tasks and hold no secret (A2A-ER-h)", async () => {
    await using hooked = await receiver(500, 400);
    const lines: string[] = [];
    const note = (message: string, details?: unknown): void => {
      lines.push(message, inspect(details));
    };
    const logger = { debug: note, info: note, warn: note, error: note };
    const secrets = ["bearer-secret", "hook-secret", "config-secret", "cookie-secret"];
    const agent = agentOf(() => Promise.reject(new Error("boom")));
    const auth = () => ({ principal: { id: "me", token: "bearer-secret" } });
    const push = { allow: ["127.0.0.1"], backoffMs: 1, attempts: 2 };
    await using on = await host(binding, agent, { logger, push, auth });
    const configuration = {
      taskPushNotificationConfig: {
        url: `${hooked.url}?key=config-secret`,
        token: "hook-secret",
        authentication: { scheme: "Bearer", credentials: "hook-secret" },
      },
    };
    const headers = { authorization: "Bearer bearer-secret", cookie: "a=cookie-secret" };
    const { task } = await on.ok("SendMessage", { ...say("x"), configuration }, headers);
    await on.call("GetTask", { id: "nobody" }, headers);
    await on.call("SendMessage", { message: 7 }, headers);
    await hooked.arrived(3);
    await expect.poll(() => lines.join("\n")).toContain("was given up");
    expect(lines.some((line) => line.includes(task.id) && line.includes("the handler failed"))).toBe(true);
    for (const secret of secrets) expect(lines.join("\n")).not.toContain(secret);
  });
});

it("an api that is handed in is used", async () => {
  const calls: string[] = [];
  const api = await import("@opentelemetry/api");
  const watched = {
    ...api,
    trace: Object.assign(Object.create(api.trace) as typeof api.trace, {
      getTracer(name: string) {
        calls.push(name);
        return api.trace.getTracer(name);
      },
    }),
  };
  await using server = await serve(
    agentOf(async () => "x"),
    { port: 0, logger: quiet, telemetry: { api: watched } },
  );
  expect([calls, server.port > 0]).toEqual([["a2a-typed"], true]);
});

describe("by itself", () => {
  const telemetry = async () => otelTelemetry(await import("@opentelemetry/api"));

  it("a call ends once, with the seconds that it took; what the server is to blame for is a failed span", async () => {
    const { call } = await telemetry();
    const began = performance.now();
    const observed = call("test", {});
    observed.named("Slow", "1.0");
    while (performance.now() - began < 5);
    observed.end("UNAVAILABLE");
    const took = (performance.now() - began) / 1_000;
    observed.end();
    expect(one("Slow")).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "UNAVAILABLE" } });
    expect(await total("a2a.server.requests", { "rpc.method": "Slow" })).toBe(1);
    const [point] = (await points("a2a.server.request.duration")).filter(
      ({ attributes }) => attributes["rpc.method"] === "Slow",
    );
    const { sum } = point?.value as unknown as { sum: number };
    expect(sum).toBeGreaterThan(0.004);
    expect(sum).toBeLessThanOrEqual(took);
  });

  it("a delivery is the span of a client, failed where it failed; events are counted", async () => {
    const { delivery, events } = await telemetry();
    for (const result of ["delivered", "dropped", "failed", "refused"]) {
      await delivery({ taskId: "t" }, undefined, async () => ({ result }));
    }
    expect(named("push").map(({ kind, status }) => [kind, status.code])).toEqual([
      [2, 0],
      [2, 0],
      [2, 2],
      [2, 2],
    ]);
    const before = await total("a2a.server.events");
    events(3);
    expect((await total("a2a.server.events")) - before).toBe(3);
  });
});
