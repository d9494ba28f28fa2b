/** Messages: to new, running, paused and finished tasks, and what context they belong to. */
import { describe, expect, test } from "vitest";
import { isA2AError, type A2AError } from "../../src/errors.js";
import type { Message, Task } from "../../src/versions/pivot.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { agentOf, gate, start, turn } from "./agents.js";

const echo = agentOf(async (_ctx, message) => `echo: ${textOf(message)}`);

const taskOf = (reply: { task?: Task }): Task => {
  if (reply.task === undefined) throw new Error("expected a task");
  return reply.task;
};

async function refusal(call: Promise<unknown>): Promise<A2AError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isA2AError(error)) throw new Error("expected a refusal");
  return error;
}

describe("ids", () => {
  test("task and context are minted by the server and unique (A2A-3.4.1-b, A2A-3.4.2-b)", async () => {
    const { client } = start(echo);
    const tasks = await Promise.all(
      Array.from({ length: 200 }, () => client.sendMessage({ message: userMessage("x") }).then(taskOf)),
    );
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(200);
    expect(new Set(tasks.map(({ contextId }) => contextId)).size).toBe(200);
  });

  test("a context of the client's is kept; an empty id is none (A2A-3.4.1-c)", async () => {
    const { client } = start(echo);
    const own = taskOf(await client.sendMessage({ message: userMessage("x", { contextId: "mine" }) }));
    expect(own.contextId).toBe("mine");
    const blank = taskOf(
      await client.sendMessage({ message: userMessage("x", { contextId: "", taskId: "" }) }),
    );
    expect(blank.contextId).not.toBe("");
    expect(blank.id).not.toBe(own.id);
  });

  test("an unknown task is not found, and none is made (A2A-3.4.2-e)", async () => {
    const { client } = start(echo);
    const error = await refusal(client.sendMessage({ message: userMessage("x", { taskId: "nope" }) }));
    expect(error.reason).toBe("TASK_NOT_FOUND");
    expect((await client.listTasks()).totalSize).toBe(0);
  });
});

test("a task is known to whoever asks while its handler has said nothing yet, however soon", async () => {
  const began = gate();
  const { client } = start(
    agentOf(async (_ctx, message) => {
      if (textOf(message) !== "wait") return "done";
      began.open();
      await new Promise(() => undefined);
      return "never";
    }),
  );
  // The first task tells how soon the store answers.
  const first = taskOf(await client.sendMessage({ message: userMessage("x") }));
  void client.sendMessage({ message: userMessage("wait") }).catch(() => undefined);
  await began.passed;
  const { tasks } = await client.listTasks();
  expect(tasks.map(({ status }) => status.state)).toEqual(["TASK_STATE_SUBMITTED", "TASK_STATE_COMPLETED"]);
  const waiting = tasks[0] ?? first;
  expect((await client.getTask({ id: waiting.id })).status.state).toBe("TASK_STATE_SUBMITTED");
  const canceled = await client.cancelTask({ id: waiting.id });
  expect(canceled.status.state).toBe("TASK_STATE_CANCELED");
});

describe("the context of a follow-up", () => {
  const asking = agentOf(async (ctx, m) => (ctx.turn === 1 ? ctx.inputRequired("?") : `got ${textOf(m)}`));

  test("is that of its task (A2A-3.4.3-c)", async () => {
    const { client } = start(asking);
    const first = taskOf(await client.sendMessage({ message: userMessage("a") }));
    const next = taskOf(await client.sendMessage({ message: userMessage("b", { taskId: first.id }) }));
    expect([next.id, next.contextId, textOf(next)]).toEqual([first.id, first.contextId, "got b"]);
  });

  test("a wrong one is refused before anything is stored (A2A-3.4.3-d, Q14)", async () => {
    const { client } = start(asking);
    const a = taskOf(await client.sendMessage({ message: userMessage("a") }));
    const wrong = userMessage("b", { taskId: a.id, contextId: "other" });
    const error = await refusal(client.sendMessage({ message: wrong }));
    expect(error).toMatchObject({ reason: "INVALID_PARAMS", code: -32602 });
    expect(error.violations?.map(({ field }) => field)).toEqual(["message.contextId"]);
    expect(await client.getTask({ id: a.id })).toEqual(a);
  });

  test("is checked before the end of the task: no state leaks", async () => {
    const { client } = start(echo);
    const { id } = taskOf(await client.sendMessage({ message: userMessage("a") }));
    const error = await refusal(
      client.sendMessage({ message: userMessage("b", { taskId: id, contextId: "other" }) }),
    );
    expect(error.reason).toBe("INVALID_PARAMS");
  });
});

describe("refusals", () => {
  test.each(["completed", "failed", "canceled", "rejected"] as const)(
    "a message to a %s task (A2A-3.1.1-g)",
    async (outcome) => {
      const { client } = start(agentOf(async (ctx) => ctx[outcome]()));
      const before = taskOf(await client.sendMessage({ message: userMessage("a") }));
      const message = userMessage("b", { taskId: before.id });
      expect((await refusal(client.sendMessage({ message }))).reason).toBe("UNSUPPORTED_OPERATION");
      const stream = client.sendStreamingMessage({ message });
      expect((await refusal(stream.next())).reason).toBe("UNSUPPORTED_OPERATION");
      expect(await client.getTask({ id: before.id })).toEqual(before);
    },
  );

  test.each(["ROLE_AGENT", "ROLE_UNSPECIFIED"] as const)("a message of %s (Q44)", async (role) => {
    const { client } = start(echo);
    const error = await refusal(client.sendMessage({ message: { ...userMessage("x"), role } }));
    expect(error.reason).toBe("INVALID_PARAMS");
    expect(error.violations?.[0]?.field).toBe("message.role");
    expect((await client.listTasks()).totalSize).toBe(0);
  });

  test("a part of a type that the card does not take (A2A-3.1.1-f, decision 22)", async () => {
    const { client } = start(echo);
    const message: Message = {
      ...userMessage("x"),
      parts: [{ raw: "AA==", mediaType: "application/x-unknown" }],
    };
    const error = await refusal(client.sendMessage({ message }));
    expect(error.reason).toBe("CONTENT_TYPE_NOT_SUPPORTED");
    expect((await client.listTasks()).totalSize).toBe(0);
    const lenient = start(echo, { checkInputModes: false });
    expect(taskOf(await lenient.client.sendMessage({ message })).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test.each([
    [["text/plain"], "text/plain", true],
    [["text/plain"], "Text/Plain; charset=utf-8", true],
    [["text"], "text/markdown", true],
    [["text"], "image/png", false],
    [["image/*"], "image/png", true],
    [["image/*"], "text/plain", false],
    [["*/*"], "application/x-any", true],
    [["application/json"], undefined, true],
    [["text/plain"], "image/png", false],
  ])("modes %j and a part of %s: %s", async (defaultInputModes, mediaType, taken) => {
    const card = { name: "T", description: "d", skills: [], defaultInputModes };
    const { client } = start(agentOf(async () => "ok", { card }));
    const part = { text: "x", ...(mediaType !== undefined && { mediaType }) };
    const call = client.sendMessage({ message: { ...userMessage("x"), parts: [part] } });
    if (taken) expect(taskOf(await call).status.state).toBe("TASK_STATE_COMPLETED");
    else expect((await refusal(call)).reason).toBe("CONTENT_TYPE_NOT_SUPPORTED");
  });

  test("modes of a skill count too (A2A-4.4.1-d)", async () => {
    const skills = [{ id: "s", name: "S", description: "d", tags: [], inputModes: ["image/png"] }];
    const { client } = start(agentOf(async () => "ok", { card: { name: "T", description: "d", skills } }));
    const parts = [{ raw: "AA==", mediaType: "image/png" }];
    const reply = await client.sendMessage({ message: { ...userMessage("x"), parts } });
    expect(taskOf(reply).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("a webhook where the agent does not push (Q22); nothing is stored", async () => {
    const { client } = start(echo);
    const error = await refusal(
      client.sendMessage({
        message: userMessage("x"),
        configuration: { taskPushNotificationConfig: { url: "https://example.com/hook" } },
      }),
    );
    expect(error.reason).toBe("PUSH_NOTIFICATION_NOT_SUPPORTED");
    expect((await client.listTasks()).totalSize).toBe(0);
  });
});

describe("execution modes", () => {
  test("blocking answers at the end, returnImmediately with the task as it was made (A2A-3.2.2-a, -c)", async () => {
    const go = gate();
    const { client } = start(
      agentOf(async (ctx) => {
        ctx.working("on it");
        await go.passed;
        return "done";
      }),
    );
    const now = taskOf(
      await client.sendMessage({ message: userMessage("x"), configuration: { returnImmediately: true } }),
    );
    expect(now.status.state).toBe("TASK_STATE_SUBMITTED");
    expect((await client.getTask({ id: now.id })).status.state).toBe("TASK_STATE_WORKING");
    const blocking = client.sendMessage({ message: userMessage("y") }).then(taskOf);
    await turn();
    go.open();
    const done = await blocking;
    expect(done.status.state).toBe("TASK_STATE_COMPLETED");
    // A2A-3.2.2-b: as complete as a GetTask right after.
    expect(await client.getTask({ id: done.id })).toEqual(done);
  });

  test("a pause ends the wait; the reply shows the pause (A2A-3.2.2-a)", async () => {
    for (const pause of ["inputRequired", "authRequired"] as const) {
      const { client } = start(agentOf(async (ctx) => ctx[pause]("?")));
      const { status } = taskOf(await client.sendMessage({ message: userMessage("x") }));
      expect(textOf(status.message)).toBe("?");
    }
  });

  test("historyLength: 0 leaves the key out, n keeps the newest n (A2A-3.2.4)", async () => {
    const { client } = start(
      agentOf(async (ctx) => {
        ctx.working("one");
        ctx.working("two");
        return ctx.completed("three");
      }),
    );
    const history = async (historyLength?: number): Promise<string[] | undefined> => {
      const configuration = historyLength === undefined ? {} : { historyLength };
      const sent = taskOf(await client.sendMessage({ message: userMessage("hi"), configuration }));
      const got = await client.getTask({ id: sent.id, ...configuration });
      expect(got.history).toEqual(sent.history);
      return sent.history?.map(textOf);
    };
    expect(await history()).toEqual(["hi", "one", "two"]);
    expect(await history(0)).toBeUndefined();
    expect(await history(1)).toEqual(["two"]);
    expect(await history(2)).toEqual(["one", "two"]);
    expect(await history(99)).toEqual(["hi", "one", "two"]);
    const negative = { message: userMessage("x"), configuration: { historyLength: -1 } };
    expect((await refusal(client.sendMessage(negative))).violations?.[0]?.field).toBe(
      "configuration.historyLength",
    );
  });
});

describe("messages to a running task", () => {
  test("are stored and offered on ctx.inbox; one run at a time", async () => {
    let running = 0;
    let most = 0;
    const began = gate();
    const { client } = start(
      agentOf(async (ctx) => {
        running += 1;
        most = Math.max(most, running);
        began.open();
        const said: string[] = [];
        for await (const message of ctx.inbox) {
          said.push(textOf(message));
          if (said.length === 2) break;
        }
        running -= 1;
        return said.join();
      }),
    );
    const first = client.sendMessage({ message: userMessage("go") }).then(taskOf);
    await began.passed;
    const { id: taskId = "" } = (await client.listTasks()).tasks[0] ?? {};
    const more = ["a", "b"].map((text) =>
      client.sendMessage({ message: userMessage(text, { taskId }) }).then(taskOf),
    );
    const replies = await Promise.all([first, ...more]);
    for (const reply of replies) expect(reply).toEqual(replies[0]);
    expect(textOf(replies[0])).toBe("a,b");
    expect(replies[0].history?.map(textOf)).toEqual(["go", "a", "b"]);
    expect(most).toBe(1);
  });

  test("those not taken start the next turn; each caller gets the rest its message led to", async () => {
    const [began, go] = [gate(), gate()];
    const { client } = start(
      agentOf(async (ctx, message) => {
        if (ctx.turn > 1) return `${String(ctx.turn)}: ${textOf(message)}`;
        began.open();
        await go.passed;
        return ctx.inputRequired("more?");
      }),
    );
    const first = client.sendMessage({ message: userMessage("one") }).then(taskOf);
    await began.passed;
    const { id: taskId = "" } = (await client.listTasks()).tasks[0] ?? {};
    const second = client.sendMessage({ message: userMessage("two", { taskId }) }).then(taskOf);
    await turn();
    go.open();
    expect((await first).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const answered = await second;
    expect(textOf(answered)).toBe("2: two");
    expect(answered.history?.map(textOf)).toEqual(["one", "two", "more?"]);
  });

  test("a next turn that pauses answers its caller, too", async () => {
    const [began, go] = [gate(), gate()];
    const { client } = start(
      agentOf(async (ctx, message) => {
        if (ctx.turn === 1) {
          began.open();
          await go.passed;
        }
        return ctx.inputRequired(`re: ${textOf(message)}`);
      }),
    );
    const first = client.sendMessage({ message: userMessage("one") }).then(taskOf);
    await began.passed;
    const { id: taskId = "" } = (await client.listTasks()).tasks[0] ?? {};
    const more = ["two", "three"].map((text) =>
      client.sendMessage({ message: userMessage(text, { taskId }) }).then(taskOf),
    );
    await turn();
    go.open();
    const replies = await Promise.all([first, ...more]);
    expect(replies.map(({ status }) => textOf(status.message))).toEqual(["re: one", "re: two", "re: three"]);
  });

  test("those not taken get the finished task, when it ends", async () => {
    const [began, go] = [gate(), gate()];
    const { client } = start(
      agentOf(async () => {
        began.open();
        await go.passed;
        return "done";
      }),
    );
    const first = client.sendMessage({ message: userMessage("one") }).then(taskOf);
    await began.passed;
    const { id: taskId = "" } = (await client.listTasks()).tasks[0] ?? {};
    const second = client.sendMessage({ message: userMessage("two", { taskId }) }).then(taskOf);
    await turn();
    go.open();
    expect(await second).toEqual(await first);
    expect((await second).history?.map(textOf)).toEqual(["one", "two"]);
  });

  test("after the outcome a message waits for the next turn, even while the handler tidies up", async () => {
    const [paused, tidy] = [gate(), gate()];
    const taken: unknown[] = [];
    const { client } = start(
      agentOf(async (ctx, message) => {
        if (ctx.turn === 2) return textOf(message);
        const { inbox } = ctx;
        const outcome = ctx.inputRequired("?");
        paused.open();
        await tidy.passed;
        taken.push(inbox.take(), ctx.inbox.take());
        return outcome;
      }),
    );
    const first = taskOf(await client.sendMessage({ message: userMessage("one") }));
    const second = client.sendMessage({ message: userMessage("two", { taskId: first.id }) }).then(taskOf);
    await turn();
    tidy.open();
    expect(textOf(await second)).toBe("two");
    expect(taken).toEqual([undefined, undefined]);
  });

  test('inbox: "reject" refuses them, and nothing is stored', async () => {
    const [began, go] = [gate(), gate()];
    const { client } = start(
      agentOf(
        async () => {
          began.open();
          await go.passed;
        },
        { inbox: "reject" },
      ),
    );
    const first = client.sendMessage({ message: userMessage("one") }).then(taskOf);
    await began.passed;
    const { id: taskId = "" } = (await client.listTasks()).tasks[0] ?? {};
    const error = await refusal(client.sendMessage({ message: userMessage("two", { taskId }) }));
    expect(error.reason).toBe("UNSUPPORTED_OPERATION");
    go.open();
    expect((await first).history?.map(textOf)).toEqual(["one"]);
  });

  test("returnImmediately answers at once, with the message in the history", async () => {
    const [began, go] = [gate(), gate()];
    const { client } = start(
      agentOf(async () => {
        began.open();
        await go.passed;
      }),
    );
    const first = client.sendMessage({ message: userMessage("one") });
    await began.passed;
    const { id: taskId = "" } = (await client.listTasks()).tasks[0] ?? {};
    const now = taskOf(
      await client.sendMessage({
        message: userMessage("two", { taskId }),
        configuration: { returnImmediately: true },
      }),
    );
    expect(now.status.state).toBe("TASK_STATE_SUBMITTED");
    expect(now.history?.map(textOf)).toEqual(["one", "two"]);
    go.open();
    await first;
  });

  test("a message and the end at once: either way it is answered", async () => {
    for (let i = 0; i < 50; i += 1) {
      const [began, go] = [gate(), gate()];
      const { client } = start(
        agentOf(async (ctx) => {
          began.open();
          await go.passed;
          return ctx.turn === 1 && i % 2 === 0 ? ctx.inputRequired("?") : "done";
        }),
      );
      const first = client.sendMessage({ message: userMessage("one") }).then(taskOf);
      await began.passed;
      const { id: taskId = "" } = (await client.listTasks()).tasks[0] ?? {};
      const send = (): Promise<unknown> =>
        client.sendMessage({ message: userMessage("two", { taskId }) }).then(
          (reply) => taskOf(reply).status.state,
          (error: unknown) => (error as A2AError).reason,
        );
      const racing = i % 3 === 0 ? send() : undefined;
      go.open();
      for (let n = 0; n < i % 7; n += 1) await Promise.resolve();
      const outcome = await (racing ?? send());
      expect(["TASK_STATE_COMPLETED", "UNSUPPORTED_OPERATION"]).toContain(outcome);
      await first;
    }
  });
});
