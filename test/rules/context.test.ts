/** Contexts and task ids: who makes them, what belongs together, and conversations of several turns and tasks. */
import { describe, expect, it } from "vitest";
import { A2AError } from "../../src/errors.js";
import { textOf as pivotText } from "../../src/versions/pivot.js";
import { agentOf, gate } from "../server/agents.js";
import {
  bindings,
  errorOf,
  fieldsOf,
  historyOf,
  host,
  reasonOf,
  say,
  short,
  textOf,
  type Json,
} from "./support.js";

const echo = agentOf(async (_ctx, message) => pivotText(message));
const talking = agentOf(async (ctx, message) =>
  pivotText(message) === "stop" ? ctx.completed() : ctx.inputRequired(`turn ${String(ctx.turn)}`),
);

describe.each(bindings)("over %s", (binding) => {
  it("a message without context gets one, in tasks, messages and events alike (A2A-3.4.1-a, A2A-3.4.1-b, A2A-4.1.1-b, A2A-4.1.4-c)", async () => {
    await using tasks = await host(binding, echo);
    await using messages = await host(
      binding,
      agentOf(async () => "hi", { replies: "message" }),
    );
    const { message } = await messages.ok("SendMessage", say("x"));
    expect(message.contextId).toMatch(/./);
    expect(message).not.toHaveProperty("taskId");
    const streamed = await (await messages.stream("SendStreamingMessage", say("x"))).rest();
    expect(streamed[0]?.event.message.contextId).toMatch(/./);
    for (const contextId of [undefined, ""]) {
      const task = await tasks.send("x", contextId === undefined ? {} : { contextId });
      expect(task.contextId).toMatch(/./);
      expect(task.history[0]).toMatchObject({ contextId: task.contextId, taskId: task.id });
      const frames = await (await tasks.stream("SendStreamingMessage", say("x"))).rest();
      const minted = frames[0]?.event.task;
      for (const { event } of frames.slice(1)) {
        const update = event.statusUpdate ?? event.artifactUpdate;
        expect([update.contextId, update.taskId]).toEqual([minted.contextId, minted.id]);
      }
    }
  });

  it("a context that the client names is kept, and holds its tasks together (A2A-3.4.1-c, A2A-3.4.1-g, A2A-3.4.3-a, A2A-3.4.3-b)", async () => {
    await using on = await host(binding, echo);
    const mine = [await on.send("a", { contextId: "mine" }), await on.send("b", { contextId: "mine" })];
    const other = await on.send("c");
    expect(mine.map((task) => task.contextId)).toEqual(["mine", "mine"]);
    expect(mine[0].id).not.toBe(mine[1].id);
    expect(other.contextId).not.toBe("mine");
    const { tasks } = await on.ok("ListTasks", { contextId: "mine" });
    expect((tasks as Json[]).map(({ id }) => id).sort()).toEqual(mine.map(({ id }) => id).sort());
    await using messages = await host(
      binding,
      agentOf(async () => "hi", { replies: "message" }),
    );
    expect((await messages.ok("SendMessage", say("x", { contextId: "mine" }))).message.contextId).toBe(
      "mine",
    );
  });

  it("a context that is refused is an error, and never another one (A2A-3.4.1-d)", async () => {
    let runs = 0;
    const agent = agentOf(async () => void (runs += 1));
    const description = "this agent makes its contexts itself; leave it out";
    await using on = await host(binding, agent, {
      middleware: [
        (next) => (call) => {
          const { message } = call.input as { message?: { contextId?: string } };
          if (message?.contextId === undefined) return next(call);
          throw new A2AError("INVALID_PARAMS", description, {
            violations: [{ field: "message.contextId", pointer: "/message/contextId", description }],
          });
        },
      ],
    });
    const refused = await on.call("SendMessage", say("x", { contextId: "mine" }));
    expect([reasonOf(refused), fieldsOf(refused)]).toEqual(["INVALID_PARAMS", ["message.contextId"]]);
    expect(JSON.stringify(refused.json)).not.toContain("taskId");
    expect(runs).toBe(0);
    expect((await on.ok("ListTasks")).totalSize).toBe(0);
  });

  it("an agent can keep what belongs to a context, for tasks that come later (A2A-3.4.1-h, A2A-3.4.3-i, A2A-3.4.3-j)", async () => {
    const memory = new Map<string, string[]>();
    const agent = agentOf(async (ctx, message) => {
      const said = memory.get(ctx.contextId) ?? [];
      memory.set(ctx.contextId, [...said, pivotText(message)]);
      return said.length === 0 ? "nothing yet" : `you said ${said.join()}`;
    });
    await using on = await host(binding, agent);
    const first = await on.send("Rome");
    const second = await on.send("and?", { contextId: first.contextId });
    expect(textOf(second.artifacts[0])).toBe("you said Rome");
    expect(textOf((await on.send("and?")).artifacts[0])).toBe("nothing yet");
  });

  it("task ids are the server's, each another, and in the reply (A2A-3.4.2-a, A2A-3.4.2-b, A2A-3.4.2-c)", async () => {
    await using on = await host(binding, echo);
    const ids = new Set<string>();
    const input = say("x", { messageId: "chosen", metadata: { id: "chosen" } });
    for (let round = 0; round < 4; round += 1) {
      const replies = await Promise.all(Array.from({ length: 50 }, () => on.ok("SendMessage", input)));
      for (const { task } of replies) ids.add(task.id);
    }
    expect(ids.size).toBe(200);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    // One that the client made up makes no task.
    const made = crypto.randomUUID();
    expect(reasonOf(await on.call("SendMessage", say("x", { taskId: made })))).toBe("TASK_NOT_FOUND");
    expect(reasonOf(await on.call("GetTask", { id: made }))).toBe("TASK_NOT_FOUND");
  });

  it("a task goes on under its id, with or without its context (A2A-3.4.3-b, A2A-3.4.3-c, A2A-3.4.3-e)", async () => {
    await using on = await host(binding, talking);
    const one = await on.send("one");
    expect([one.status.state, textOf(one.status.message)]).toEqual(["TASK_STATE_INPUT_REQUIRED", "turn 1"]);
    const place = { taskId: one.id as string, contextId: one.contextId as string };
    const two = await on.send("two", { taskId: place.taskId });
    const three = await on.send("three", place);
    const blank = await on.send("four", { taskId: place.taskId, contextId: "" });
    const last = await on.send("stop", place);
    for (const task of [two, three, blank, last])
      expect({ taskId: task.id, contextId: task.contextId }).toEqual(place);
    expect(historyOf(last)).toEqual([
      "one",
      "turn 1",
      "two",
      "turn 2",
      "three",
      "turn 3",
      "four",
      "turn 4",
      "stop",
    ]);
    expect(last.status.state).toBe("TASK_STATE_COMPLETED");
    for (const message of last.history) expect(message).toMatchObject(place);
    expect((await on.ok("ListTasks")).totalSize).toBe(1);
  });

  it("a task and a context that do not belong together are refused, and nothing is stored (A2A-3.4.3-d, A2A-4.1.4-d)", async () => {
    await using on = await host(binding, talking);
    const [a, b] = [await on.send("a"), await on.send("b")];
    for (const contextId of [b.contextId as string, "made up"]) {
      for (const name of ["SendMessage", "SendStreamingMessage"]) {
        const refused = await on.call(name, say("x", { taskId: a.id, contextId }));
        expect([reasonOf(refused), fieldsOf(refused)]).toEqual(["INVALID_PARAMS", ["message.contextId"]]);
        // The context of the task is not told to whoever does not know it.
        expect(errorOf(refused).message).not.toContain(a.contextId);
      }
    }
    expect(await on.ok("GetTask", { id: a.id })).toStrictEqual(a);
    expect(await on.ok("GetTask", { id: b.id })).toStrictEqual(b);
  });

  it("the agent reads the tasks that a message refers to, as far as the caller may see them (A2A-3.4.3-h, A2A-4.1.4-e)", async () => {
    const agent = agentOf(async (ctx, message) => {
      const seen = await ctx.references();
      return [pivotText(message), ...seen.map((task) => pivotText(task))].join();
    });
    await using on = await host(binding, agent, {
      auth: ({ headers }) => ({ principal: headers["authorization"] }),
    });
    const send = async (who: string, text: string, message: object = {}): Promise<Json> =>
      (await on.ok("SendMessage", say(text, message), { authorization: who })).task;
    const [mine, theirs] = [await send("alice", "mine"), await send("bob", "theirs")];
    const referenceTaskIds = [mine.id, theirs.id, crypto.randomUUID(), mine.id];
    const next = await send("alice", "next", { referenceTaskIds, extensions: ["https://e/one"] });
    expect(textOf(next.artifacts[0])).toBe("next,mine");
    expect(next.history[0]).toMatchObject({ referenceTaskIds, extensions: ["https://e/one"] });
    expect(textOf((await send("bob", "next", { referenceTaskIds })).artifacts[0])).toBe("next,theirs");
  });

  it("once there is a task, its messages are answered with it (A2A-LT-b)", async () => {
    const agent = agentOf(
      async (ctx, message) =>
        ctx.turn === 1 && pivotText(message) === "ask" ? ctx.inputRequired("?") : ctx.message("said"),
      { replies: "auto", autoDelayMs: 60_000 },
    );
    await using on = await host(binding, agent);
    expect(Object.keys(await on.ok("SendMessage", say("quick")))).toEqual(["message"]);
    const { id } = await on.send("ask");
    const reply = await on.ok("SendMessage", say("answer", { taskId: id }));
    expect(Object.keys(reply)).toEqual(["task"]);
    expect(textOf(reply.task.status.message)).toBe("said");
    const again = await on.send("ask");
    const frames = await (
      await on.stream("SendStreamingMessage", say("answer", { taskId: again.id }))
    ).rest();
    expect(frames.map(short).every((event) => !event.startsWith("message"))).toBe(true);
  });

  it("tasks of one context run side by side (A2A-LT-c)", async () => {
    const gates = { a: gate(), b: gate() };
    const began = { a: gate(), b: gate() };
    const agent = agentOf(async (_ctx, message) => {
      const name = pivotText(message) as "a" | "b";
      began[name].open();
      await gates[name].passed;
      return name;
    });
    await using on = await host(binding, agent);
    const [a, b] = [on.send("a", { contextId: "c" }), on.send("b", { contextId: "c" })];
    await Promise.all([began.a.passed, began.b.passed]);
    expect((await on.ok("ListTasks", { contextId: "c", status: "TASK_STATE_SUBMITTED" })).totalSize).toBe(2);
    // The later one ends first.
    gates.b.open();
    expect(textOf((await b).artifacts[0])).toBe("b");
    gates.a.open();
    expect(textOf((await a).artifacts[0])).toBe("a");
  });

  it("a refined artifact keeps its name under a new id; an unclear reference is asked back (A2A-LT-d, A2A-LT-e)", async () => {
    const agent = agentOf(async (ctx, message) => {
      const known = (await ctx.references()).flatMap(({ artifacts }) => artifacts ?? []);
      if (known.length > 1)
        return ctx.inputRequired(`Which one: ${known.map(({ name }) => name).join(", ")}?`);
      ctx.artifact(pivotText(message), { name: known[0]?.name ?? pivotText(message) });
      return ctx.completed();
    });
    await using on = await host(binding, agent);
    const [boat, house] = [await on.send("boat"), await on.send("house")];
    const refine = (...tasks: Json[]): Promise<Json> =>
      on.send("red", { contextId: boat.contextId, referenceTaskIds: tasks.map(({ id }) => id as string) });
    const red = await refine(boat);
    expect(red.artifacts[0].name).toBe("boat");
    expect(red.artifacts[0].artifactId).not.toBe(boat.artifacts[0].artifactId);
    const unclear = await refine(boat, house);
    expect(unclear.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(textOf(unclear.status.message)).toBe("Which one: boat, house?");
  });
});
