/** Streams: what comes first, what follows, when they end, and how they are resumed. */
import { describe, expect, test } from "vitest";
import { isA2AError } from "../../src/errors.js";
import { memoryStore, type AgentServer } from "../../src/server.js";
import type { StreamResponse } from "../../src/versions/pivot.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { agentOf, gate, start, turn } from "./agents.js";

/** Kind, text and end of a stream. */
async function all(stream: AsyncIterable<StreamResponse>): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of stream) seen.push(short(event));
  return seen;
}
const short = (event: StreamResponse): string => {
  const status = (event.task ?? event.statusUpdate)?.status;
  return status ? `${event.task ? "task " : ""}${status.state.slice(11)}` : textOf(event);
};
const reasonOf = async (stream: { next(): Promise<unknown> }): Promise<string> =>
  stream.next().then(
    () => "streams",
    (error: unknown) => (isA2AError(error) ? error.reason : String(error)),
  );

const server = (
  agent: Parameters<typeof start>[0],
  options = {},
): ReturnType<typeof start> & { server: AgentServer } => start(agent, options);

describe("SendStreamingMessage", () => {
  test("events come as they are made, not at the end (A2A-3.1.2-b)", async () => {
    const steps = [gate(), gate()];
    const { client } = server(
      agentOf(async (ctx) => {
        ctx.working();
        await steps[0]?.passed;
        ctx.artifact("a");
        await steps[1]?.passed;
        return ctx.completed();
      }),
    );
    const stream = client.sendStreamingMessage({ message: userMessage("x") });
    const next = async (): Promise<string> => short((await stream.next()).value ?? ({} as StreamResponse));
    expect(await next()).toBe("task SUBMITTED");
    expect(await next()).toBe("WORKING");
    steps[0]?.open();
    expect(await next()).toBe("a");
    steps[1]?.open();
    expect(await next()).toBe("COMPLETED");
    expect((await stream.next()).done).toBe(true);
  });

  test("ends at INPUT_REQUIRED; at AUTH_REQUIRED it stays open, or ends where told to (Q3)", async () => {
    const asking = agentOf(async (ctx) => ctx.inputRequired("?"));
    expect(await all(server(asking).client.sendStreamingMessage({ message: userMessage("x") }))).toEqual([
      "task SUBMITTED",
      "INPUT_REQUIRED",
    ]);
    const auth = agentOf(async (ctx) => (ctx.turn === 1 ? ctx.authRequired("log in") : "in"));
    const closing = server(auth, { closeAtAuthRequired: true }).client;
    expect(await all(closing.sendStreamingMessage({ message: userMessage("x") }))).toEqual([
      "task SUBMITTED",
      "AUTH_REQUIRED",
    ]);
    const { client } = server(auth);
    const open = client.sendStreamingMessage({ message: userMessage("x") });
    const first = await open.next();
    expect(short((await open.next()).value ?? ({} as StreamResponse))).toBe("AUTH_REQUIRED");
    await client.sendMessage({ message: userMessage("token", { taskId: first.value?.task?.id ?? "" }) });
    expect(await all(open)).toEqual(["WORKING", "in", "COMPLETED"]);
  });

  test("a follow-up begins with the task as it is, the message included", async () => {
    const { client } = server(agentOf(async (ctx) => (ctx.turn === 1 ? ctx.inputRequired("?") : "done")));
    const { task } = await client.sendMessage({ message: userMessage("one") });
    const events: StreamResponse[] = [];
    for await (const event of client.sendStreamingMessage({
      message: userMessage("two", { taskId: task?.id ?? "" }),
    })) {
      events.push(event);
    }
    expect(events.map(short)).toEqual(["task WORKING", "done", "COMPLETED"]);
    expect(events[0]?.task?.history?.map(textOf)).toEqual(["one", "?", "two"]);
  });

  test("historyLength holds for the task it begins with (A2A-3.2.4-a)", async () => {
    const { client } = server(agentOf(async (ctx) => (ctx.turn === 1 ? ctx.inputRequired("?") : "done")));
    const firstOf = async (
      taskId: string | undefined,
      historyLength: number,
    ): Promise<string[] | undefined> => {
      const message = userMessage("hi", taskId === undefined ? {} : { taskId });
      const stream = client.sendStreamingMessage({ message, configuration: { historyLength } });
      const events: StreamResponse[] = [];
      for await (const event of stream) events.push(event);
      expect(events.map(short).at(-1)).toBe(taskId === undefined ? "INPUT_REQUIRED" : "COMPLETED");
      return events[0]?.task?.history?.map(textOf);
    };
    expect(await firstOf(undefined, 0)).toBeUndefined();
    expect(await firstOf(undefined, 1)).toEqual(["hi"]);
    const { tasks } = await client.listTasks();
    expect(await firstOf(tasks[0]?.id, 0)).toBeUndefined();
    expect(await firstOf(tasks[1]?.id, 2)).toEqual(["?", "hi"]);
  });

  test("a stream whose message waits for the next turn does not end with this one", async () => {
    const [began, go] = [gate(), gate()];
    const { client } = server(
      agentOf(async (ctx) => {
        if (ctx.turn === 2) return "second";
        began.open();
        await go.passed;
        return ctx.inputRequired("?");
      }),
    );
    const one = all(client.sendStreamingMessage({ message: userMessage("one") }));
    await began.passed;
    const taskId = (await client.listTasks()).tasks[0]?.id ?? "";
    const stream = client.sendStreamingMessage({ message: userMessage("two", { taskId }) });
    const first = await stream.next();
    expect(first.value?.task?.history?.map(textOf)).toEqual(["one", "two"]);
    go.open();
    expect(await one).toEqual(["task SUBMITTED", "INPUT_REQUIRED"]);
    expect(await all(stream)).toEqual(["INPUT_REQUIRED", "WORKING", "second", "COMPLETED"]);
  });

  test("leaving does not touch the task (A2A-3.5.2-f)", async () => {
    const go = gate();
    let aborted = false;
    const { client } = server(
      agentOf(async (ctx) => {
        ctx.signal.addEventListener("abort", () => (aborted = true));
        await go.passed;
        return "done";
      }),
    );
    const stream = client.sendStreamingMessage({ message: userMessage("x") });
    const id = (await stream.next()).value?.task?.id ?? "";
    await stream.return();
    await turn();
    go.open();
    await turn();
    expect((await client.getTask({ id })).status.state).toBe("TASK_STATE_COMPLETED");
    expect(aborted).toBe(false);
  });

  test("is refused where the card does not offer streams (A2A-3.1.2-i)", async () => {
    const card = { name: "T", description: "d", skills: [], capabilities: { streaming: false } };
    const { client } = server(agentOf(async () => "x", { card }));
    expect(await reasonOf(client.sendStreamingMessage({ message: userMessage("x") }))).toBe(
      "UNSUPPORTED_OPERATION",
    );
    expect(await reasonOf(client.subscribeToTask({ id: "t" }))).toBe("UNSUPPORTED_OPERATION");
    expect((await client.listTasks()).totalSize).toBe(0);
  });
});

describe("SubscribeToTask", () => {
  test("shows the task, then what happens to it, and ends with it only (A2A-3.1.6)", async () => {
    const { client } = server(agentOf(async (ctx) => (ctx.turn === 1 ? ctx.inputRequired("?") : "done")));
    const { task } = await client.sendMessage({ message: userMessage("one") });
    const id = task?.id ?? "";
    const [a, b] = [client.subscribeToTask({ id }), client.subscribeToTask({ id })];
    expect((await a.next()).value?.task).toEqual(task);
    expect((await b.next()).value?.task).toEqual(task);
    await client.sendMessage({ message: userMessage("two", { taskId: id }) });
    const events = ["WORKING", "done", "COMPLETED"];
    expect(await Promise.all([all(a), all(b)])).toEqual([events, events]);
  });

  test("a task that ended is refused, an unknown one not found (A2A-3.1.6-g, -h)", async () => {
    const { client } = server(agentOf(async () => "x"));
    const { task } = await client.sendMessage({ message: userMessage("one") });
    expect(await reasonOf(client.subscribeToTask({ id: task?.id ?? "" }))).toBe("UNSUPPORTED_OPERATION");
    expect(await reasonOf(client.subscribeToTask({ id: "nope" }))).toBe("TASK_NOT_FOUND");
  });

  test("idle subscribers of a paused task leave nothing behind", async () => {
    const { client, server: agent } = server(agentOf(async (ctx) => ctx.inputRequired("?")));
    const { task } = await client.sendMessage({ message: userMessage("one") });
    const streams = Array.from({ length: 50 }, () => client.subscribeToTask({ id: task?.id ?? "" }));
    for (const stream of streams) await stream.next();
    for (const stream of streams) await stream.return();
    await turn();
    const effects = await agent.task(task?.id ?? "");
    effects.completed("outside");
    expect((await client.getTask({ id: task?.id ?? "" })).status.state).toBe("TASK_STATE_COMPLETED");
  });
});

describe("Last-Event-ID", () => {
  const counting = agentOf(async (ctx) => {
    for (const text of ["a", "b", "c"]) ctx.artifact(text);
    return ctx.inputRequired("?");
  });

  test("events carry the revision; a stream goes on after the one that was seen last", async () => {
    const { client } = server(counting);
    const first = client.sendStreamingMessage({ message: userMessage("x") });
    const id = (await first.next()).value?.task?.id ?? "";
    expect(first.lastEventId).toBe("1");
    expect(short((await first.next()).value ?? ({} as StreamResponse))).toBe("a");
    expect(first.lastEventId).toBe("2");
    await first.return();
    const resumed = client.subscribeToTask({ id }, { lastEventId: "2" });
    expect(short((await resumed.next()).value ?? ({} as StreamResponse))).toBe("b");
    expect(short((await resumed.next()).value ?? ({} as StreamResponse))).toBe("c");
    expect(short((await resumed.next()).value ?? ({} as StreamResponse))).toBe("INPUT_REQUIRED");
    await client.cancelTask({ id });
    expect(await all(resumed)).toEqual(["CANCELED"]);
  });

  test("also of a task that ended meanwhile, while its events are kept", async () => {
    let now = Date.now();
    const store = memoryStore({ replayWindow: 60_000 });
    const { client } = server(
      agentOf(async (ctx) => {
        ctx.artifact("a");
        return ctx.completed();
      }),
      { store, now: () => now },
    );
    const stream = client.sendStreamingMessage({ message: userMessage("x") });
    const id = (await stream.next()).value?.task?.id ?? "";
    await all(stream);
    expect(await all(client.subscribeToTask({ id }, { lastEventId: "1" }))).toEqual(["a", "COMPLETED"]);
    now += 61_000;
    await store.sweep(now, 100);
    expect(await reasonOf(client.subscribeToTask({ id }, { lastEventId: "1" }))).toBe(
      "UNSUPPORTED_OPERATION",
    );
    expect(await reasonOf(client.subscribeToTask({ id }))).toBe("UNSUPPORTED_OPERATION");
  });

  test.each([10_000, 10])(
    "of a task that goes on and has more events than it keeps: a store of %i",
    async (kept) => {
      const { client } = server(
        agentOf(async (ctx) => {
          for (let i = 0; i < 3_000; i += 1) {
            ctx.artifact(String(i));
            if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
          }
          return ctx.inputRequired("?");
        }),
        { store: memoryStore({ maxEvents: kept }) },
      );
      const { task } = await client.sendMessage({ message: userMessage("x") });
      const id = task?.id ?? "";
      const resumed = client.subscribeToTask({ id }, { lastEventId: "2" });
      const first = (await resumed.next()).value;
      await client.cancelTask({ id });
      const rest = await all(resumed);
      if (kept === 10) {
        // Too little is kept to go on from there.
        expect(first?.task?.id).toBe(id);
        expect(rest).toEqual(["CANCELED"]);
        return;
      }
      expect(first?.artifactUpdate?.artifact.parts[0]?.text).toBe("1");
      const texts = Array.from({ length: 2_998 }, (_, i) => String(i + 2));
      expect(rest).toEqual([...texts, "INPUT_REQUIRED", "CANCELED"]);
    },
  );

  test.each(["99", "-1", "x", ""])(
    "%j is no place in the task: the task comes first",
    async (lastEventId) => {
      const { client } = server(counting);
      const { task } = await client.sendMessage({ message: userMessage("x") });
      const stream = client.subscribeToTask({ id: task?.id ?? "" }, { lastEventId });
      expect((await stream.next()).value?.task).toEqual(task);
      expect(stream.lastEventId).toBe("5");
      await stream.return();
    },
  );
});

describe("the end of the server", () => {
  test("ends streams without an error, answers who waits, and tells the handlers", async () => {
    const [began, told] = [gate(), gate()];
    const { client, server: agent } = server(
      agentOf(async (ctx) => {
        ctx.signal.addEventListener("abort", () => {
          told.open();
        });
        began.open();
        await new Promise(() => undefined);
      }),
      { store: { ...memoryStore(), hints: { durable: true } } },
    );
    const blocking = client.sendMessage({ message: userMessage("x") }).catch((error: unknown) => error);
    await began.passed;
    const id = (await client.listTasks()).tasks[0]?.id ?? "";
    const stream = client.subscribeToTask({ id });
    await stream.next();
    await agent.close({ deadlineMs: 0 });
    await told.passed;
    // The client sees that the task had not come to rest, and where to go on.
    expect(await reasonOf(stream)).toBe("STREAM_CUT");
    expect(stream.lastEventId).toBe("1");
    expect(await blocking).toMatchObject({ message: "This agent is shutting down; try again later" });
    await expect(client.listTasks()).rejects.toMatchObject({
      message: "This agent is shutting down; try again later",
    });
    await agent.close();
  });
});
