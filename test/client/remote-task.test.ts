import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, isA2AError, type Agent, type ClientWarning, type ConnectOptions } from "a2a-typed/client";
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { caseOf, textOf, userMessage, type StreamResponse } from "a2a-typed/v1";
import { EventEmitter, once } from "node:events";
import { proxy, through, type Proxy, type ProxyFaults } from "./remote-proxy.js";

const ignore = (): void => undefined;
const silentLogger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const signals = new EventEmitter();

const agentOf = (streaming: boolean) =>
  defineAgent({
    card: { name: "Agent", description: "Does what it is told.", skills: [], capabilities: { streaming } },
    replies: "auto",
    async handle(ctx, message) {
      const said = textOf(message);
      if (said === "answer") return ctx.message("just so");
      ctx.working("thinking");
      if (said === "allow" && ctx.turn === 1) return ctx.authRequired("May I?");
      if (said === "ask") return ctx.inputRequired("Which?");
      if (said === "wait") await once(signals, "go", { signal: ctx.signal });
      const out = ctx.open({ name: "answer" });
      for (const word of ["one ", "two ", "three"]) await out.write(word);
      await out.close();
      return ctx.completed();
    },
  });

let streams: RunningServer;
let silent: RunningServer;
beforeAll(async () => {
  streams = await serve(agentOf(true), { port: 0, logger: silentLogger });
  silent = await serve(agentOf(false), { port: 0, logger: silentLogger });
});
afterAll(() => Promise.all([streams.close(), silent.close()]));

async function withAgent(
  look: (agent: Agent, middle: Proxy, warnings: ClientWarning[]) => Promise<void>,
  server = streams,
  faults?: ProxyFaults,
  options?: ConnectOptions,
  version?: string,
): Promise<void> {
  await using middle = await proxy(server.url, faults);
  const warnings: ClientWarning[] = [];
  const onWarning = (warning: ClientWarning): void => void warnings.push(warning);
  await using agent = await connect(through(server.card, middle.url, version), { onWarning, ...options });
  await look(agent, middle, warnings);
}

const kinds = (events: readonly StreamResponse[]): string[] => events.map((event) => caseOf(event));

describe("a task that is streamed", () => {
  it("gives its events, then its result, and is what the agent has (A2A-3.7-d)", () =>
    withAgent(async (agent, middle) => {
      const run = await agent.start("go");
      const events: StreamResponse[] = [];
      for await (const event of run) events.push(event);
      expect(kinds(events).slice(0, 2)).toEqual(["task", "statusUpdate"]);
      expect(run.text()).toBe("one two three");
      expect(run.artifacts.map(({ name }) => name)).toEqual(["answer"]);
      expect(run.status?.state).toBe("TASK_STATE_COMPLETED");
      expect(run.ended).toBe(true);
      const reply = await run.result();
      expect(reply.text()).toBe("one two three");
      expect(reply.task).toEqual(await agent.getTask({ id: run.id ?? "" }));
      expect(await run.next()).toEqual({ done: true, value: undefined });
      await middle.closed();
      expect(middle.calls).toEqual(["SendStreamingMessage", "GetTask"]);
    }));

  it("iteration and result wait at the same time; one that begins late begins with the task", () =>
    withAgent(async (agent) => {
      const run = await agent.start("go");
      const done = run.result();
      const events: StreamResponse[] = [];
      for await (const event of run) events.push(event);
      expect((await done).text()).toBe("one two three");
      expect(kinds(events).slice(0, 2)).toEqual(["task", "statusUpdate"]);

      const late = await agent.start("go");
      await late.result();
      expect(await late.next()).toEqual({ done: false, value: { task: late.task } });
      expect((await late.next()).done).toBe(true);
    }));

  it("a message without a task", () =>
    withAgent(async (agent) => {
      const run = await agent.start("answer");
      expect([run.id, run.status, run.text(), run.ended]).toEqual([undefined, undefined, "just so", true]);
      expect((await run.result()).message?.parts).toEqual([{ text: "just so" }]);
      expect(kinds(await all(run))).toEqual(["message"]);
      await expect(run.reply("more")).rejects.toMatchObject({ reason: "UNSUPPORTED_OPERATION" });
    }));

  it("asks, is answered, and goes on (A2A-3.4.2-d, A2A-3.4.3-f)", () =>
    withAgent(async (agent) => {
      const run = await agent.start("ask");
      expect((await run.result()).text()).toBe("Which?");
      expect(run.status?.state).toBe("TASK_STATE_INPUT_REQUIRED");
      await run.reply("this");
      const { task } = await run.result();
      expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
      expect(task).toEqual(await agent.getTask({ id: run.id ?? "" }));
      expect(run.snapshots).toBe(0);
      await expect(run.reply("more")).rejects.toMatchObject({ reason: "UNSUPPORTED_OPERATION" });
    }));

  it("waits for a permission, and is followed until somebody gives it (A2A-7.6.2-a, A2A-7.6.2-d)", () =>
    withAgent(async (agent) => {
      const run = await agent.start("allow");
      expect((await run.result()).task?.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
      expect((await all(run)).length).toBeGreaterThan(0);
      // The next loop waits for what others do.
      const rest = all(run);
      await agent.send({ ...userMessage("granted"), taskId: run.id ?? "" });
      expect((await rest).at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
      expect(run.snapshots).toBe(0);
      // What others say to a task is no event.
      const { history: _, ...found } = await agent.getTask({ id: run.id ?? "" });
      expect(run.task).toMatchObject(found);
    }));

  it("is told more while it works", () =>
    withAgent(async (agent) => {
      const run = await agent.start("wait");
      const done = run.result();
      await run.reply("and this");
      signals.emit("go");
      await done;
      const task = await agent.getTask({ id: run.id ?? "" });
      expect(task.history?.map(textOf)).toContain("and this");
      expect(run.task).toEqual(task);
    }));

  it("is left, found again by its id, and canceled; no connection is held meanwhile", () =>
    withAgent(async (agent, middle) => {
      const run = await agent.start("wait");
      for await (const event of run) if (event.statusUpdate) break;
      await middle.closed();
      const again = agent.task(run.id ?? "");
      expect(again.status).toBeUndefined();
      const { value } = await again.next();
      expect(value?.task?.status.state).toBe("TASK_STATE_WORKING");
      expect((await again.cancel()).status.state).toBe("TASK_STATE_CANCELED");
      expect((await again.result()).task?.status.state).toBe("TASK_STATE_CANCELED");
      // Whoever had left it learns of it too, with what was missed.
      expect((await run.result()).task).toEqual(again.task);
      expect(run.snapshots).toBe(0);
      expect((await again.cancel()).status.state).toBe("TASK_STATE_CANCELED");
      await middle.closed();
    }));

  it("result stops waiting in time, and the task goes on", () =>
    withAgent(async (agent, middle) => {
      const run = await agent.start("wait");
      await expect(run.result({ timeoutMs: 30 })).rejects.toMatchObject({ reason: "TIMEOUT" });
      await middle.closed();
      await expect(run.result({ signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: "ABORTED" });
      const done = run.result();
      signals.emit("go");
      expect((await done).text()).toBe("one two three");
      expect(run.snapshots).toBe(0);
    }));

  it("tells listeners", () =>
    withAgent(async (agent, middle) => {
      const run = await agent.start("go");
      const told: string[] = [];
      const rested = new Promise((resolve) => run.on("rest", resolve));
      run.on("status", ({ state }) => told.push(state));
      run.on("artifact", ({ artifact }) => told.push(textOf(artifact)));
      await rested;
      expect(told[0]).toBe("TASK_STATE_WORKING");
      expect(told.at(-1)).toBe("TASK_STATE_COMPLETED");
      expect(told.join("")).toContain("one ");
      const stopped = await agent.start("wait");
      stopped.on("event", () => undefined)();
      await middle.closed();
      await stopped.cancel();
    }));

  it("ends with its signal, its agent, or when it is closed", () =>
    withAgent(async (agent, middle) => {
      const controller = new AbortController();
      const one = await agent.start("wait", { signal: controller.signal });
      const result = one.result();
      controller.abort();
      await expect(result).rejects.toMatchObject({ reason: "ABORTED" });
      await middle.closed();
      const two = await agent.start("wait");
      const waiting = two.result();
      await two.close();
      await expect(waiting).rejects.toMatchObject({ reason: "ABORTED" });
      expect(await two.next()).toEqual({ done: true, value: undefined });
      await middle.closed();
      const three = await agent.start("wait");
      const last = three.result();
      await agent.close();
      await expect(last).rejects.toMatchObject({ reason: "ABORTED" });
      await middle.closed();
    }));

  it("in older versions", async () => {
    for (const version of ["0.3", "0.2"]) {
      await withAgent(
        async (agent) => {
          const run = await agent.start("go");
          expect((await run.result()).text()).toBe("one two three");
          expect(run.task).toEqual(await agent.getTask({ id: run.id ?? "" }));
        },
        streams,
        {},
        {},
        version,
      );
    }
  });
});

describe("a task that is polled", () => {
  const quick = { pollIntervalMs: 5 };

  it("where the card says that the agent does not stream (A2A-3.2.2-d, A2A-3.3.4-f)", () =>
    withAgent(async (agent, middle) => {
      const run = await agent.start("wait", quick);
      expect(run.status).toBeDefined();
      const done = run.result();
      signals.emit("go");
      expect((await done).text()).toBe("one two three");
      expect(new Set(middle.calls)).toEqual(new Set(["SendMessage", "GetTask"]));
      expect((await agent.task(run.id ?? "", quick).result()).text()).toBe("one two three");
    }, silent));

  it("where the agent says so itself, from then on", () =>
    withAgent(
      async (agent, middle) => {
        const run = await agent.start("go", quick);
        expect((await run.result()).text()).toBe("one two three");
        expect(middle.calls.slice(0, 2)).toEqual(["SendStreamingMessage", "SendMessage"]);
        await agent.start("go", quick);
        expect(middle.calls.at(-1)).toBe("SendMessage");
      },
      streams,
      {
        answer: (body) => (body.includes("SendStreamingMessage") ? rpcError(body, -32004) : undefined),
      },
    ));

  it("where subscribing after a break is refused, or does not work (A2A-3.1.3-d, A2A-SSE-d)", async () => {
    for (const code of [-32004, -32601, -32603]) {
      await withAgent(
        async (agent, middle) => {
          const run = await agent.start("wait", quick);
          const done = run.result();
          signals.emit("go");
          expect((await done).task?.status.state).toBe("TASK_STATE_COMPLETED");
          expect(run.text()).toBe("one two three");
          expect(middle.calls).toContain("GetTask");
        },
        streams,
        {
          cutAfter: () => 900,
          answer: (body) => (body.includes("SubscribeToTask") ? rpcError(body, code) : undefined),
        },
      );
    }
  });

  it("fails where the agent does not know the task, or keeps callers out", async () => {
    await withAgent(async (agent) => {
      const refused = agent.task("nowhere").result();
      await expect(refused).rejects.toMatchObject({ reason: "TASK_NOT_FOUND" });
    });
    await withAgent(
      async (agent) => {
        const error: unknown = await agent
          .task("any")
          .result()
          .catch((e: unknown) => e);
        expect(isA2AError(error, "UNAUTHENTICATED")).toBe(true);
      },
      streams,
      { answer: () => ({ status: 401, body: "" }) },
    );
  });

  it("gives up on an agent that is away for too long, and says how to go on", async () => {
    let away = false;
    const answer = (): { status: number; body: string } | undefined =>
      away ? { status: 503, body: "" } : undefined;
    await withAgent(
      async (agent) => {
        const run = await agent.start("wait", { ...quick, maxOutageMs: 300 });
        const done = run.result();
        away = true;
        await expect(done).rejects.toThrow(/could not be followed for 300 ms; go on later with agent\.task/);
        away = false;
        signals.emit("go");
        expect((await run.result()).text()).toBe("one two three");
      },
      silent,
      { answer },
      { retry: false },
    );
  });
});

describe("shortcuts", () => {
  it("list goes through all pages; cancel and subscribe take an id (A2A-3.1.4-n)", () =>
    withAgent(async (agent, middle) => {
      const run = await agent.start("wait");
      const contextId = run.contextId ?? "";
      await run.close();
      for (let n = 0; n < 4; n += 1) await agent.send({ ...userMessage("go"), contextId });
      middle.calls.length = 0;
      const ids: string[] = [];
      for await (const { id } of agent.list({ contextId, pageSize: 2 })) ids.push(id);
      expect(new Set(ids).size).toBe(5);
      expect(middle.calls).toEqual(["ListTasks", "ListTasks", "ListTasks"]);
      const stream = agent.subscribe(run.id ?? "");
      expect((await stream.next()).value?.task?.id).toBe(run.id);
      await stream.return();
      expect((await agent.cancel(run.id ?? "")).status.state).toBe("TASK_STATE_CANCELED");
    }));
});

describe("an agent with webhooks and a card for those it knows", () => {
  it("push makes, finds, lists and removes webhooks; the extended card takes the place of the public one (A2A-3.1.11-d)", async () => {
    const card = {
      name: "Agent",
      description: "For you.",
      version: "1",
      supportedInterfaces: [],
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [],
    };
    await using server = await serve(agentOf(true), {
      port: 0,
      logger: silentLogger,
      push: { allow: ["127.0.0.1"] },
      extendedCard: card,
      allowPublicExtendedCard: true,
    });
    await using agent = await connect(server.url);
    const run = await agent.start("wait");
    const taskId = run.id ?? "";
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { id } = await agent.push.create({ taskId, url: `http://127.0.0.1:65001/${String(n)}` });
      ids.push(id ?? "");
    }
    expect((await agent.push.get(taskId, ids[1] ?? "")).url).toBe("http://127.0.0.1:65001/1");
    const listed: unknown[] = [];
    for await (const { id } of agent.push.list(taskId)) listed.push(id);
    expect(new Set(listed)).toEqual(new Set(ids));
    for (const id of [...ids, ...ids]) await agent.push.delete(taskId, id);
    for await (const one of agent.push.list(taskId)) expect(one).toBeUndefined();
    await run.cancel();

    expect(agent.card.description).toBe("Does what it is told.");
    const extended = await agent.extendedCard();
    expect(extended.description).toBe("For you.");
    expect(agent.card).toBe(extended);
  });
});

async function all(run: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const event of run) events.push(event);
  return events;
}

function rpcError(body: string, code: number): { status: number; body: string } {
  const { id } = JSON.parse(body) as { id: unknown };
  return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "No." } }) };
}
