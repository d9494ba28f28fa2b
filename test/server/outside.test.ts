/** Work that goes on outside of a handler: `ctx.detached` and `server.task`. */
import { describe, expect, test } from "vitest";
import { isA2AError } from "../../src/errors.js";
import { memoryStore, TaskFinished } from "../../src/server.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { agentOf, start, turn } from "./agents.js";

const HOUR = 3_600_000;

describe("a detached task", () => {
  const detaching = agentOf(async (ctx) => {
    ctx.state = { job: 7 };
    return ctx.detached("queued");
  });

  test("stays WORKING without a runner; whoever holds its id ends it, and blocking callers get the end", async () => {
    const { server, client } = start(detaching);
    const blocking = client.sendMessage({ message: userMessage("x") });
    await turn();
    const id = (await client.listTasks()).tasks[0]?.id ?? "";
    expect(textOf((await client.getTask({ id })).status.message)).toBe("queued");
    const task = await server.task(id);
    expect(task.task.id).toBe(id);
    task.working("half way");
    await using out = task.open({ name: "result" });
    await out.write("it is done");
    task.completed();
    const done = (await blocking).task;
    expect(done?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(textOf(done)).toBe("it is done");
    expect(() => task.working("late")).toThrow(TaskFinished);
  });

  test("is failed when nobody goes on with it in time", async () => {
    let now = Date.UTC(2030, 0, 1);
    const { server, client } = start(
      agentOf(async (ctx) => ctx.detached(), { detachedTimeout: 2 * HOUR }),
      { now: () => now, sweepMs: 1 },
    );
    const blocking = client.sendMessage({ message: userMessage("x") });
    await turn();
    const id = (await client.listTasks()).tasks[0]?.id ?? "";
    now += HOUR;
    (await server.task(id)).working("still at it");
    now += 1.5 * HOUR;
    await turn();
    expect((await client.getTask({ id })).status.state).toBe("TASK_STATE_WORKING");
    now += HOUR;
    const { task } = await blocking;
    expect(task?.status.state).toBe("TASK_STATE_FAILED");
    await server.close();
  });

  test("a message to it runs the handler again, with what was kept", async () => {
    const { client } = start(
      agentOf<{ job?: number }>(async (ctx) => {
        if (ctx.turn === 2) return `job ${String(ctx.state.job)}`;
        ctx.state.job = 7;
        return ctx.detached();
      }),
    );
    const first = client.sendMessage({ message: userMessage("x") });
    await turn();
    const taskId = (await client.listTasks()).tasks[0]?.id ?? "";
    const { task } = await client.sendMessage({ message: userMessage("how far?", { taskId }) });
    expect(textOf(task)).toBe("job 7");
    expect((await first).task).toEqual(task);
  });

  test("can be canceled", async () => {
    const { client } = start(detaching);
    void client.sendMessage({ message: userMessage("x") });
    await turn();
    const id = (await client.listTasks()).tasks[0]?.id ?? "";
    expect((await client.cancelTask({ id })).status.state).toBe("TASK_STATE_CANCELED");
  });
});

describe("server.task", () => {
  test("works on paused tasks, and within its scope only", async () => {
    const { server, client } = start(agentOf(async (ctx) => ctx.authRequired("log in")));
    const { task } = await client.sendMessage({ message: userMessage("x") });
    const id = task?.id ?? "";
    const error: unknown = await server
      .task(id, { scope: { tenant: "", owner: "bob" } })
      .catch((e: unknown) => e);
    expect(isA2AError(error, "TASK_NOT_FOUND")).toBe(true);
    const stream = client.subscribeToTask({ id });
    await stream.next();
    (await server.task(id)).completed("credentials came");
    expect(textOf((await stream.next()).value?.statusUpdate?.status.message)).toBe("credentials came");
  });

  test("a task that ended takes no effects", async () => {
    const { server, client } = start(agentOf(async () => "x"));
    const { task } = await client.sendMessage({ message: userMessage("x") });
    const effects = await server.task(task?.id ?? "");
    expect(() => effects.failed()).toThrow(TaskFinished);
    expect(await client.getTask({ id: task?.id ?? "" })).toEqual(task);
  });
});

describe("two servers on one store", () => {
  test("a paused task goes on at the other, its state kept", async () => {
    const store = memoryStore();
    const agent = agentOf<{ city?: string }>(async (ctx, m) => {
      if (ctx.turn === 1) {
        ctx.state.city = textOf(m);
        return ctx.inputRequired("how many?");
      }
      return `${textOf(m)} in ${ctx.state.city ?? "?"}`;
    });
    const [a, b] = [start(agent, { store }), start(agent, { store })];
    const { task } = await a.client.sendMessage({ message: userMessage("Riga") });
    const done = await b.client.sendMessage({ message: userMessage("4", { taskId: task?.id ?? "" }) });
    expect(textOf(done)).toBe("4 in Riga");
    expect(await a.client.getTask({ id: task?.id ?? "" })).toEqual(done.task);
  });

  test("a cancel at the other ends the run here: the handler is told, the caller gets the canceled task", async () => {
    const store = memoryStore();
    let aborted = false;
    const agent = agentOf(async (ctx) => {
      ctx.signal.addEventListener("abort", () => (aborted = true));
      for (;;) {
        await turn();
        ctx.working();
      }
    });
    const [a, b] = [start(agent, { store }), start(agent, { store })];
    const blocking = a.client.sendMessage({ message: userMessage("x") });
    await turn();
    const id = (await b.client.listTasks()).tasks[0]?.id ?? "";
    expect((await b.client.cancelTask({ id })).status.state).toBe("TASK_STATE_CANCELED");
    expect((await blocking).task?.status.state).toBe("TASK_STATE_CANCELED");
    expect(aborted).toBe(true);
    expect((await a.client.getTask({ id })).status.state).toBe("TASK_STATE_CANCELED");
  });
});
