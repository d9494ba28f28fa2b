/** Which events of a task are written to the outbox, and for whom: in the commit of the event, by the engine. */
import { TaskEngine } from "../../src/task/engine.js";
import { describe, expect, test } from "vitest";
import { memoryStore, type CommitEntry, type PushDelivery, type TaskStore } from "../../src/server.js";
import {
  userMessage,
  type StreamResponse,
  type TaskPushNotificationConfig,
} from "../../src/versions/pivot.js";
import { agentOf, gate, start, turn, type TestClient } from "../server/agents.js";
import { status, task } from "../task/events.js";
import { slowStore } from "../task/slow-store.js";

const url = "https://hooks.example.com/x";
/** Delivers nothing: what is written stays to be looked at. */
const push: PushDelivery = { start: () => ({ [Symbol.asyncDispose]: () => Promise.resolve() }) };
const inline = (id: string, more: Partial<TaskPushNotificationConfig> = {}) => ({
  taskPushNotificationConfig: { id, url, ...more },
});

/** A store that keeps the entries that were committed. */
function watched(inner: TaskStore = memoryStore()): TaskStore & { entries: CommitEntry[] } {
  const entries: CommitEntry[] = [];
  return {
    ...inner,
    entries,
    commit(batch) {
      entries.push(...batch);
      return inner.commit(batch);
    },
  };
}

/** `x2 working`: registration, revision, what the event is. */
const written = (entries: readonly CommitEntry[]): string[] =>
  entries.flatMap(({ outbox = [] }) =>
    outbox.map(
      ({ configId, n, text }) => `${configId}${String(n)} ${nameOf(JSON.parse(text) as StreamResponse)}`,
    ),
  );

function nameOf({ task, statusUpdate, artifactUpdate }: StreamResponse): string {
  if (artifactUpdate !== undefined) return "artifact";
  const state = (task ?? statusUpdate)?.status.state.replace("TASK_STATE_", "").toLowerCase() ?? "";
  return task === undefined ? state : `task ${state}, ${String(task.artifacts?.length ?? 0)} artifacts`;
}

const idOf = async (call: ReturnType<TestClient["sendMessage"]>): Promise<string> =>
  (await call).task?.id ?? "";

describe("a webhook that comes with the message", () => {
  test("gets every event of the task, each in the commit of the event", async () => {
    const store = watched();
    const agent = agentOf(async (ctx) => {
      ctx.working();
      return "done";
    });
    const { client } = start(agent, { push, store });
    await client.sendMessage({ message: userMessage("go"), configuration: inline("x") });
    expect(written(store.entries)).toEqual([
      "x1 task submitted, 0 artifacts",
      "x2 working",
      "x3 artifact",
      "x4 completed",
    ]);
    for (const { outbox = [], events } of store.entries) {
      if (events.length > 0) expect(outbox.map(({ n }) => n)).toEqual(events.map(({ n }) => n));
    }
  });

  test("gets the events of a task that begins and ends in one commit too", async () => {
    const store = watched({ ...memoryStore(), hints: { group: true } });
    const { client } = start(
      agentOf(async () => "done"),
      { push, store },
    );
    await client.sendMessage({ message: userMessage("go"), configuration: inline("x") });
    expect(store.entries).toHaveLength(1);
    expect(store.entries[0]?.events).toEqual([]);
    expect(written(store.entries)).toEqual(["x1 task submitted, 0 artifacts", "x2 artifact", "x3 completed"]);
  });

  test("to a task that exists gets what follows, not what was", async () => {
    const store = watched();
    const agent = agentOf(async (ctx) => (ctx.turn === 1 ? ctx.inputRequired("Which?") : "done"));
    const { client } = start(agent, { push, store });
    const taskId = await idOf(client.sendMessage({ message: userMessage("go") }));
    await client.sendMessage({ message: { ...userMessage("this"), taskId }, configuration: inline("x") });
    expect(written(store.entries)).toEqual(["x3 working", "x4 artifact", "x5 completed"]);
  });

  test("of an agent that opens tasks when it must belongs to that task", async () => {
    const store = watched();
    const agent = agentOf(async (ctx) => ctx.working(), { replies: "auto" });
    const { client } = start(agent, { push, store });
    await client.sendMessage({ message: userMessage("go"), configuration: inline("x") });
    expect(written(store.entries)).toEqual(["x1 task submitted, 0 artifacts", "x2 working", "x3 completed"]);
  });
});

test("a task without webhooks has nothing written", async () => {
  const store = watched();
  const { client } = start(
    agentOf(async () => "done"),
    { push, store },
  );
  await client.sendMessage({ message: userMessage("go") });
  expect(store.entries.length).toBeGreaterThan(0);
  expect(store.entries.filter((entry) => "outbox" in entry || "configs" in entry)).toEqual([]);
});

describe("a webhook of a running task", () => {
  const running = () => {
    const store = watched();
    const next = [gate(), gate()] as const;
    const agent = agentOf(async (ctx) => {
      ctx.working("first");
      await next[0].passed;
      ctx.working("second");
      await next[1].passed;
      return "done";
    });
    const { client, server } = start(agent, { push, store });
    return { store, client, server, next };
  };
  const begin = (client: TestClient): Promise<string> =>
    idOf(client.sendMessage({ message: userMessage("go"), configuration: { returnImmediately: true } }));

  test("gets what follows its registration", async () => {
    const { store, client, next } = running();
    const taskId = await begin(client);
    await client.createTaskPushNotificationConfig({ taskId, id: "late", url });
    next.forEach(({ open }) => {
      open();
    });
    await turn();
    expect(written(store.entries)).toEqual(["late3 working", "late4 artifact", "late5 completed"]);
  });

  test("gets nothing after its deletion; others do", async () => {
    const { store, client, next } = running();
    const taskId = await begin(client);
    for (const id of ["a", "b"]) await client.createTaskPushNotificationConfig({ taskId, id, url });
    next[0].open();
    await turn();
    await client.deleteTaskPushNotificationConfig({ taskId, id: "a" });
    next[1].open();
    await turn();
    expect(written(store.entries)).toEqual(["a3 working", "b3 working", "b4 artifact", "b5 completed"]);
  });

  test("that was disabled gets nothing until it is registered anew", async () => {
    const store = watched();
    let disable: ((taskId: string) => void) | undefined;
    const scope = { tenant: "", owner: "" };
    const disabling: PushDelivery = {
      start(_store, host) {
        disable = (taskId) => {
          host.disabled(scope, taskId, "x");
        };
        return { [Symbol.asyncDispose]: () => Promise.resolve() };
      },
    };
    const next = [gate(), gate()] as const;
    const agent = agentOf(async (ctx) => {
      await next[0].passed;
      ctx.working();
      await next[1].passed;
    });
    const { client } = start(agent, { push: disabling, store });
    const configuration = { ...inline("x"), returnImmediately: true };
    const taskId = await idOf(client.sendMessage({ message: userMessage("go"), configuration }));
    disable?.(taskId);
    next[0].open();
    await turn();
    await client.createTaskPushNotificationConfig({ taskId, id: "x", url });
    next[1].open();
    await turn();
    expect(written(store.entries)).toEqual(["x1 task submitted, 0 artifacts", "x3 completed"]);
  });
});

describe("a task that was only stored", () => {
  /** A task that waits for input, known to the store alone, with these registrations. */
  async function paused(store: TaskStore, ids: readonly string[]) {
    const agent = agentOf(async (ctx) => (ctx.turn === 1 ? ctx.inputRequired("Which?") : "done"));
    const first = start(agent, { push, store });
    const taskId = await idOf(first.client.sendMessage({ message: userMessage("go") }));
    for (const id of ids) await first.client.createTaskPushNotificationConfig({ taskId, id, url });
    await first.server.close();
    return { agent, taskId, message: { ...userMessage("this"), taskId } };
  }

  test("has its webhooks again when it goes on, whatever their number", async () => {
    const inner = memoryStore();
    const ids = Array.from({ length: 230 }, (_, i) => `id${String(i)}-`);
    const { agent, message } = await paused(inner, ids);
    const store = watched(inner);
    await start(agent, { push, store }).client.sendMessage({ message });
    expect(written(store.entries).toSorted()).toEqual(
      ids.flatMap((id) => [`${id}3 working`, `${id}4 artifact`, `${id}5 completed`]).toSorted(),
    );
  });

  test("also where the store takes its time, with what happened to them meanwhile", async () => {
    const inner = memoryStore();
    const { agent, taskId, message } = await paused(inner, ["kept", "deleted", "disabled", "stopped"]);
    const scope = { tenant: "", owner: "" };
    const disabled = await inner.configs.get(scope, taskId, "disabled");
    if (disabled !== undefined) await inner.configs.put(scope, taskId, { ...disabled, disabled: true });
    const slow = gate();
    const list = inner.configs.list(scope, taskId, { pageSize: 100 });
    const store = watched({
      ...inner,
      configs: {
        ...inner.configs,
        list: async () => {
          await slow.passed;
          return list;
        },
      },
    });
    let stop: (() => void) | undefined;
    const stopping: PushDelivery = {
      start(given, host) {
        stop = () => {
          host.disabled(scope, taskId, "stopped");
        };
        return push.start(given, host);
      },
    };
    const { client } = start(agent, { push: stopping, store });
    const sending = client.sendMessage({ message });
    await turn();
    // Nothing is committed without its deliveries.
    expect(store.entries).toEqual([]);
    const deleting = client.deleteTaskPushNotificationConfig({ taskId, id: "deleted" });
    stop?.();
    await turn();
    slow.open();
    await sending;
    await deleting;
    const of = (id: string) => written(store.entries).filter((line) => line.startsWith(id));
    expect(of("kept")).toEqual(["kept3 working", "kept4 artifact", "kept5 completed"]);
    expect([...of("disabled"), ...of("stopped")]).toEqual([]);
    // What was written before the deletion went with it.
    const left = await inner.outbox.claim("me", Number.MAX_SAFE_INTEGER, 0, 10);
    expect(left.map(({ configId }) => configId)).toEqual(["kept"]);
  });

  test("gives what is registered while the others are looked up every event once", async () => {
    const inner = memoryStore();
    const { agent, taskId } = await paused(inner, ["known"]);
    const slow = gate();
    const store = watched({
      ...inner,
      configs: {
        ...inner.configs,
        list: async (...args) => {
          await slow.passed;
          return inner.configs.list(...args);
        },
      },
    });
    const { client, server } = start(agent, { push, store });
    const task = await server.task(taskId);
    await client.createTaskPushNotificationConfig({ taskId, id: "late", url });
    task.working();
    slow.open();
    await turn();
    expect(written(store.entries).toSorted()).toEqual(["known3 working", "late3 working"]);
  });

  test.each([
    ["rejects", () => Promise.reject(new Error("down"))],
    [
      "throws",
      () => {
        throw new Error("down");
      },
    ],
  ])("is lost to this process where the store %s, rather than going on without them", async (_, list) => {
    const inner = memoryStore();
    const { agent, message } = await paused(inner, ["x"]);
    const store = { ...inner, configs: { ...inner.configs, list } };
    const sending = start(agent, { push, store }).client.sendMessage({ message });
    await expect(sending).rejects.toMatchObject({ message: expect.stringContaining("store failed") });
    expect(await inner.outbox.claim("me", Number.MAX_SAFE_INTEGER, 0, 10)).toEqual([]);
  });

  test("costs no look at its webhooks where nothing is delivered", async () => {
    const inner = memoryStore();
    const { agent, message } = await paused(inner, ["x"]);
    const store = {
      ...inner,
      configs: { ...inner.configs, list: () => Promise.reject(new Error("asked")) },
    };
    const { task } = await start(agent, { store }).client.sendMessage({ message });
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  });
});

describe("a deletion", () => {
  const scope = { tenant: "", owner: "" };
  const listener = { wake: () => undefined, dropped: () => undefined };
  const left = async (store: TaskStore) => store.outbox.claim("me", Number.MAX_SAFE_INTEGER, 0, 10);

  test("waits for the commit on its way, so that nothing of it stays behind", async () => {
    const store = slowStore();
    const engine = new TaskEngine({ store, sweepMs: 0, push: listener });
    const live = engine.create(scope, task(), "c1", [{ id: "x", text: "{}", version: "1.0" }]);
    live.emit([status("TASK_STATE_WORKING", "on its way")]);
    let deleted = false;
    const deleting = engine.webhooks.remove(scope, "t1", "x").then(() => (deleted = true));
    live.emit([status("TASK_STATE_WORKING", "after")]);
    await store.pass();
    expect(deleted).toBe(false);
    await store.pass();
    await deleting;
    while (store.waiting > 0) await store.pass();
    expect(written(store.batches.flat())).toEqual(["x1 task submitted, 0 artifacts", "x2 working"]);
    expect(await left(store)).toEqual([]);
    await engine.close();
  });

  test("holds for a task that becomes live meanwhile", async () => {
    const inner = memoryStore();
    const first = new TaskEngine({ store: inner, sweepMs: 0, push: listener });
    first.create(scope, task(), "c1", [{ id: "x", text: "{}", version: "1.0" }]);
    await first.close();
    const slow = gate();
    const store = {
      ...inner,
      configs: {
        ...inner.configs,
        delete: async (...args: Parameters<TaskStore["configs"]["delete"]>) => {
          await slow.passed;
          return inner.configs.delete(...args);
        },
      },
    };
    const engine = new TaskEngine({ store, sweepMs: 0, push: listener });
    const deleting = engine.webhooks.remove(scope, "t1", "x");
    const live = await engine.lend(scope, "t1");
    if (live === undefined) throw new Error("there is no task");
    engine.rejoin(live);
    slow.open();
    await deleting;
    live.emit([status("TASK_STATE_WORKING")]);
    expect(await left(inner)).toEqual([]);
    await engine.close();
  });

  test("ends also where the task is lost to this process", async () => {
    const store = slowStore();
    const engine = new TaskEngine({ store, sweepMs: 0, push: listener });
    engine.create(scope, task(), "c1", [{ id: "x", text: "{}", version: "1.0" }]);
    const deleting = engine.webhooks.remove(scope, "t1", "x");
    await engine.close();
    await deleting;
  });
});

test("whoever delivers is told after the commit, and of deletions", async () => {
  const told: string[] = [];
  const listening: PushDelivery = {
    start: (store) => ({
      wake() {
        void Promise.resolve(store.outbox.claim("me", 0, 1, 10)).then((claimed) => {
          told.push(...claimed.map(({ n }) => `event ${String(n)}`));
        });
      },
      dropped: (_scope, _taskId, id) => told.push(`dropped ${id}`),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
  };
  const { client } = start(
    agentOf(async (ctx) => ctx.inputRequired("?")),
    { push: listening },
  );
  const taskId = await idOf(client.sendMessage({ message: userMessage("go"), configuration: inline("x") }));
  await client.deleteTaskPushNotificationConfig({ taskId, id: "x" });
  expect(told).toEqual(["event 1", "dropped x"]);
});

test("a webhook of 0.x gets the whole task at each status, as it was then", async () => {
  const store = watched();
  const agent = agentOf(async (ctx) => {
    ctx.working();
    ctx.artifact("one");
    return "two";
  });
  const { client, server } = start(agent, { push, store });
  await server.router.call({
    service: server.router.service,
    methodName: "sendMessage",
    method: server.router.service.methods.sendMessage,
    input: { message: userMessage("go"), configuration: inline("old") },
    headers: {},
    signal: new AbortController().signal,
    context: { callerVersion: "0.3" },
  });
  expect(client).toBeDefined();
  expect(written(store.entries)).toEqual([
    "old1 task submitted, 0 artifacts",
    "old2 task working, 0 artifacts",
    "old5 task completed, 2 artifacts",
  ]);
});
