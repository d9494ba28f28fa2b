/** CancelTask: who may, what results, and what happens when several things happen at once. */
import { describe, expect, it } from "vitest";
import { TaskCanceled } from "../../src/server.js";
import { agentOf, gate } from "../server/agents.js";
import { bindings, host, reasonOf, say, textOf, type Host, type Json } from "./support.js";

const immediately = { returnImmediately: true };
const outcomeOf = async (on: Host, id: string): Promise<string> => {
  const answer = await on.call("CancelTask", { id });
  return answer.result?.status ? (answer.result.status.state as string) : reasonOf(answer);
};

describe.each(bindings)("over %s", (binding) => {
  it("answers with the bare task as it is then, and hands the metadata to the agent (A2A-3.1.5-a, A2A-3.1.5-b, A2A-4.1.3-f)", async () => {
    const [began, told] = [gate(), gate<Json>()];
    const agent = agentOf(async (ctx) => {
      ctx.artifact("half");
      ctx.signal.addEventListener("abort", () => {
        told.open(ctx.signal.reason);
      });
      began.open();
      await new Promise(() => undefined);
    });
    await using on = await host(binding, agent);
    const input = { tenant: "acme", ...say("x"), configuration: immediately };
    const { task } = await on.ok("SendMessage", input);
    await began.passed;
    const metadata = { why: ["user", null] };
    expect(reasonOf(await on.call("CancelTask", { id: task.id, metadata }))).toBe("TASK_NOT_FOUND");
    const canceled = await on.ok("CancelTask", { tenant: "acme", id: task.id, metadata });
    expect(canceled).toMatchObject({ id: task.id, status: { state: "TASK_STATE_CANCELED" } });
    expect(Object.keys(canceled)).not.toContain("task");
    expect((canceled.artifacts as Json[]).map(textOf)).toEqual(["half"]);
    const reason = await told.passed;
    expect(reason).toBeInstanceOf(TaskCanceled);
    expect(reason.metadata).toEqual(metadata);
    expect(await on.ok("GetTask", { tenant: "acme", id: task.id })).toStrictEqual(canceled);
  });

  it("takes a task that waits for its caller, too (A2A-3.1.5-b)", async () => {
    for (const pause of ["inputRequired", "authRequired"] as const) {
      await using on = await host(
        binding,
        agentOf(async (ctx) => ctx[pause]("?")),
      );
      const { id } = await on.send("x");
      expect(await outcomeOf(on, id)).toBe("TASK_STATE_CANCELED");
    }
  });

  it("an agent that goes on to its end is answered with that end (A2A-3.1.5-c)", async () => {
    const began = gate();
    const agent = agentOf(
      async (ctx) => {
        began.open();
        await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
        return "finished after all";
      },
      { cancel: "cooperative", cancelGraceMs: 60_000 },
    );
    await using on = await host(binding, agent);
    const { id } = await on.send("x", {}, immediately);
    await began.passed;
    expect(await outcomeOf(on, id)).toBe("TASK_STATE_COMPLETED");
  });

  it.each(["completed", "failed", "canceled", "rejected"] as const)(
    "a %s task is not cancelable and stays what it is, however often one asks (A2A-3.1.5-d, A2A-3.3.1-c)",
    async (outcome) => {
      await using on = await host(
        binding,
        agentOf(async (ctx) => ctx[outcome]("said")),
      );
      const task = await on.send("x");
      for (let n = 0; n < 3; n += 1) expect(await outcomeOf(on, task.id)).toBe("TASK_NOT_CANCELABLE");
      expect(await on.ok("GetTask", { id: task.id })).toStrictEqual(task);
    },
  );

  it("a task that is not there, or another's, is not found (A2A-3.1.5-e, A2A-3.3.1-d)", async () => {
    await using on = await host(
      binding,
      agentOf(async (ctx) => ctx.inputRequired("?")),
      { auth: ({ headers }) => ({ principal: headers["authorization"] }) },
    );
    const { task } = await on.ok("SendMessage", say("x"), { authorization: "alice" });
    for (const id of [crypto.randomUUID(), task.id as string])
      expect(reasonOf(await on.call("CancelTask", { id }, { authorization: "bob" }))).toBe("TASK_NOT_FOUND");
    const { status } = await on.ok("GetTask", { id: task.id }, { authorization: "alice" });
    expect(status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });

  it("cancels that overlap share one outcome; a later one is too late (A2A-3.3.1-c)", async () => {
    const [began, asked, go] = [gate(), gate(), gate()];
    let signals = 0;
    const agent = agentOf(
      async (ctx) => {
        ctx.signal.addEventListener("abort", () => {
          signals += 1;
          asked.open();
        });
        began.open();
        await go.passed;
        return ctx.canceled("cleaned up");
      },
      { cancel: "cooperative", cancelGraceMs: 60_000 },
    );
    await using on = await host(binding, agent);
    const { id } = await on.send("x", {}, immediately);
    await began.passed;
    const first = on.ok("CancelTask", { id });
    await asked.passed;
    const more = [on.ok("CancelTask", { id }), on.ok("CancelTask", { id })];
    // A round trip after theirs: both are there.
    await on.ok("GetTask", { id });
    await on.ok("GetTask", { id });
    go.open();
    const replies = await Promise.all([first, ...more]);
    expect(textOf(replies[0].status.message)).toBe("cleaned up");
    for (const reply of replies) expect(reply).toStrictEqual(replies[0]);
    expect(signals).toBe(1);
    expect(await outcomeOf(on, id)).toBe("TASK_NOT_CANCELABLE");
  });

  it("cancel and completion at once: one wins, and every caller and stream says the same (A2A-3.1.5-c, A2A-4.1.3-e)", async () => {
    const go = new Map<string, () => void>();
    const agent = agentOf(async (ctx) => {
      await new Promise<void>((resolve) => void go.set(ctx.taskId, resolve));
      return ctx.completed();
    });
    await using on = await host(binding, agent);
    const seen = new Set<string>();
    for (let n = 0; n < 40; n += 1) {
      const stream = await on.stream("SendStreamingMessage", say("x"));
      const id: string = (await stream.next())?.event.task.id;
      const canceling = outcomeOf(on, id);
      // The end comes at another moment of the cancel each time.
      for (let k = 0; k < n % 10; k += 1) await new Promise(setImmediate);
      go.get(id)?.();
      const [outcome, frames] = await Promise.all([canceling, stream.rest()]);
      const states = frames.map(({ event }) => event.statusUpdate.status.state as string);
      expect(states).toHaveLength(1);
      const { status } = await on.ok("GetTask", { id });
      expect([status.state]).toEqual(states);
      expect(outcome).toBe(
        status.state === "TASK_STATE_COMPLETED" ? "TASK_NOT_CANCELABLE" : "TASK_STATE_CANCELED",
      );
      seen.add(outcome);
    }
    expect([...seen].sort()).toEqual(["TASK_NOT_CANCELABLE", "TASK_STATE_CANCELED"]);
  });
});
