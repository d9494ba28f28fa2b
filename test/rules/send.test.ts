/** SendMessage: what is taken, what comes back, and when. */
import { describe, expect, it } from "vitest";
import type { Ctx, Handler } from "../../src/server.js";
import { textOf as pivotText } from "../../src/versions/pivot.js";
import { agentOf, gate, skill, turn } from "../server/agents.js";
import {
  bindings,
  errorOf,
  fieldsOf,
  historyOf,
  host,
  operationNames,
  reasonOf,
  say,
  short,
  textOf,
  type Json,
} from "./support.js";

const echo = agentOf(async (_ctx, message) => pivotText(message));
const terminal = ["completed", "failed", "canceled", "rejected"] as const;

describe.each(bindings)("over %s", (binding) => {
  it("has all eleven operations, those without the capability with their error (A2A-3.1-a, A2A-3.3.4-a)", async () => {
    const capabilities = { streaming: false, pushNotifications: false, extendedAgentCard: false };
    await using on = await host(
      binding,
      agentOf(async () => "x", { card: { name: "T", description: "d", skills: [skill], capabilities } }),
    );
    const { id } = await on.send("hi");
    const outcomes: Record<string, string> = {};
    for (const name of operationNames) {
      const input: Json = name.startsWith("Send")
        ? say("x")
        : name === "ListTasks" || name.endsWith("Card")
          ? {}
          : name.includes("Push")
            ? { taskId: id, id: "c", url: "https://example.com/hook" }
            : { id };
      if (name === "ListTaskPushNotificationConfigs") delete input.id;
      const answer = await on.call(name, input);
      outcomes[name] = answer.status === 200 && answer.json.error === undefined ? "ok" : reasonOf(answer);
    }
    expect(outcomes).toEqual({
      SendMessage: "ok",
      SendStreamingMessage: "UNSUPPORTED_OPERATION",
      GetTask: "ok",
      ListTasks: "ok",
      CancelTask: "TASK_NOT_CANCELABLE",
      SubscribeToTask: "UNSUPPORTED_OPERATION",
      CreateTaskPushNotificationConfig: "PUSH_NOTIFICATION_NOT_SUPPORTED",
      GetTaskPushNotificationConfig: "PUSH_NOTIFICATION_NOT_SUPPORTED",
      ListTaskPushNotificationConfigs: "PUSH_NOTIFICATION_NOT_SUPPORTED",
      DeleteTaskPushNotificationConfig: "PUSH_NOTIFICATION_NOT_SUPPORTED",
      GetExtendedAgentCard: "UNSUPPORTED_OPERATION",
    });
  });

  it("hands all members of the request to the agent, metadata of any JSON included (A2A-3.1.1-a, A2A-3.1.2-a, A2A-3.2.5-a)", async () => {
    const metadata = { "https://e/x": { list: [null, 1, "a", true, { deep: [] }] }, n: null, z: 0, f: false };
    const seen: object[] = [];
    const agent = agentOf(async (ctx, message) => {
      const { tenant, acceptedOutputModes } = ctx;
      seen.push({ tenant, acceptedOutputModes, metadata: ctx.metadata, of: message.metadata });
      ctx.artifact("x", { metadata });
    });
    await using on = await host(binding, agent);
    const input = {
      tenant: "acme",
      ...say("x", { metadata }),
      configuration: { acceptedOutputModes: ["text/plain"], historyLength: 1, returnImmediately: false },
      metadata,
    };
    const { task } = await on.ok("SendMessage", input);
    const stream = await on.stream("SendStreamingMessage", input);
    await stream.rest();
    const once = { tenant: "acme", acceptedOutputModes: ["text/plain"], metadata, of: metadata };
    expect(seen).toEqual([once, once]);
    expect(task.history[0].metadata).toStrictEqual(metadata);
    expect(task.artifacts[0].metadata).toStrictEqual(metadata);
    for (const wrong of [[], "text", 7, true]) {
      const refused = await on.call("SendMessage", { ...say("x"), metadata: wrong });
      expect([reasonOf(refused), fieldsOf(refused)]).toEqual(["INVALID_PARAMS", ["metadata"]]);
    }
  });

  it("answers with one of task and message, under its name, as the agent likes (A2A-3.1.1-b, A2A-3.1.1-c)", async () => {
    await using tasks = await host(binding, echo);
    await using messages = await host(
      binding,
      agentOf(async (_ctx, m) => pivotText(m), { replies: "message" }),
    );
    const task = await tasks.ok("SendMessage", say("hi"));
    expect(Object.keys(task)).toEqual(["task"]);
    expect(task.task.status.state).toBe("TASK_STATE_COMPLETED");
    const message = await messages.ok("SendMessage", say("hi"));
    expect(Object.keys(message)).toEqual(["message"]);
    expect(message.message).toMatchObject({ role: "ROLE_AGENT", parts: [{ text: "hi" }] });
    expect((await messages.ok("ListTasks")).totalSize).toBe(0);
  });

  it("waits for the end or a pause unless told not to; the work goes on after the answer (A2A-3.1.1-d, A2A-3.1.1-e, A2A-3.2.2-a, A2A-3.2.2-b, A2A-3.2.2-c)", async () => {
    const [began, go] = [gate(), gate()];
    const handle: Handler = async (ctx, message) => {
      if (pivotText(message) === "ask") return ctx.inputRequired("?");
      if (pivotText(message) === "auth") return ctx.authRequired("log in");
      began.open();
      ctx.artifact("first");
      await go.passed;
      ctx.artifact("second");
      return ctx.completed("done");
    };
    await using on = await host(binding, agentOf(handle));
    expect((await on.send("ask")).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect((await on.send("auth")).status.state).toBe("TASK_STATE_AUTH_REQUIRED");

    let answered = false;
    const blocking = on.send("work").finally(() => (answered = true));
    await began.passed;
    // The agent works for good by now: an answer could have come.
    const immediate = await on.send("work", {}, { returnImmediately: true });
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(immediate.status.state);
    expect(answered).toBe(false);
    expect((await on.ok("GetTask", { id: immediate.id })).status.state).not.toBe("TASK_STATE_COMPLETED");
    go.open();
    const whole = await blocking;
    expect(whole.status.state).toBe("TASK_STATE_COMPLETED");
    expect((whole.artifacts as Json[]).map(textOf)).toEqual(["first", "second"]);
    expect(await on.ok("GetTask", { id: whole.id })).toStrictEqual(whole);
    // Polling sees the rest of what was answered early.
    let polled = immediate;
    while (polled.status.state !== "TASK_STATE_COMPLETED")
      polled = await on.ok("GetTask", { id: immediate.id });
    expect((polled.artifacts as Json[]).map(textOf)).toEqual(["first", "second"]);
  });

  it("returnImmediately changes neither direct messages nor streams (A2A-3.2.2-e)", async () => {
    const card = { name: "T", description: "d", skills: [skill] };
    await using messages = await host(
      binding,
      agentOf(async () => "said", { card, replies: "message" }),
    );
    await using tasks = await host(
      binding,
      agentOf(async () => "done", { card }),
    );
    for (const returnImmediately of [true, false]) {
      const input = { ...say("x"), configuration: { returnImmediately } };
      expect(textOf((await messages.ok("SendMessage", input)).message)).toBe("said");
      const said = await (await messages.stream("SendStreamingMessage", input)).rest();
      expect(said.map(short)).toEqual(["message said"]);
      const stream = await tasks.stream("SendStreamingMessage", input);
      expect((await stream.rest()).map(short)).toEqual([
        "task SUBMITTED",
        "artifactUpdate done",
        "statusUpdate COMPLETED",
      ]);
    }
  });

  it("refuses media types that the agent does not take, of messages and streams (A2A-3.1.1-f, A2A-3.1.2-k)", async () => {
    let runs = 0;
    await using on = await host(
      binding,
      agentOf(async () => void (runs += 1)),
    );
    const message = say("x", { parts: [{ raw: "AAEC", mediaType: "application/x-unsupported" }] });
    const refused = await on.call("SendMessage", message);
    expect(reasonOf(refused)).toBe("CONTENT_TYPE_NOT_SUPPORTED");
    expect(errorOf(refused).message).toContain("application/x-unsupported");
    expect(errorOf(refused).message).toContain("text/plain");
    const stream = await on.stream("SendStreamingMessage", message);
    expect(reasonOf(stream.refused)).toBe("CONTENT_TYPE_NOT_SUPPORTED");
    expect(runs).toBe(0);
    expect((await on.ok("ListTasks")).totalSize).toBe(0);
  });

  it.each(terminal)(
    "a %s task takes no message, and no stream opens (A2A-3.1.1-g, A2A-3.1.2-j, A2A-4.1.3-e, A2A-LT-a)",
    async (outcome) => {
      let runs = 0;
      await using on = await host(
        binding,
        agentOf(async (ctx) => {
          runs += 1;
          return ctx[outcome]();
        }),
      );
      const task = await on.send("one");
      const again = say("two", { taskId: task.id });
      expect(reasonOf(await on.call("SendMessage", again))).toBe("UNSUPPORTED_OPERATION");
      expect(reasonOf((await on.stream("SendStreamingMessage", again)).refused)).toBe(
        "UNSUPPORTED_OPERATION",
      );
      expect(await on.ok("GetTask", { id: task.id })).toStrictEqual(task);
      expect(runs).toBe(1);
      // What follows is another task of the same context.
      const next = await on.send("two", { contextId: task.contextId });
      expect([next.contextId, next.id === task.id]).toEqual([task.contextId, false]);
    },
  );

  it("a task that is not there, or another's, is not found (A2A-3.1.1-h, A2A-3.1.2-k, A2A-3.4.2-e, A2A-3.3.2-j)", async () => {
    await using on = await host(
      binding,
      agentOf(async (ctx) => ctx.inputRequired("?")),
      { auth: ({ headers }) => ({ principal: headers["authorization"] }) },
    );
    const { task } = await on.ok("SendMessage", say("x"), { authorization: "alice" });
    const bob = { authorization: "bob" };
    for (const taskId of [crypto.randomUUID(), task.id as string]) {
      expect(reasonOf(await on.call("SendMessage", say("x", { taskId }), bob))).toBe("TASK_NOT_FOUND");
      const stream = await on.stream("SendStreamingMessage", say("x", { taskId }), bob);
      expect(reasonOf(stream.refused)).toBe("TASK_NOT_FOUND");
    }
    expect((await on.ok("ListTasks", {}, bob)).totalSize).toBe(0);
  });

  it("the agent sees which media types the caller takes (A2A-3.2.2-f)", async () => {
    const agent = agentOf(async ({ acceptedOutputModes: modes }: Ctx) =>
      modes.includes("application/json") ? { data: { answer: 42 }, mediaType: "application/json" } : "42",
    );
    await using on = await host(binding, agent);
    const partOf = async (acceptedOutputModes?: string[]): Promise<Json> =>
      (await on.send("x", {}, acceptedOutputModes && { acceptedOutputModes })).artifacts[0].parts[0];
    expect(await partOf(["application/json"])).toEqual({
      data: { answer: 42 },
      mediaType: "application/json",
    });
    expect(await partOf(["text/plain"])).toEqual({ text: "42" });
    expect(await partOf()).toEqual({ text: "42" });
  });

  it("a running task takes messages, or refuses them where the agent says so (A2A-3.3.3-b)", async () => {
    for (const inbox of ["queue", "reject"] as const) {
      const [began, go] = [gate<string>(), gate()];
      const agent = agentOf(
        async (ctx) => {
          began.open(ctx.taskId);
          await go.passed;
          return ctx.completed();
        },
        { inbox },
      );
      await using on = await host(binding, agent);
      const first = on.send("one");
      const taskId = await began.passed;
      const more = { ...say("two", { taskId }), configuration: { returnImmediately: true } };
      const answer = await on.call("SendMessage", more);
      if (inbox === "queue") expect(historyOf(answer.result.task)).toEqual(["one", "two"]);
      else expect(reasonOf(answer)).toBe("UNSUPPORTED_OPERATION");
      go.open();
      expect(historyOf(await first)).toEqual(inbox === "queue" ? ["one", "two"] : ["one"]);
    }
  });

  it("results are artifacts, not messages (A2A-3.7-b)", async () => {
    await using on = await host(binding, echo);
    const task = await on.send("the result");
    expect((task.artifacts as Json[]).map(textOf)).toEqual(["the result"]);
    expect(task.status).not.toHaveProperty("message");
  });

  it("nothing invalid reaches the agent (A2A-3.3.2-h, A2A-3.3.2-i, A2A-4.1.4-a, A2A-4.1.5-a, A2A-4.1.6-a, A2A-KC-a)", async () => {
    let runs = 0;
    await using on = await host(
      binding,
      agentOf(async () => void (runs += 1)),
    );
    const { message } = say("x");
    const wrong: [object, string[]][] = [
      [{}, ["message"]],
      [{ message: { ...message, messageId: undefined } }, ["message.messageId"]],
      [{ message: { ...message, messageId: "" } }, ["message.messageId"]],
      [{ message: { ...message, role: undefined } }, ["message.role"]],
      [{ message: { ...message, role: "ROLE_UNSPECIFIED" } }, ["message.role"]],
      [{ message: { ...message, role: "user" } }, ["message.role"]],
      [{ message: { ...message, role: "ROLE_AGENT" } }, ["message.role"]],
      [{ message: { ...message, parts: undefined } }, ["message.parts"]],
      [{ message: { ...message, parts: [] } }, ["message.parts"]],
      [{ message: {} }, ["message.messageId", "message.parts", "message.role"]],
      [{ message: { ...message, parts: [{}] } }, ["message.parts[0]"]],
      [{ message: { ...message, parts: [{ kind: "text" }] } }, ["message.parts[0]"]],
      [{ message: { ...message, parts: [{ text: "a", url: "https://b" }] } }, ["message.parts[0]"]],
      [{ message: { ...message, parts: [{ file: { uri: "https://b" } }] } }, ["message.parts[0]"]],
      [{ message, configuration: { historyLength: -1 } }, ["configuration.historyLength"]],
    ];
    for (const [input, fields] of wrong) {
      for (const name of ["SendMessage", "SendStreamingMessage"]) {
        const refused = await on.call(name, input);
        expect(reasonOf(refused), JSON.stringify(input)).toBe("INVALID_PARAMS");
        expect(fieldsOf(refused).sort(), JSON.stringify(input)).toEqual(fields);
        expect(errorOf(refused).message).toContain(fields[0]);
      }
    }
    await turn();
    expect(runs).toBe(0);
    expect((await on.ok("ListTasks")).totalSize).toBe(0);
    // A kind of 0.x beside the content is an unknown member like any other.
    await on.ok("SendMessage", { message: { ...message, parts: [{ text: "a", kind: "file" }] } });
    expect(runs).toBe(1);
  });
});
