/** Rules of clients about contexts, histories and permissions, over both bindings, against servers that look. */
import { connect, followUp, type Agent } from "a2a-typed/client";
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { textOf, userMessage, type Message } from "a2a-typed/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen, reply } from "./support.js";

const ignore = (): void => undefined;
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const heard: Message[] = [];

const inner = defineAgent({
  card: { name: "Inner", description: "Asks for permission.", skills: [] },
  async handle(ctx, message) {
    heard.push(message);
    if (textOf(message) === "book" && ctx.turn === 1) return ctx.authRequired("May I book?");
    return `heard: ${textOf(message)}`;
  },
});

let server: RunningServer;
beforeAll(async () => {
  server = await serve(inner, { port: 0, logger });
});
afterAll(() => server.close());

describe.each(["JSONRPC", "HTTP+JSON"])("a client over %s", (binding) => {
  const open = (): Promise<Agent> => connect(server.url, { bindings: [binding] });

  it("invents no context, whether it sends, streams or starts (A2A-3.4.1-e)", async () => {
    await using peer = await listen((seen, response) => {
      const message = { messageId: "m", role: "ROLE_AGENT", parts: [] };
      reply(
        response,
        binding === "JSONRPC" ? { jsonrpc: "2.0", id: seen.json.id, result: { message } } : { message },
      );
    });
    const supportedInterfaces = [{ url: peer.url, protocolBinding: binding, protocolVersion: "1.0" }];
    await using agent = await connect({ name: "A", capabilities: { streaming: false }, supportedInterfaces });
    await agent.send("one");
    await agent.sendMessage({ message: userMessage("two") });
    await agent.start("three");
    expect(peer.seen).toHaveLength(3);
    for (const { body } of peer.seen) expect(body).not.toMatch(/contextId|taskId/);
  });

  it.each(["ctx 1/2?&#%", "7", "x".repeat(200), 'ctx:{"a":1}', "ü—語"])(
    "gives the context %j of an agent back as it came (A2A-3.4.1-f)",
    async (odd) => {
      const contextId = `${odd} ${binding}`;
      await using agent = await open();
      const first = await agent.send({ ...userMessage("x"), contextId });
      expect(first.task?.contextId).toBe(contextId);
      const run = await agent.start(followUp(first.task ?? never(), "y"));
      await run.result();
      expect(run.contextId).toBe(contextId);
      expect(heard.at(-1)?.contextId).toBe(contextId);
      const found: string[] = [];
      for await (const task of agent.list({ contextId })) found.push(task.id);
      expect(new Set(found)).toEqual(new Set([first.task?.id, run.id]));
    },
  );

  it("names the task that it goes on from, and is part of one that has not ended (A2A-3.4.3-g)", async () => {
    await using agent = await open();
    const { task } = await agent.send("x");
    if (task === undefined) throw new Error("no task");
    const { contextId } = task;
    const related = { ...userMessage("y"), referenceTaskIds: ["t0", task.id] };
    await agent.send(followUp(task, related));
    expect(heard.at(-1)).toMatchObject({ contextId, referenceTaskIds: ["t0", task.id] });
    await agent.send(followUp(task, "z"));
    expect(heard.at(-1)).toMatchObject({ contextId, referenceTaskIds: [task.id] });
    expect(heard.at(-1)?.taskId).not.toBe(task.id);
    const asking = await agent.send("book");
    await agent.send(followUp(asking.task ?? never(), "yes"));
    expect(heard.at(-1)).toMatchObject({ taskId: asking.task?.id, contextId: asking.task?.contextId });
    expect(heard.at(-1)?.referenceTaskIds).toBeUndefined();
  });

  it("needs no history of an agent: results are artifacts, and what was said is in the status (A2A-3.7-g)", async () => {
    const states = ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"];
    await using peer = await listen((seen, response) => {
      const isGet = seen.json.method === "GetTask" || seen.method === "GET";
      const state = isGet ? states.shift() : "TASK_STATE_SUBMITTED";
      const artifacts = [{ artifactId: "a", parts: [{ text: "done" }] }];
      const task = {
        id: "t1",
        contextId: "c1",
        status: { state },
        ...(state?.endsWith("COMPLETED") && { artifacts }),
      };
      const result = isGet ? task : { task };
      reply(response, binding === "JSONRPC" ? { jsonrpc: "2.0", id: seen.json.id, result } : result);
    });
    const supportedInterfaces = [{ url: peer.url, protocolBinding: binding, protocolVersion: "1.0" }];
    await using agent = await connect({ name: "A", capabilities: { streaming: false }, supportedInterfaces });
    const run = await agent.start("x", { pollIntervalMs: 1 });
    const { task } = await run.result();
    expect([run.text(), task?.history, task?.status.state]).toEqual([
      "done",
      undefined,
      "TASK_STATE_COMPLETED",
    ]);
  });

  it("that is an agent itself passes a permission on, with the duties of an agent (A2A-7.6.2-b, A2A-7.6.2-c)", async () => {
    const open = new Map<string, Awaited<ReturnType<Agent["start"]>>>();
    await using toInner = await connect(server.url, { bindings: [binding] });
    const relay = defineAgent({
      card: { name: "Relay", description: "Has others do it.", skills: [] },
      async handle(ctx, message) {
        const run = open.get(ctx.task?.id ?? "") ?? (await toInner.start(textOf(message)));
        if (ctx.turn > 1) await run.reply(textOf(message));
        const { task } = await run.result();
        if (task?.status.state !== "TASK_STATE_AUTH_REQUIRED") return run.text();
        open.set(ctx.task?.id ?? "", run);
        return ctx.authRequired(`For ${toInner.card.name}: ${textOf(task.status.message)}`);
      },
    });
    await using outer = await serve(relay, { port: 0, logger });
    await using agent = await connect(outer.url, { bindings: [binding] });
    const run = await agent.start("book");
    const { task } = await run.result();
    expect(task?.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    // Who is asked has to be told what for.
    expect(textOf(task?.status.message)).toBe("For Inner: May I book?");
    await run.reply("granted");
    expect((await run.result()).text()).toBe("heard: granted");
    expect(run.status?.state).toBe("TASK_STATE_COMPLETED");
  });
});

it.each(["1.0", "0.3", "0.2"])(
  "every request names the version %s, as Major.Minor (A2A-14.2-a)",
  async (version) => {
    for (const binding of ["JSONRPC", "HTTP+JSON"]) {
      await using peer = await listen((_, response) => reply(response, {}, { status: 500 }));
      const supportedInterfaces = [
        { url: peer.url, protocolBinding: binding, protocolVersion: `${version}.7` },
      ];
      await using agent = await connect(
        { name: "A", capabilities: {}, supportedInterfaces },
        { retry: false },
      );
      await agent.send("x").catch(ignore);
      await agent.getTask({ id: "t" }).catch(ignore);
      await agent.subscribe("t").next().catch(ignore);
      expect(peer.seen.length).toBeGreaterThanOrEqual(3);
      for (const { headers } of peer.seen) {
        expect(headers["a2a-version"]).toBe(version);
        expect(headers["a2a-version"]).toMatch(/^\d+\.\d+$/);
      }
    }
  },
);

function never(): never {
  throw new Error("expected a task");
}
