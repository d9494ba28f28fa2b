/** SendStreamingMessage: what a stream carries, in which order, and when it ends. */
import { describe, expect, it } from "vitest";
import type { Handler } from "../../src/server.js";
import { textOf as pivotText } from "../../src/versions/pivot.js";
import { agentOf, gate, skill } from "../server/agents.js";
import {
  bindings,
  callerOf,
  historyOf,
  host,
  reasonOf,
  say,
  short,
  type Frame,
  type Json,
} from "./support.js";

const nextOf = async (stream: { next(): Promise<Frame | undefined> }): Promise<string> => {
  const frame = await stream.next();
  return frame === undefined ? "end" : short(frame);
};

describe.each(bindings)("over %s", (binding) => {
  it("events come as they are made: the task first, then updates, and the end after the last state (A2A-3.1.2-b, A2A-3.1.2-d, A2A-3.1.2-e, A2A-3.1.2-g, A2A-3.1.2-h)", async () => {
    const steps = [gate(), gate(), gate()] as const;
    const agent = agentOf(async (ctx) => {
      await steps[0].passed;
      ctx.working("on it");
      await steps[1].passed;
      ctx.artifact("part");
      await steps[2].passed;
      return ctx.completed();
    });
    await using on = await host(binding, agent);
    const stream = await on.stream("SendStreamingMessage", say("x"));
    const frames: Json[] = [];
    const next = async (): Promise<string> => {
      const frame = await stream.next();
      if (frame === undefined) return "end";
      frames.push(frame);
      return short(frame);
    };
    // Each event is read before the agent is let go on.
    expect(await next()).toBe("task SUBMITTED");
    steps[0].open();
    expect(await next()).toBe("statusUpdate WORKING");
    steps[1].open();
    expect(await next()).toBe("artifactUpdate part");
    steps[2].open();
    expect(await next()).toBe("statusUpdate COMPLETED");
    expect(await next()).toBe("end");
    expect(frames.map(({ id }) => id)).toEqual(["1", "2", "3", "4"]);
    expect(JSON.stringify(frames)).not.toMatch(/"(final|kind|index)":/);
  });

  it("ends after each of the four last states, whatever they are (A2A-3.1.2-e)", async () => {
    const agent = agentOf(async (ctx, message) => {
      ctx.working();
      return ctx[pivotText(message) as "completed" | "failed" | "canceled" | "rejected"]("said");
    });
    await using on = await host(binding, agent);
    for (const outcome of ["completed", "failed", "canceled", "rejected"]) {
      const stream = await on.stream("SendStreamingMessage", say(outcome));
      expect((await stream.rest()).map(short)).toEqual([
        "task SUBMITTED",
        "statusUpdate WORKING",
        `statusUpdate ${outcome.toUpperCase()}`,
      ]);
    }
  });

  it("a direct message is the only event, and the agent chooses per request (A2A-3.1.2-c, A2A-3.1.2-f, A2A-3.2.3-a)", async () => {
    const agent = agentOf(
      async (ctx, message) => {
        if (pivotText(message) === "quick") return ctx.message("said");
        ctx.working();
        return ctx.completed();
      },
      { replies: "auto", autoDelayMs: 60_000 },
    );
    await using on = await host(binding, agent);
    const quick = await (await on.stream("SendStreamingMessage", say("quick"))).rest();
    expect(quick.map(short)).toEqual(["message said"]);
    expect(quick[0]?.event.message).not.toHaveProperty("taskId");
    expect((await on.ok("ListTasks")).totalSize).toBe(0);
    const slow = await (await on.stream("SendStreamingMessage", say("slow"))).rest();
    expect(slow.map(short)).toEqual(["task SUBMITTED", "statusUpdate WORKING", "statusUpdate COMPLETED"]);
  });

  it("is refused plainly where the card does not offer it, and nothing begins (A2A-3.1.2-i, A2A-3.1.6-h, A2A-3.3.4-c, A2A-3.5.1-b)", async () => {
    const card = { name: "T", description: "d", skills: [skill], capabilities: { streaming: false } };
    await using on = await host(
      binding,
      agentOf(async (ctx) => ctx.inputRequired("?"), { card }),
    );
    const stream = await on.stream("SendStreamingMessage", say("x"));
    expect(reasonOf(stream.refused)).toBe("UNSUPPORTED_OPERATION");
    expect((await on.ok("ListTasks")).totalSize).toBe(0);
    const { id } = await on.send("x");
    expect(reasonOf((await on.stream("SubscribeToTask", { id })).refused)).toBe("UNSUPPORTED_OPERATION");
  });

  it("ends at INPUT_REQUIRED; at AUTH_REQUIRED it stays open for what comes another way, or ends where told to", async () => {
    const handle: Handler = async (ctx, message) => {
      if (ctx.turn > 1) return ctx.completed();
      return pivotText(message) === "auth" ? ctx.authRequired("log in") : ctx.inputRequired("?");
    };
    await using on = await host(binding, agentOf(handle));
    await using closing = await host(binding, agentOf(handle), { closeAtAuthRequired: true });
    expect((await (await on.stream("SendStreamingMessage", say("ask"))).rest()).map(short)).toEqual([
      "task SUBMITTED",
      "statusUpdate INPUT_REQUIRED",
    ]);
    expect((await (await closing.stream("SendStreamingMessage", say("auth"))).rest()).map(short)).toEqual([
      "task SUBMITTED",
      "statusUpdate AUTH_REQUIRED",
    ]);
    const stream = await on.stream("SendStreamingMessage", say("auth"));
    const task = (await stream.next())?.event.task;
    expect(await nextOf(stream)).toBe("statusUpdate AUTH_REQUIRED");
    await on.send("token", { taskId: task.id });
    expect((await stream.rest()).map(short).at(-1)).toBe("statusUpdate COMPLETED");
  });

  it("a follow-up streams the same task: as it is first, the message in its history (A2A-3.1.2-d)", async () => {
    await using on = await host(
      binding,
      agentOf(async (ctx) => (ctx.turn === 1 ? ctx.inputRequired("?") : ctx.completed())),
    );
    const { id, contextId } = await on.send("one");
    const frames = await (await on.stream("SendStreamingMessage", say("two", { taskId: id }))).rest();
    expect(frames[0]?.event.task).toMatchObject({ id, contextId });
    expect(historyOf(frames[0]?.event.task)).toEqual(["one", "?", "two"]);
    expect(frames.map(short).at(-1)).toBe("statusUpdate COMPLETED");
  });

  it("two hundred numbered events keep their order (A2A-3.5.2-a)", async () => {
    const numbers = Array.from({ length: 200 }, (_, n) => String(n));
    const agent = agentOf(async (ctx) => {
      for (const n of numbers) {
        ctx.artifact(n);
        if (Number(n) % 7 === 0) await new Promise(setImmediate);
      }
    });
    await using on = await host(binding, agent);
    const frames = await (await on.stream("SendStreamingMessage", say("x"))).rest();
    expect(frames.slice(1, -1).map(short)).toEqual(numbers.map((n) => `artifactUpdate ${n}`));
    expect(frames.map(({ id }) => Number(id))).toEqual(frames.map((_, at) => at + 1));
  });

  it("a stream whose client is gone leaves the task alone, and its place behind (A2A-3.5.2-f)", async () => {
    const [go, ended] = [gate(), gate<boolean>()];
    const agent = agentOf(async (ctx) => {
      ctx.working();
      await go.passed;
      ended.open(ctx.signal.aborted);
      return "done";
    });
    await using on = await host(binding, agent);
    const stream = await on.stream("SendStreamingMessage", say("x"));
    const id: string = (await stream.next())?.event.task.id;
    await stream.close();
    // A round trip later the server has seen it.
    expect((await on.ok("GetTask", { id })).status.state).toBe("TASK_STATE_WORKING");
    go.open();
    expect(await ended.passed).toBe(false);
    let task: Json;
    do task = await on.ok("GetTask", { id });
    while (task.status.state !== "TASK_STATE_COMPLETED");
    expect(task.artifacts).toHaveLength(1);
  });

  it("a silent stream is kept open by comments between its events", async () => {
    const go = gate();
    const agent = agentOf(async (ctx) => {
      await go.passed;
      return ctx.completed();
    });
    await using on = await host(binding, agent, { keepAliveMs: 10 });
    const stream = await on.stream("SendStreamingMessage", say("x"));
    expect(await nextOf(stream)).toBe("task SUBMITTED");
    expect(await stream.comment()).toMatch(/^:/);
    expect(await stream.comment()).toMatch(/^:/);
    go.open();
    expect((await stream.rest()).map(short)).toEqual(["statusUpdate COMPLETED"]);
  });

  it("the same task is seen by poll, stream and subscription, over whichever binding (A2A-3.3.3-a, A2A-3.5.1-a)", async () => {
    const go = gate();
    const agent = agentOf(async () => {
      await go.passed;
      return "done";
    });
    await using on = await host(binding, agent);
    const started = await on.send("x", {}, { returnImmediately: true });
    const subscribers = await Promise.all(
      bindings.map((other) => callerOf(on.url, other).stream("SubscribeToTask", { id: started.id })),
    );
    for (const subscriber of subscribers) expect(await nextOf(subscriber)).toBe("task SUBMITTED");
    go.open();
    for (const subscriber of subscribers)
      expect((await subscriber.rest()).map(short)).toEqual(["artifactUpdate done", "statusUpdate COMPLETED"]);
    for (const other of bindings) {
      const polled = await callerOf(on.url, other).ok("GetTask", { id: started.id });
      expect(polled.status.state).toBe("TASK_STATE_COMPLETED");
    }
  });
});
