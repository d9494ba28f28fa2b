/** Agents that need no task for every message. */
import { describe, expect, test } from "vitest";
import { isA2AError, A2AError } from "../../src/errors.js";
import { runAgent } from "../../src/testing.js";
import { agentMessage, textOf, userMessage } from "../../src/versions/pivot.js";
import { agentOf, gate, start, turn } from "./agents.js";

const reasonOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "answered",
    (error: unknown) => (isA2AError(error) ? error.reason : String(error)),
  );

describe('replies: "message"', () => {
  const message = { replies: "message" } as const;

  test.each<[string, Parameters<typeof agentOf>[0], string]>([
    ["text", async (_ctx, m) => `echo: ${textOf(m)}`, "echo: hi"],
    ["parts", async () => [{ text: "a" }, { text: "b" }], "ab"],
    ["a message", async () => agentMessage("said"), "said"],
    ["ctx.message", async (ctx) => ctx.message("said"), "said"],
    [
      "a generator",
      async function* () {
        yield "a";
        yield "b";
        yield { text: "c", mediaType: "text/x" };
      },
      "abc",
    ],
  ])("%s is the reply; there is never a task", async (_name, handle, text) => {
    const { client } = start(agentOf(handle, message));
    const reply = await client.sendMessage({ message: userMessage("hi", { contextId: "c1" }) });
    expect(textOf(reply)).toBe(text);
    // A2A-4.1.4-c: the context, and no task.
    expect(reply.message).toMatchObject({ role: "ROLE_AGENT", contextId: "c1" });
    expect(reply.message).not.toHaveProperty("taskId");
    expect((await client.listTasks()).totalSize).toBe(0);
    const run = await runAgent(agentOf(handle, message), "hi");
    expect(run.events).toHaveLength(1);
    expect(run.events[0]?.message?.contextId).toBeTruthy();
  });

  test("returnImmediately makes no difference (A2A-3.2.2-e)", async () => {
    const { client } = start(agentOf(async () => "x", message));
    const reply = await client.sendMessage({
      message: userMessage("hi"),
      configuration: { returnImmediately: true },
    });
    expect(textOf(reply)).toBe("x");
  });

  test("effects that need a task are a mistake of the agent; nothing of it gets out", async () => {
    const { client } = start(agentOf(async (ctx) => ctx.working("x"), message));
    expect(await reasonOf(client.sendMessage({ message: userMessage("hi") }))).toBe("INTERNAL_ERROR");
  });

  test("no answer is an invalid one; a failure is the caller's error", async () => {
    const silent = start(agentOf(async () => undefined, message)).client;
    expect(await reasonOf(silent.sendMessage({ message: userMessage("hi") }))).toBe("INVALID_AGENT_RESPONSE");
    const failing = start(agentOf(() => Promise.reject(new Error("secret")), message)).client;
    const error: unknown = await failing.sendMessage({ message: userMessage("hi") }).catch((e: unknown) => e);
    expect(isA2AError(error, "INTERNAL_ERROR")).toBe(true);
    expect((error as A2AError).message).not.toContain("secret");
    const known = start(agentOf(() => Promise.reject(new A2AError("UNAVAILABLE", "later")), message)).client;
    const answer: unknown = await known.sendMessage({ message: userMessage("hi") }).catch((e: unknown) => e);
    expect((answer as A2AError).message).toBe("later");
  });

  test("when the caller goes away nobody wants the answer: the signal fires", async () => {
    const fired = gate();
    const began = gate();
    const { client } = start(
      agentOf(async (ctx) => {
        began.open();
        await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
        fired.open();
      }, message),
    );
    const controller = new AbortController();
    const call = client.sendMessage({ message: userMessage("hi") }, { signal: controller.signal });
    await began.passed;
    controller.abort();
    await fired.passed;
    expect(await reasonOf(call)).toBe("ABORTED");
  });
});

describe('replies: "auto"', () => {
  const auto = { replies: "auto", autoDelayMs: 60_000 } as const;

  test("ctx.message before any effect is a direct reply, nothing is stored", async () => {
    const { client } = start(agentOf(async (ctx) => ctx.message("quick"), auto));
    const reply = await client.sendMessage({ message: userMessage("hi") });
    expect(reply.task).toBeUndefined();
    expect(textOf(reply)).toBe("quick");
    expect((await client.listTasks()).totalSize).toBe(0);
  });

  test("the first effect makes the task, with all that follows", async () => {
    const run = await runAgent(
      agentOf(async (ctx) => {
        expect(ctx.task.status.state).toBe("TASK_STATE_SUBMITTED");
        await turn();
        ctx.working("on it");
        return ctx.message("said");
      }, auto),
      "hi",
    );
    expect(run.events.map((event) => Object.keys(event)[0])).toEqual([
      "task",
      "statusUpdate",
      "statusUpdate",
    ]);
    expect(run.state).toBe("TASK_STATE_COMPLETED");
    expect(run.text).toBe("said");
    expect(run.task?.history?.map(textOf)).toEqual(["hi", "on it"]);
  });

  test("the effect that makes the task is not older than the task", async () => {
    let now = 0;
    const { client } = start(
      agentOf(async (ctx) => ctx.completed("at once"), auto),
      { now: () => (now += 1_000) },
    );
    const times: unknown[] = [];
    for await (const { task, statusUpdate } of client.sendStreamingMessage({ message: userMessage("hi") })) {
      times.push((task ?? statusUpdate)?.status.timestamp);
    }
    expect(times).toHaveLength(2);
    expect(times).toEqual(times.toSorted());
  });

  test("text is a final artifact here too", async () => {
    const { client } = start(agentOf(async () => "x", auto));
    const { task } = await client.sendMessage({ message: userMessage("hi") });
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(textOf(task)).toBe("x");
    expect(await client.getTask({ id: task?.id ?? "" })).toEqual(task);
  });

  test("so does the delay", async () => {
    const go = gate();
    const { client } = start(
      agentOf(
        async (ctx) => {
          await go.passed;
          return ctx.message("slow");
        },
        { replies: "auto", autoDelayMs: 1 },
      ),
    );
    const now = await client.sendMessage({
      message: userMessage("hi"),
      configuration: { returnImmediately: true },
    });
    expect(now.task?.status.state).toBe("TASK_STATE_SUBMITTED");
    const stream = client.subscribeToTask({ id: now.task?.id ?? "" });
    await stream.next();
    go.open();
    const states = [];
    for await (const event of stream) states.push((event.task ?? event.statusUpdate)?.status.state);
    expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
  });

  test("a task that it made goes on like any other", async () => {
    const first = await runAgent(
      agentOf(
        async (ctx, m) => (ctx.turn === 1 ? ctx.inputRequired("?") : `${String(ctx.turn)}: ${textOf(m)}`),
        auto,
      ),
      "hi",
    );
    expect((await first.reply("again")).text).toBe("2: again");
  });
});
