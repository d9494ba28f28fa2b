/** GetTask: the task as it is, how much of its history, and that reading changes nothing. */
import { describe, expect, it } from "vitest";
import { createClient, httpJson, jsonRpc } from "../../src/index.js";
import { pivot, userMessage } from "../../src/versions/pivot.js";
import { agentOf, skill } from "../server/agents.js";
import { bindings, fieldsOf, historyOf, host, reasonOf, say, textOf, type Json } from "./support.js";

/** Two turns with notes: a history of six messages, the last of them the status. */
const talking = agentOf(async (ctx) => {
  ctx.working(`note ${String(ctx.turn)}`);
  ctx.artifact(`artifact ${String(ctx.turn)}`);
  return ctx.turn === 1 ? ctx.inputRequired("more?") : ctx.completed("done");
});
const ALL = ["one", "note 1", "more?", "two", "note 2"];

describe.each(bindings)("over %s", (binding) => {
  it("gives the bare task with its status, artifacts and history, in the order of what was said (A2A-3.1.3-a, A2A-3.1.3-b, A2A-4.1.1-a, A2A-3.7-a, A2A-4.1.1-d, A2A-4.1.2-a)", async () => {
    await using on = await host(binding, talking);
    const tenant = "acme";
    const first = (await on.ok("SendMessage", { tenant, ...say("one") })).task;
    const last = (await on.ok("SendMessage", { tenant, ...say("two", { taskId: first.id }) })).task;
    const task = await on.ok("GetTask", { tenant, id: first.id });
    expect(task).toStrictEqual(last);
    expect(Object.keys(task).sort()).toEqual(["artifacts", "contextId", "history", "id", "status"]);
    expect(task.status).toMatchObject({ state: "TASK_STATE_COMPLETED" });
    expect(textOf(task.status.message)).toBe("done");
    expect((task.artifacts as Json[]).map(textOf)).toEqual(["artifact 1", "artifact 2"]);
    expect(historyOf(task)).toEqual(ALL);
    expect(reasonOf(await on.call("GetTask", { id: first.id }))).toBe("TASK_NOT_FOUND");
    if (binding === "JSONRPC") {
      const refused = await on.call("GetTask", {});
      expect([reasonOf(refused), fieldsOf(refused)]).toEqual(["INVALID_PARAMS", ["id"]]);
    }
  });

  it("a task that is not there, and another's, are not found in the same words (A2A-3.1.3-c, A2A-3.3.2-j)", async () => {
    await using on = await host(binding, talking, {
      auth: ({ headers }) => ({ principal: headers["authorization"] }),
    });
    const { task } = await on.ok("SendMessage", say("x"), { authorization: "alice" });
    const random = crypto.randomUUID();
    const [absent, foreign] = await Promise.all(
      [random, task.id as string].map((id) => on.call("GetTask", { id }, { authorization: "bob" })),
    );
    expect(reasonOf(absent)).toBe("TASK_NOT_FOUND");
    expect(reasonOf(foreign)).toBe("TASK_NOT_FOUND");
    expect(JSON.parse(JSON.stringify(foreign?.json).replaceAll(task.id as string, random))).toEqual(
      absent?.json,
    );
  });

  it("reads change nothing, however often (A2A-3.3.1-a)", async () => {
    const extendedCard = {
      name: "Extended",
      description: "d",
      version: "1",
      capabilities: {},
      supportedInterfaces: [],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [skill],
    };
    await using on = await host(binding, talking, { extendedCard, allowPublicExtendedCard: true });
    const { id } = await on.send("one");
    for (const [name, input] of [
      ["GetTask", { id }],
      ["GetTask", { id, historyLength: 1 }],
      ["ListTasks", {}],
      ["ListTasks", { includeArtifacts: true, pageSize: 1 }],
      ["GetExtendedAgentCard", {}],
    ] as const) {
      const first = await on.ok(name, input);
      expect(await on.ok(name, input)).toStrictEqual(first);
      expect(await on.ok(name, input)).toStrictEqual(first);
    }
  });
});

describe.each(bindings)("historyLength over %s", (binding) => {
  const cases: [number | undefined, string[] | undefined][] = [
    [undefined, ALL],
    [0, undefined],
    [1, ["note 2"]],
    [2, ["two", "note 2"]],
    [4, ALL.slice(1)],
    [5, ALL],
    [6, ALL],
    [2147483647, ALL],
  ];

  it("means the same in send, get and list: unset all, 0 no key, n the newest n in order (A2A-3.2.2-i, A2A-3.2.2-j, A2A-3.2.4-a, A2A-3.2.4-b, A2A-3.2.4-c, A2A-3.2.4-d, A2A-3.7-c, A2A-3.7-f)", async () => {
    await using on = await host(binding, talking);
    for (const [historyLength, expected] of cases) {
      const limit = historyLength === undefined ? {} : { historyLength };
      const begun = await on.send("one", {}, limit);
      const sent = await on.send("two", { taskId: begun.id }, limit);
      const got = await on.ok("GetTask", { id: sent.id, ...limit });
      const listed = (await on.ok("ListTasks", { pageSize: 1, includeArtifacts: true, ...limit })).tasks[0];
      for (const task of [sent, got, listed]) {
        if (expected === undefined) expect(Object.keys(task)).not.toContain("history");
        else expect(historyOf(task)).toEqual(expected);
      }
      expect(got).toStrictEqual(sent);
      expect(listed).toStrictEqual(sent);
    }
  });

  it("means the same for the task that a stream begins with (A2A-3.2.4-a)", async () => {
    await using on = await host(binding, talking);
    for (const [historyLength, expected] of [
      [0, undefined],
      [2, ["more?", "two"]],
      [undefined, ALL.slice(0, 4)],
    ] as const) {
      const { id } = await on.send("one");
      const configuration = historyLength === undefined ? {} : { historyLength };
      const stream = await on.stream("SendStreamingMessage", {
        ...say("two", { taskId: id }),
        configuration,
      });
      const [first] = await stream.rest();
      if (expected === undefined) expect(first?.event.task).not.toHaveProperty("history");
      else expect(historyOf(first?.event.task)).toEqual(expected);
    }
  });

  it("can be an explicit 0 of our client (A2A-3.2.4-f)", async () => {
    await using on = await host(binding, talking);
    const transport = binding === "JSONRPC" ? jsonRpc({ url: on.url }) : httpJson({ url: on.url });
    await using client = createClient(pivot, transport);
    const configuration = { historyLength: 0 };
    const { task } = await client.sendMessage({ message: userMessage("one"), configuration });
    expect(task).not.toHaveProperty("history");
    const id = task?.id ?? "";
    expect(await client.getTask({ id, historyLength: 0 })).not.toHaveProperty("history");
    expect((await client.getTask({ id })).history).toHaveLength(2);
    const { tasks } = await client.listTasks({ historyLength: 0 });
    expect(tasks[0]).not.toHaveProperty("history");
  });

  it("is refused where it is negative, and nothing is sent (A2A-3.2.4-e)", async () => {
    await using on = await host(binding, talking);
    const { id } = await on.send("one");
    const before = await on.ok("GetTask", { id });
    const calls: [string, object, string][] = [
      ["GetTask", { id, historyLength: -5 }, "historyLength"],
      ["ListTasks", { historyLength: -1 }, "historyLength"],
      [
        "SendMessage",
        { ...say("two", { taskId: id }), configuration: { historyLength: -1 } },
        "configuration.historyLength",
      ],
      [
        "SendStreamingMessage",
        { ...say("two", { taskId: id }), configuration: { historyLength: -1 } },
        "configuration.historyLength",
      ],
    ];
    for (const [name, input, field] of calls) {
      const refused = await on.call(name, input);
      expect([name, reasonOf(refused), fieldsOf(refused)]).toEqual([name, "INVALID_PARAMS", [field]]);
    }
    expect(await on.ok("GetTask", { id })).toStrictEqual(before);
  });
});
