/** Messages that come again (`idempotency`): answered with what they led to, processed once. */
import { describe, expect, it } from "vitest";
import { isA2AError } from "../../src/errors.js";
import { recentAnswers } from "../../src/server/recent-answers.js";
import { sha256 } from "../../src/sha256.js";
import { createServer, type ServerOptions } from "../../src/server.js";
import { userMessage, type StreamResponse } from "../../src/versions/pivot.js";
import { bindings, callerOf, serveAgent } from "../push/over-bindings.js";
import { eventsOf } from "../rpc/support.js";
import { slowStore } from "../task/slow-store.js";
import { agentOf, gate, quiet, start, turn } from "./agents.js";

/** Turns until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

/** An agent that counts its runs. */
function counting(options: Partial<ServerOptions> = {}) {
  const runs: string[] = [];
  const agent = agentOf(async (ctx) => {
    runs.push(ctx.taskId);
    return `run ${String(runs.length)}`;
  });
  return { runs, agent, options: { idempotency: true, ...options } };
}

const message = userMessage("go", { messageId: "m1" });

describe.each(bindings)("a repeat over %s", (binding) => {
  it("gets the first answer, and is processed again without the option (A2A-3.3.1-b)", async () => {
    for (const [idempotency, count] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const { agent, runs } = counting();
      await using server = await serveAgent(agent, { idempotency });
      const call = callerOf(server, binding);
      const first = await call("SendMessage", { message });
      const second = await call("SendMessage", { message });
      expect(runs).toHaveLength(count);
      expect(second.result.task.id === first.result.task.id).toBe(idempotency);
      if (idempotency) expect(second).toEqual(first);
    }
  });

  it("as a stream gets the task that the first one made, and the stream ends", async () => {
    const { agent, runs } = counting();
    await using server = await serveAgent(agent, { idempotency: true });
    const call = callerOf(server, binding);
    const { result } = await call("SendMessage", { message });
    const events = eventsOf((await call("SendStreamingMessage", { message })).result as string);
    expect(events.map(({ data }) => (data.result ?? data) as StreamResponse)).toEqual([
      { task: result.task },
    ]);
    expect(runs).toHaveLength(1);
  });

  it("with another payload is refused", async () => {
    const { agent, runs } = counting();
    await using server = await serveAgent(agent, { idempotency: true });
    const call = callerOf(server, binding);
    await call("SendMessage", { message });
    const other = await call("SendMessage", { message: userMessage("stop", { messageId: "m1" }) });
    expect(other.error).toMatchObject({
      code: binding === "JSONRPC" ? -32602 : 400,
      text: expect.stringContaining("message.messageId"),
    });
    expect(runs).toHaveLength(1);
  });
});

it("holds for 0.3 as for 1.0", async () => {
  const { agent, runs } = counting();
  await using server = await serveAgent(agent, { idempotency: true });
  const send = async (): Promise<string> => {
    const old = { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "text", text: "go" }] };
    const response = await fetch(server.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message: old } }),
    });
    return ((await response.json()) as { result: { id: string } }).result.id;
  };
  const first = await send();
  expect(await send()).toBe(first);
  const call = callerOf(server, "JSONRPC");
  const again = await call("SendMessage", {
    message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "go" }] },
  });
  expect(again.result.task.id).toBe(first);
  expect(runs).toHaveLength(1);
});

describe("while the first goes on", () => {
  const working = (replies: "task" | "auto" | "message" = "task") => {
    const next = gate();
    let runs = 0;
    const agent = agentOf(
      async (ctx) => {
        runs += 1;
        if (replies === "task") ctx.working("first");
        await next.passed;
        return replies === "message" ? ctx.message("direct") : "done";
      },
      { replies, autoDelayMs: 60_000 },
    );
    return { ...start(agent, { idempotency: true }), next, runs: () => runs };
  };

  it.each(["task", "auto", "message"] as const)("a repeat waits for it (replies: %s)", async (replies) => {
    const { client, next, runs } = working(replies);
    const first = client.sendMessage({ message });
    await turn();
    const second = client.sendMessage({ message });
    await turn();
    next.open();
    expect(await second).toEqual(await first);
    expect(await client.sendMessage({ message })).toEqual(await first);
    expect(runs()).toBe(1);
  });

  it("a repeat joins its stream: the task as it is, then what follows", async () => {
    const { client, next, runs } = working();
    const first = client.sendMessage({ message });
    await turn();
    const events: StreamResponse[] = [];
    for await (const event of client.sendStreamingMessage({ message })) {
      events.push(event);
      next.open();
    }
    expect(events.map((event) => Object.keys(event).join())).toEqual([
      "task",
      "artifactUpdate",
      "statusUpdate",
    ]);
    expect(events[0]?.task?.status.state).toBe("TASK_STATE_WORKING");
    expect(events[0]?.task?.id).toBe((await first).task?.id);
    expect(runs()).toBe(1);
  });

  it("a repeat that must not wait gets the task at once", async () => {
    const { client, next } = working();
    const first = client.sendMessage({ message });
    await turn();
    const configuration = { returnImmediately: true };
    const { task } = await client.sendMessage({ message, configuration });
    expect(task?.status.state).toBe("TASK_STATE_WORKING");
    next.open();
    expect((await first).task?.id).toBe(task?.id);
  });

  it("the first caller may go away: the repeat still gets the task", async () => {
    const { client, next, runs } = working();
    const gone = new AbortController();
    const first = client.sendMessage({ message }, { signal: gone.signal });
    await turn();
    gone.abort();
    await expect(first).rejects.toMatchObject({ reason: "ABORTED" });
    const second = client.sendMessage({ message });
    next.open();
    expect((await second).task?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(runs()).toBe(1);
  });

  it("a repeat whose caller goes away ends, and nothing else", async () => {
    const { client, next } = working("message");
    const first = client.sendMessage({ message });
    await turn();
    const gone = new AbortController();
    const second = client.sendMessage({ message }, { signal: gone.signal });
    await turn();
    gone.abort();
    await expect(second).rejects.toMatchObject({ reason: "ABORTED" });
    next.open();
    expect((await first).message).toBeDefined();
  });
});

describe("what is no repeat", () => {
  const reasonOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => "answered",
      (error: unknown) => (isA2AError(error) ? error.reason : String(error)),
    );

  it("another context, owner or tenant; the order of members does not matter", async () => {
    const { agent, runs } = counting();
    await using server = await serveAgent(agent, {
      idempotency: true,
      auth: ({ headers }) => ({ principal: headers["x-user"] }),
    });
    const call = callerOf(server, "JSONRPC");
    const send = async (more: object, user = "alice", tenant = "") =>
      call(
        "SendMessage",
        { message: { ...message, ...more }, ...(tenant && { tenant }) },
        { "x-user": user },
      );
    await send({ contextId: "c1" });
    await send({ contextId: "c2" });
    await send({});
    await send({}, "bob");
    await send({}, "alice", "acme");
    expect(runs).toHaveLength(5);
    const { parts, role, messageId } = message;
    await call("SendMessage", { message: { parts, messageId, role } }, { "x-user": "alice" });
    expect(runs).toHaveLength(5);
    // Free-form members keep the order in which they came.
    const ordered = await send({ messageId: "m3", metadata: { a: 1, b: { c: 2, d: 3 } } });
    const turned = await send({ messageId: "m3", metadata: { b: { d: 3, c: 2 }, a: 1 } });
    expect(turned.result.task.id).toBe(ordered.result.task.id);
    expect(runs).toHaveLength(6);
  });

  it("a message that was refused, or whose handler failed without a task", async () => {
    let failures = 1;
    const agent = agentOf(
      async (ctx) => {
        if (failures-- > 0) throw new Error("down");
        return ctx.message("up");
      },
      { replies: "message" },
    );
    const { client } = start(agent, { idempotency: true });
    expect(await reasonOf(client.sendMessage({ message }))).toBe("INTERNAL_ERROR");
    expect((await client.sendMessage({ message })).message).toBeDefined();
    const lost = userMessage("go", { messageId: "m2", taskId: "nope" });
    expect(await reasonOf(client.sendMessage({ message: lost }))).toBe("TASK_NOT_FOUND");
    expect(await reasonOf(client.sendMessage({ message: lost }))).toBe("TASK_NOT_FOUND");
  });

  it("one of several that wait while the first fails: it is the first then, and the others are its repeats", async () => {
    const next = gate();
    let runs = 0;
    const agent = agentOf(
      async (ctx) => {
        runs += 1;
        if (runs > 1) return ctx.message(`run ${String(runs)}`);
        await next.passed;
        throw new Error("down");
      },
      { replies: "message" },
    );
    const { client } = start(agent, { idempotency: true });
    const first = reasonOf(client.sendMessage({ message }));
    await turn();
    const others = [client.sendMessage({ message }), client.sendMessage({ message })];
    // Their hashes are made elsewhere; then they wait.
    for (let i = 0; i < 20; i += 1) await sha256("x");
    next.open();
    expect(await first).toBe("INTERNAL_ERROR");
    const [second, third] = await Promise.all(others);
    expect(second).toEqual(third);
    expect(runs).toBe(2);
  });

  it("another message under the id of one that was refused; of one that was taken, it is refused (A2A-3.3.1-b)", async () => {
    const { agent } = counting();
    const { client } = start(agent, { idempotency: true });
    const lost = userMessage("go", { messageId: "m2", taskId: "nope" });
    expect(await reasonOf(client.sendMessage({ message: lost }))).toBe("TASK_NOT_FOUND");
    const found = userMessage("go", { messageId: "m2" });
    expect(await reasonOf(client.sendMessage({ message: found }))).toBe("answered");
    // What comes beside the message is part of it.
    const request = { message: found, metadata: { urgent: true } };
    expect(await reasonOf(client.sendMessage(request))).toBe("INVALID_PARAMS");
  });

  it("one that comes after the window, or after too many others", async () => {
    let now = 1_000;
    const { agent, runs } = counting();
    const { client } = start(agent, { idempotency: { windowMs: 100, max: 2 }, now: () => now });
    const send = (messageId: string) => client.sendMessage({ message: userMessage("go", { messageId }) });
    await send("a");
    now += 99;
    await send("a");
    expect(runs).toHaveLength(1);
    now += 1;
    await send("a");
    expect(runs).toHaveLength(2);
    await send("b");
    // Asked for again: "b" is now the one that was not used for longest.
    await send("a");
    await send("c");
    await send("a");
    expect(runs).toHaveLength(4);
    await send("b");
    expect(runs).toHaveLength(5);
  });
});

it("a task that asked is shown as it stands, and its follow-up is a message of its own", async () => {
  let turns = 0;
  const agent = agentOf(async (ctx) => {
    turns += 1;
    return ctx.turn === 1 ? ctx.inputRequired("Which?") : "done";
  });
  const { client } = start(agent, { idempotency: true });
  const first = await client.sendMessage({ message });
  expect(await client.sendMessage({ message })).toEqual(first);
  const taskId = first.task?.id ?? "";
  const answer = { message: userMessage("this", { messageId: "m2", taskId }) };
  const { task } = await client.sendMessage(answer);
  expect((await client.sendMessage(answer)).task).toEqual(task);
  expect((await client.sendMessage({ message })).task?.status.state).toBe("TASK_STATE_COMPLETED");
  expect(turns).toBe(2);
});

describe("a task that asked, and whose question", () => {
  const asking = () => agentOf(async (ctx) => ctx.inputRequired("Which?"));
  const statesOf = async (stream: AsyncIterable<StreamResponse>): Promise<unknown[]> => {
    const states: unknown[] = [];
    for await (const { task, statusUpdate } of stream) states.push((task ?? statusUpdate)?.status.state);
    return states;
  };

  it("is not stored yet: the stream of a repeat has it, and ends", async () => {
    const store = slowStore();
    const { client } = start(asking(), { idempotency: true, store });
    const first = client.sendMessage({ message });
    await until(() => store.waiting === 1);
    await store.pass();
    await until(() => store.waiting === 1);
    const states = statesOf(client.sendStreamingMessage({ message }));
    await turn();
    await store.pass();
    expect(await states).toEqual(["TASK_STATE_INPUT_REQUIRED"]);
    expect((await first).task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });

  it("was stored before somebody else listened to it: a repeat is answered", async () => {
    const { client } = start(asking(), { idempotency: true });
    const { task } = await client.sendMessage({ message });
    await turn();
    const listener = client.subscribeToTask({ id: task?.id ?? "" })[Symbol.asyncIterator]();
    await listener.next();
    expect((await client.sendMessage({ message })).task).toEqual(task);
    expect(await statesOf(client.sendStreamingMessage({ message }))).toEqual(["TASK_STATE_INPUT_REQUIRED"]);
    await listener.return?.();
  });
});

it("an answer is forgotten by whoever gave it, not by whoever was there before", () => {
  const answers = recentAnswers<string>(1_000, 10, () => 0);
  const [old, young] = ["a", "b"].map((fingerprint) => ({ fingerprint, outcome: Promise.resolve("x") }));
  if (old === undefined || young === undefined) throw new Error("there are two");
  answers.add("k", old);
  answers.add("k", young);
  answers.drop("k", old);
  expect(answers.get("k")).toBe(young);
  answers.drop("k", young);
  expect(answers.get("k")).toBeUndefined();
});

it("options that cannot work are refused", () => {
  const { agent } = counting();
  for (const idempotency of [{ windowMs: 0 }, { max: 0 }, { max: Number.NaN }]) {
    expect(() => createServer(agent, { idempotency, logger: quiet })).toThrow("idempotency.");
  }
});
