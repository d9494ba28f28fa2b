/** CancelTask: who wins, what the handler sees, what the callers get. */
import { describe, expect, test } from "vitest";
import type { A2AError } from "../../src/errors.js";
import { TaskCanceled, TaskFinished } from "../../src/server.js";
import type { Task } from "../../src/versions/pivot.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { agentOf, gate, start, turn, type TestClient } from "./agents.js";

const begin = async (client: TestClient): Promise<string> => {
  const reply = await client.sendMessage({
    message: userMessage("x"),
    configuration: { returnImmediately: true },
  });
  return reply.task?.id ?? "";
};
const cancel = (client: TestClient, id: string): Promise<string> =>
  client.cancelTask({ id }).then(
    ({ status }) => status.state,
    (error: unknown) => (error as A2AError).reason,
  );

describe("immediate", () => {
  test("commits CANCELED, fires the signal, answers at once; later effects throw in the agent", async () => {
    let signal: AbortSignal | undefined;
    const late: unknown[] = [];
    const stopped = gate();
    const { client } = start(
      agentOf(async (ctx) => {
        ({ signal } = ctx);
        const out = ctx.open();
        void out.write("half");
        await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
        for (const effect of [() => ctx.working("late"), () => out.write("late"), () => ctx.completed()]) {
          try {
            effect();
          } catch (error) {
            late.push(error);
          }
        }
        stopped.open();
        return "late";
      }),
    );
    const id = await begin(client);
    const canceled = await client.cancelTask({ id, metadata: { why: "user" } });
    expect(canceled.status.state).toBe("TASK_STATE_CANCELED");
    expect(signal?.reason).toBeInstanceOf(TaskCanceled);
    expect(signal?.reason).toMatchObject({ metadata: { why: "user" } });
    await stopped.passed;
    await turn();
    expect(late).toHaveLength(3);
    for (const error of late) expect(error).toBeInstanceOf(TaskFinished);
    expect(await client.getTask({ id })).toEqual(canceled);
    expect(canceled.artifacts?.map(textOf)).toEqual(["half"]);
  });

  test("a handler that never looks at its signal holds nobody up", async () => {
    const { client } = start(agentOf(() => new Promise(() => undefined)));
    const id = await begin(client);
    expect(await cancel(client, id)).toBe("TASK_STATE_CANCELED");
  });

  test("blocking callers and streams of the task end with it", async () => {
    const began = gate();
    const { client } = start(
      agentOf(async () => {
        began.open();
        await new Promise(() => undefined);
      }),
    );
    const blocking = client.sendMessage({ message: userMessage("x") });
    await began.passed;
    const id = (await client.listTasks()).tasks[0]?.id ?? "";
    const stream = client.subscribeToTask({ id });
    const first = await stream.next();
    expect(first.value?.task?.status.state).toBe("TASK_STATE_SUBMITTED");
    expect(await cancel(client, id)).toBe("TASK_STATE_CANCELED");
    expect((await blocking).task?.status.state).toBe("TASK_STATE_CANCELED");
    expect((await stream.next()).value?.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
    expect((await stream.next()).done).toBe(true);
  });

  test("a paused task is canceled without a handler", async () => {
    const { client } = start(agentOf(async (ctx) => ctx.inputRequired("?")));
    const { task } = await client.sendMessage({ message: userMessage("x") });
    expect(await cancel(client, task?.id ?? "")).toBe("TASK_STATE_CANCELED");
  });

  test.each(["completed", "failed", "canceled", "rejected"] as const)(
    "a %s task is not cancelable (A2A-3.1.5-d, decision 3)",
    async (outcome) => {
      const { client } = start(agentOf(async (ctx) => ctx[outcome]()));
      const { task } = await client.sendMessage({ message: userMessage("x") });
      expect(await cancel(client, task?.id ?? "")).toBe("TASK_NOT_CANCELABLE");
    },
  );

  test("a task that is not there is not found", async () => {
    const { client } = start(agentOf(async () => "x"));
    expect(await cancel(client, "nope")).toBe("TASK_NOT_FOUND");
  });

  test("cancel and completion at once: one of them wins, and both say so", async () => {
    for (let i = 0; i < 50; i += 1) {
      const go = gate();
      const { client } = start(
        agentOf(async (ctx) => {
          await go.passed;
          return ctx.completed();
        }),
      );
      const id = await begin(client);
      go.open();
      for (let n = 0; n < i % 8; n += 1) await Promise.resolve();
      const outcome = await cancel(client, id);
      const { status } = await client.getTask({ id });
      if (outcome === "TASK_NOT_CANCELABLE") expect(status.state).toBe("TASK_STATE_COMPLETED");
      else expect([outcome, status.state]).toEqual(["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"]);
    }
  });
});

describe("cooperative", () => {
  test("the handler has its time to end by itself; overlapping cancels share the outcome", async () => {
    const asked = gate();
    const go = gate();
    const { client } = start(
      agentOf(
        async (ctx) => {
          await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
          asked.open();
          await go.passed;
          return ctx.canceled("cleaned up");
        },
        { cancel: "cooperative" },
      ),
    );
    const id = await begin(client);
    const both = Promise.all([client.cancelTask({ id }), client.cancelTask({ id })]);
    await asked.passed;
    expect((await client.getTask({ id })).status.state).toBe("TASK_STATE_SUBMITTED");
    go.open();
    const [a, b] = await both;
    expect(textOf(a.status.message)).toBe("cleaned up");
    expect(b).toEqual(a);
    expect(await cancel(client, id)).toBe("TASK_NOT_CANCELABLE");
  });

  test.each<[string, () => unknown, string]>([
    ["returns nothing", () => undefined, "TASK_STATE_CANCELED"],
    ["throws", () => Promise.reject(new Error("aborted")), "TASK_STATE_CANCELED"],
    ["finishes its work after all", () => "done", "TASK_STATE_COMPLETED"],
  ])("a handler that %s", async (_name, end, state) => {
    const { client } = start(
      agentOf(
        async (ctx) => {
          await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
          return (await end()) as string;
        },
        { cancel: "cooperative" },
      ),
    );
    const id = await begin(client);
    const reply: Task = await client.cancelTask({ id });
    expect(reply.status.state).toBe(state);
  });

  test("one that pauses instead is canceled; waiting messages start nothing", async () => {
    let turns = 0;
    const { client } = start(
      agentOf(
        async (ctx) => {
          turns += 1;
          await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
          return ctx.inputRequired("?");
        },
        { cancel: "cooperative" },
      ),
    );
    const id = await begin(client);
    const waiting = client.sendMessage({ message: userMessage("more", { taskId: id }) });
    await turn();
    expect(await cancel(client, id)).toBe("TASK_STATE_CANCELED");
    expect((await waiting).task?.status.state).toBe("TASK_STATE_CANCELED");
    expect(turns).toBe(1);
  });

  test("one that takes too long is canceled when its time is over", async () => {
    const { client } = start(
      agentOf(() => new Promise(() => undefined), { cancel: "cooperative", cancelGraceMs: 5 }),
    );
    const id = await begin(client);
    expect(await cancel(client, id)).toBe("TASK_STATE_CANCELED");
  });
});
