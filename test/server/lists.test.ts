/** ListTasks over the operations: parameters, members that are always there, what is left out. */
import { describe, expect, test } from "vitest";
import type { A2AError } from "../../src/errors.js";
import { JsonText } from "../../src/json-text.js";
import { pivot, textOf, userMessage, type ListTasksRequest, type Task } from "../../src/versions/pivot.js";
import { agentOf, start, turn } from "./agents.js";

const seeded = async (count: number, options = {}): Promise<ReturnType<typeof start>> => {
  let now = Date.UTC(2030, 0, 1);
  const running = start(
    agentOf(async (ctx, m) => {
      if (textOf(m) === "ask") return ctx.inputRequired("?");
      ctx.working("note");
      return textOf(m);
    }),
    { now: () => (now += 1000), ...options },
  );
  for (let i = 0; i < count; i += 1) {
    const text = i % 3 === 2 ? "ask" : `t${String(i)}`;
    await running.client.sendMessage({ message: userMessage(text, { contextId: `c${String(i % 2)}` }) });
  }
  return running;
};

const violation = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => (error as A2AError).violations?.[0]?.field,
  );

test("all four members are written, even where empty (A2A-3.1.4-l, -m)", async () => {
  const { server } = await seeded(0);
  const reply = await server.router.call({
    service: pivot,
    methodName: "listTasks",
    method: pivot.methods.listTasks,
    input: {},
    headers: {},
    signal: new AbortController().signal,
    context: {},
  });
  const text = reply.output instanceof JsonText ? reply.output.text : "";
  expect(text).toBe('{"tasks":[],"nextPageToken":"","pageSize":50,"totalSize":0}');
});

test("pages: newest first, by cursor, the size echoed, the total the same on each (A2A-3.1.4)", async () => {
  const { client } = await seeded(15);
  const seen: Task[] = [];
  let pageToken = "";
  do {
    const page = await client.listTasks({ pageSize: 4, ...(pageToken && { pageToken }) });
    expect([page.pageSize, page.totalSize]).toEqual([4, 15]);
    seen.push(...page.tasks);
    ({ nextPageToken: pageToken } = page);
    if (seen.length === 4) await client.sendMessage({ message: userMessage("newer") });
    if (seen.length === 4) expect((await client.listTasks()).totalSize).toBe(16);
    if (seen.length === 4) break;
  } while (pageToken !== "");
  let rest = await client.listTasks({ pageSize: 4, pageToken });
  seen.push(...rest.tasks);
  while (rest.nextPageToken !== "") {
    rest = await client.listTasks({ pageSize: 4, pageToken: rest.nextPageToken });
    seen.push(...rest.tasks);
  }
  expect(seen).toHaveLength(15);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(15);
  const times = seen.map(({ status }) => status.timestamp ?? "");
  expect(times).toEqual(times.toSorted().toReversed());
});

describe("filters", () => {
  const total = async (query: ListTasksRequest): Promise<number> => {
    const { client } = await seeded(12);
    return (await client.listTasks(query)).totalSize;
  };
  test.each<[ListTasksRequest, number]>([
    [{}, 12],
    [{ contextId: "c0" }, 6],
    [{ contextId: "" }, 12],
    [{ contextId: "none" }, 0],
    [{ status: "TASK_STATE_UNSPECIFIED" }, 12],
    [{ status: "TASK_STATE_INPUT_REQUIRED" }, 4],
    [{ status: "TASK_STATE_COMPLETED", contextId: "c0" }, 4],
    [{ status: "TASK_STATE_WORKING" }, 0],
    [{ statusTimestampAfter: "2000-01-01T00:00:00Z" }, 12],
    [{ statusTimestampAfter: "2040-01-01T00:00:00Z" }, 0],
  ])("%j: %i", async (query, expected) => {
    expect(await total(query)).toBe(expected);
  });
});

test("artifacts only where asked for, history as long as asked for (A2A-3.1.4-i, -j, -k)", async () => {
  const { client } = await seeded(2);
  const [plain] = (await client.listTasks()).tasks;
  expect(plain).not.toHaveProperty("artifacts");
  expect(plain?.history?.map(textOf)).toEqual(["t1", "note"]);
  const [full] = (await client.listTasks({ includeArtifacts: true })).tasks;
  expect(full?.artifacts?.map(textOf)).toEqual(["t1"]);
  expect(full).toEqual(await client.getTask({ id: full?.id ?? "" }));
  const [short] = (await client.listTasks({ historyLength: 1, includeArtifacts: true })).tasks;
  expect(short?.history?.map(textOf)).toEqual(["note"]);
  expect(short?.artifacts).toEqual(full?.artifacts);
  const [none] = (await client.listTasks({ historyLength: 0 })).tasks;
  expect(none).not.toHaveProperty("history");
});

test("running tasks are listed as they are", async () => {
  const { client } = start(
    agentOf(async (ctx) => {
      ctx.working("note");
      ctx.artifact("so far");
      await new Promise(() => undefined);
    }),
  );
  await client.sendMessage({ message: userMessage("x"), configuration: { returnImmediately: true } });
  await turn();
  const [task] = (await client.listTasks({ includeArtifacts: true })).tasks;
  expect(task?.status.state).toBe("TASK_STATE_WORKING");
  expect(textOf(task)).toBe("so far");
});

describe("refusals", () => {
  test.each([0, -1, 101, 150])("pageSize %i (Q15)", async (pageSize) => {
    const { client } = await seeded(0);
    expect(await violation(client.listTasks({ pageSize }))).toBe("pageSize");
  });
  test("a negative historyLength, a token that is none", async () => {
    const { client } = await seeded(0);
    expect(await violation(client.listTasks({ historyLength: -5 }))).toBe("historyLength");
    expect(await violation(client.listTasks({ pageToken: "not-a-token" }))).toBe("pageToken");
    expect(await violation(client.getTask({ id: "x", historyLength: -5 }))).toBe("historyLength");
  });
});

test("callers see their own tasks only, and cannot tell another's from none (A2A-3.1.4-p, A2A-3.3.2-g)", async () => {
  const running = start(agentOf(async (ctx) => ctx.inputRequired("?")));
  const as = (principal: string) => (methodName: keyof typeof pivot.methods, input: object) =>
    running.server.router.call({
      service: pivot,
      methodName,
      method: pivot.methods[methodName],
      input,
      headers: {},
      signal: new AbortController().signal,
      context: { principal },
    });
  const valueOf = async (call: ReturnType<ReturnType<typeof as>>): Promise<unknown> => {
    const { output } = await call;
    return output instanceof JsonText ? output.value() : output;
  };
  const [alice, bob] = [as("alice"), as("bob")];
  const sent = (await valueOf(alice("sendMessage", { message: userMessage("x") }))) as { task: Task };
  const { id } = sent.task;
  expect(await valueOf(bob("listTasks", {}))).toMatchObject({ tasks: [], totalSize: 0 });
  expect(await valueOf(alice("listTasks", {}))).toMatchObject({ totalSize: 1 });
  const calls: [keyof typeof pivot.methods, (task: string) => object][] = [
    ["getTask", (task) => ({ id: task })],
    ["cancelTask", (task) => ({ id: task })],
    ["subscribeToTask", (task) => ({ id: task })],
    ["sendMessage", (task) => ({ message: userMessage("x", { taskId: task }) })],
    ["sendStreamingMessage", (task) => ({ message: userMessage("x", { taskId: task }) })],
  ];
  for (const [method, input] of calls) {
    const error = (task: string): Promise<unknown> =>
      bob(method, input(task)).catch((reason: unknown) => reason);
    const [foreign, unknown] = [(await error(id)) as A2AError, (await error("nope")) as A2AError];
    expect(foreign.reason).toBe("TASK_NOT_FOUND");
    expect(foreign.message.replace(id, "nope")).toBe(unknown.message);
    expect(Object.keys(foreign)).toEqual(Object.keys(unknown));
  }
  expect(await valueOf(alice("getTask", { id }))).toEqual(sent.task);
});
