/** Answers about something else than was asked for: whatever an agent gives, it is not believed. */
import { describe, expect, it } from "vitest";
import { connect, type Agent, type ClientWarning, type ConnectOptions } from "a2a-typed/client";
import { userMessage } from "a2a-typed/v1";
import { drain, failure, frame, listen, openStream, reply, type TestServer } from "./support.js";

const taskOf = (id: string, contextId = "c1", state = "TASK_STATE_WORKING") => ({
  id,
  contextId,
  status: { state },
});
const updateOf = (taskId: string, state = "TASK_STATE_WORKING") => ({
  statusUpdate: { taskId, contextId: "c1", status: { state } },
});

/** An agent that answers every call with the same, or with these events. */
async function answering(
  answer: unknown,
  look: (agent: Agent, server: TestServer, warnings: ClientWarning[]) => Promise<void>,
  options: ConnectOptions = {},
  protocolVersion = "1.0",
): Promise<void> {
  await using server = await listen((seen, response) => {
    const { id, method = "" } = seen.json;
    if (!/stream|subscribe/i.test(method)) {
      reply(response, { jsonrpc: "2.0", id, result: answer });
      return;
    }
    const write = openStream(response);
    for (const event of answer as unknown[]) write(frame(id, event));
  });
  const warnings: ClientWarning[] = [];
  const supportedInterfaces = [{ url: server.url, protocolBinding: "JSONRPC", protocolVersion }];
  await using agent = await connect(
    { name: "A", capabilities: { streaming: Array.isArray(answer) }, supportedInterfaces },
    { retry: false, onWarning: (warning) => warnings.push(warning), ...options },
  );
  await look(agent, server, warnings);
}

const wrong = { reason: "INVALID_AGENT_RESPONSE", code: -32006 };
const config = { taskId: "t1", id: "w1", url: "https://example.com/" };

describe("an answer about", () => {
  it.each<[string, unknown, (agent: Agent) => Promise<unknown>]>([
    ["another task", taskOf("t2"), (agent) => agent.getTask({ id: "t1" })],
    ["another task that was canceled", taskOf("t2"), (agent) => agent.cancelTask({ id: "t1" })],
    ["another task that was canceled, by the shortcut", taskOf("t2"), (agent) => agent.cancel("t1")],
    ["another task than is followed", taskOf("t2"), (agent) => agent.task("t1", { timeoutMs: 500 }).result()],
    [
      "another task than the message is for",
      { task: taskOf("t2") },
      (agent) => agent.send({ ...userMessage("x"), taskId: "t1" }),
    ],
    [
      "another context than the message is for",
      { task: taskOf("t2", "c2") },
      (agent) => agent.send({ ...userMessage("x"), contextId: "c1" }),
    ],
    [
      "another context, as a message",
      { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }], contextId: "c2" } },
      (agent) => agent.send({ ...userMessage("x"), contextId: "c1" }),
    ],
    [
      "tasks of another context",
      { tasks: [taskOf("t1"), taskOf("t2", "c2")], nextPageToken: "", pageSize: 2, totalSize: 2 },
      (agent) => agent.listTasks({ contextId: "c1" }),
    ],
    [
      "the webhook of another task",
      { ...config, taskId: "t2" },
      (agent) => agent.push.create({ taskId: "t1", url: config.url }),
    ],
    ["another webhook", { ...config, id: "w2" }, (agent) => agent.push.get("t1", "w1")],
    [
      "webhooks of another task",
      { configs: [config, { ...config, taskId: "t2" }] },
      (agent) => drain(agent.push.list("t1")).then(({ error }) => Promise.reject(error ?? new Error("none"))),
    ],
  ])("%s is refused", (_, answer, call) =>
    answering(answer, async (agent) => {
      const error = await failure(call(agent));
      expect(error).toMatchObject(wrong);
      expect(error.message).toMatch(/^The agent was asked for the (task|context|webhook) ".1" and answered/);
      // What it wrote may be a credential that it was shown.
      expect(error.message).not.toMatch(/[tcw]2/);
    }),
  );

  it("what was asked for is taken", async () => {
    await answering(taskOf("t1"), async (agent) => {
      expect((await agent.getTask({ id: "t1" })).id).toBe("t1");
      expect((await agent.cancel("t1")).id).toBe("t1");
    });
    await answering({ task: taskOf("t1") }, async (agent) => {
      const said = { ...userMessage("x"), taskId: "t1", contextId: "c1" };
      expect((await agent.send(said)).task?.id).toBe("t1");
      expect((await agent.send("x")).task?.id).toBe("t1");
    });
    await answering(config, async (agent) => {
      expect(await agent.push.get("t1", "w1")).toEqual(config);
    });
  });
});

describe("a stream", () => {
  it("of another task than is subscribed to ends, and its connection too", () =>
    answering([{ task: taskOf("t2") }], async (agent, server) => {
      expect(await drain(agent.subscribe("t1"))).toMatchObject({ events: [], error: wrong });
      await server.seen[0]?.closed;
    }));

  it("in which another task turns up ends there, with what came before it", () =>
    answering([{ task: taskOf("t1") }, updateOf("t1"), updateOf("t2")], async (agent, server) => {
      const { events, error } = await drain(agent.sendStreamingMessage({ message: userMessage("x") }));
      expect(events).toHaveLength(2);
      expect(error).toMatchObject(wrong);
      await server.seen[0]?.closed;
    }));

  it("that answers a message for another task is refused, also by start", () =>
    answering([{ task: taskOf("t2") }], async (agent) => {
      const message = { ...userMessage("x"), taskId: "t1" };
      expect((await drain(agent.sendStreamingMessage({ message }))).error).toMatchObject(wrong);
      expect(await failure(agent.start(message))).toMatchObject(wrong);
    }));
});

describe("an answer in another context", () => {
  const said = { ...userMessage("x"), contextId: "c1" };

  it("is taken from agents of 0.3, which may do that, and told", () => {
    const task = { kind: "task", id: "t1", contextId: "c2", status: { state: "working" } };
    return answering(
      task,
      async (agent, _, warnings) => {
        expect((await agent.send(said)).task?.contextId).toBe("c2");
        expect(warnings.map(({ code }) => code)).toEqual(["other-context"]);
      },
      {},
      "0.3",
    );
  });

  it("is taken or refused as the caller says", async () => {
    await answering(
      { task: taskOf("t1", "c2") },
      async (agent, _, warnings) => {
        expect((await agent.send(said)).task?.contextId).toBe("c2");
        expect(warnings).toEqual([
          {
            method: "sendMessage",
            code: "other-context",
            message: "The answer is in another context than the question",
          },
        ]);
      },
      { otherContext: "accept" },
    );
    const task = { kind: "task", id: "t1", contextId: "c2", status: { state: "working" } };
    const refusing = { otherContext: "refuse" } as const;
    await answering(
      task,
      async (agent) => {
        expect(await failure(agent.send(said))).toMatchObject(wrong);
      },
      refusing,
      "0.3",
    );
  });
});
