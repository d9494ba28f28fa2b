/** SubscribeToTask: the snapshot, what follows without a gap, several listeners, and going on after a cut. */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/server.js";
import { apply } from "../../src/task/apply.js";
import type { Task } from "../../src/versions/pivot.js";
import { agentOf, gate } from "../server/agents.js";
import { bindings, host, reasonOf, short, type Frame, type Json } from "./support.js";

/** Pauses at the first message, ends at the second with an artifact. */
const asking = agentOf(async (ctx) => (ctx.turn === 1 ? ctx.inputRequired("?") : "done"));
const DONE = ["statusUpdate WORKING", "artifactUpdate done", "statusUpdate COMPLETED"];

/** A task and what happened to it → the task that is left. */
const replay = (frames: Frame[]): Json =>
  frames.slice(1).reduce<Task>((task, { event }) => apply(task, event), frames[0]?.event.task);

describe.each(bindings)("over %s", (binding) => {
  it("a paused task can be listened to: the task as it is, then what another caller brings about (A2A-3.1.6-a, A2A-3.1.6-b, A2A-3.1.6-d, A2A-3.1.6-e, A2A-3.1.6-f)", async () => {
    await using on = await host(binding, asking);
    const task = await on.send("one");
    const stream = await on.stream("SubscribeToTask", { id: task.id });
    const first = await stream.next();
    expect(Object.keys(first?.event)).toEqual(["task"]);
    expect(first?.event.task).toStrictEqual(task);
    expect(first?.id).toBe("2");
    await on.send("two", { taskId: task.id });
    const frames = await stream.rest();
    expect(frames.map(short)).toEqual(DONE);
    expect(frames.map(({ id }) => id)).toEqual(["3", "4", "5"]);
    const refused = await on.call("SubscribeToTask", { id: "" });
    expect(["INVALID_PARAMS", "METHOD_NOT_FOUND"]).toContain(
      binding === "JSONRPC" ? reasonOf(refused) : "INVALID_PARAMS",
    );
  });

  it("takes the tenant of the task (A2A-3.1.6-a)", async () => {
    await using on = await host(binding, asking);
    const input = { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] } };
    const { task } = await on.ok("SendMessage", { tenant: "acme", ...input });
    const stream = await on.stream("SubscribeToTask", { tenant: "acme", id: task.id });
    expect((await stream.next())?.event.task.id).toBe(task.id);
    await stream.close();
    expect(reasonOf((await on.stream("SubscribeToTask", { id: task.id })).refused)).toBe("TASK_NOT_FOUND");
  });

  it("nothing falls between the snapshot and what follows, whenever one joins (A2A-3.1.6-c, A2A-3.5.2-b)", async () => {
    const joined = gate();
    const agent = agentOf(async (ctx) => {
      const out = ctx.open({ name: "growing" });
      for (let n = 0; n < 400; n += 1) {
        void out.write(`${String(n)},`);
        if (n % 50 === 0) ctx.working(`at ${String(n)}`);
        await new Promise(setImmediate);
      }
      await joined.passed;
      return ctx.completed("done");
    });
    await using on = await host(binding, agent);
    const { id } = await on.send("x", {}, { returnImmediately: true });
    const listeners: Promise<Frame[]>[] = [];
    for (let n = 0; n < 12; n += 1) {
      const stream = await on.stream("SubscribeToTask", { id });
      listeners.push(stream.rest());
    }
    joined.open();
    const heard = await Promise.all(listeners);
    const final = await on.ok("GetTask", { id });
    expect(final.artifacts[0].parts).toHaveLength(401);
    for (const frames of heard) expect(replay(frames)).toEqual(final);
    // They joined at different places.
    expect(new Set(heard.map(([first]) => first?.id)).size).toBeGreaterThan(1);
  });

  it("all hear the same in the same order, and one that leaves does not disturb the others (A2A-3.5.2-b, A2A-3.5.2-c, A2A-3.5.2-d, A2A-3.5.2-e)", async () => {
    await using on = await host(binding, asking);
    const { id } = await on.send("one");
    const [a, b, leaving] = await Promise.all([
      on.stream("SubscribeToTask", { id }),
      on.stream("SubscribeToTask", { id }),
      on.stream("SubscribeToTask", { id }),
    ]);
    expect((await leaving.next())?.event.task.id).toBe(id);
    await leaving.close();
    await on.send("two", { taskId: id });
    const [atA, atB] = await Promise.all([a.rest(), b.rest()]);
    expect(atA.slice(1).map(short)).toEqual(DONE);
    expect(atB).toStrictEqual(atA);
  });

  it("a task that has ended is refused plainly, one that is not there not found (A2A-3.1.6-g, A2A-3.1.6-h)", async () => {
    for (const outcome of ["completed", "failed", "canceled", "rejected"] as const) {
      await using on = await host(
        binding,
        agentOf(async (ctx) => ctx[outcome]()),
      );
      const { id } = await on.send("x");
      expect(reasonOf((await on.stream("SubscribeToTask", { id })).refused)).toBe("UNSUPPORTED_OPERATION");
    }
    await using on = await host(binding, asking);
    const none = await on.stream("SubscribeToTask", { id: crypto.randomUUID() });
    expect(reasonOf(none.refused)).toBe("TASK_NOT_FOUND");
  });

  it("goes on after Last-Event-ID instead of the task, also after the end, while events are kept", async () => {
    let now = Date.now();
    const store = memoryStore({ replayWindow: 60_000 });
    await using on = await host(binding, asking, { store, now: () => now });
    const { id } = await on.send("one");
    const resume = (last: string) => on.stream("SubscribeToTask", { id }, { "last-event-id": last });
    const early = await resume("1");
    const missed = await early.next();
    expect([missed?.id, missed && short(missed)]).toEqual(["2", "statusUpdate INPUT_REQUIRED"]);
    const stream = await on.stream("SubscribeToTask", { id });
    await stream.next();
    await on.send("two", { taskId: id });
    expect((await early.rest()).map((frame) => frame.id)).toEqual(["3", "4", "5"]);
    const seen = [await stream.next(), await stream.next()];
    await stream.close();
    expect(seen.map((frame) => frame?.id)).toEqual(["3", "4"]);
    const rest = await (await resume("3")).rest();
    expect(rest.map((frame) => [frame.id, short(frame)])).toEqual([
      ["4", "artifactUpdate done"],
      ["5", "statusUpdate COMPLETED"],
    ]);
    expect(rest[0]).toStrictEqual(seen[1]);
    expect(await (await resume("5")).rest()).toEqual([]);
    // What nobody can have seen, or is no revision, is as if it were not there.
    const other = await on.send("other");
    for (const last of ["99", "x", "-1"]) {
      const anew = await on.stream("SubscribeToTask", { id: other.id }, { "last-event-id": last });
      const frame = await anew.next();
      expect([frame?.id, frame && short(frame)]).toEqual(["2", "task INPUT_REQUIRED"]);
      await anew.close();
    }
    now += 61_000;
    await store.sweep(now, 100);
    expect(reasonOf((await resume("3")).refused)).toBe("UNSUPPORTED_OPERATION");
  });

  it("a reader that takes nothing is cut beyond its limit, the task goes on, and so does a later stream from there", async () => {
    const [go, done] = [gate(), gate()];
    const text = "x".repeat(64 * 1024);
    const agent = agentOf(async (ctx) => {
      await go.passed;
      const out = ctx.open();
      // More than sockets take in on either side, with the server's looks at who stalls in between.
      for (let n = 0; n < 400; n += 1) {
        await out.write(text);
        await new Promise(setImmediate);
      }
      done.open();
      return ctx.completed();
    });
    const limits = { subscriberSize: 256 * 1024, subscriberStallMs: 0 };
    await using on = await host(binding, agent, { limits, sweepMs: 1 });
    const { id } = await on.send("x", {}, { returnImmediately: true });
    const stalled = await on.stream("SubscribeToTask", { id });
    expect((await stalled.next())?.id).toBe("1");
    go.open();
    await done.passed;
    let page: Json;
    do page = await on.ok("ListTasks");
    while (page.tasks[0].status.state !== "TASK_STATE_COMPLETED");
    // What it took is whole and in order, and the rest is to be had.
    const taken = await stalled.rest();
    expect(taken.length).toBeLessThan(402);
    const last = taken.at(-1)?.id ?? "1";
    const resumed = await (await on.stream("SubscribeToTask", { id }, { "last-event-id": last })).rest();
    expect(resumed.map((frame) => Number(frame.id))).toEqual(
      Array.from({ length: 403 - Number(last) }, (_, n) => Number(last) + 1 + n),
    );
    expect(resumed.map(short).at(-1)).toBe("statusUpdate COMPLETED");
  });
});
