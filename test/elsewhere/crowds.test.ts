/** Many at once, large things, callers that go away, and what handlers are told of those who called elsewhere. */
import { expect, test } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import { JsonText } from "../../src/json-text.js";
import { memoryStore } from "../../src/server.js";
import type { TaskStore } from "../../src/store/types.js";
import { pivot, textOf, userMessage, type Task } from "../../src/versions/pivot.js";
import { instance, open, shared, until, type Instance } from "../recovery/support.js";
import { agentOf, gate, turn } from "../server/agents.js";
import { folded, must, pair, rest, texts } from "./support.js";

const NEVER = new Promise<never>(() => undefined);
const at = { returnImmediately: true };

const hears = async (...all: readonly Instance[]): Promise<void> => {
  while (!all.every(({ engine }) => engine.cluster?.hears === true)) await turn();
};

test("cancels at three instances at once share one outcome", async () => {
  let fired = 0;
  const agent = agentOf(async (ctx) => {
    ctx.signal.addEventListener("abort", () => (fired += 1));
    ctx.working();
    await NEVER;
  });
  const on = shared();
  const bus = memoryBus();
  const all = [0, 1, 2].map(() => instance(agent, on, { bus }));
  await hears(...all);
  const { id } = await open(must(all[0]), "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const canceling = Promise.all(all.map(({ client }) => client.cancelTask({ id })));
  for (let looks = 0; looks < 20; looks += 1) {
    await turn();
    for (const one of all) await one.look();
  }
  for (const { status } of await canceling) expect(status.state).toBe("TASK_STATE_CANCELED");
  expect(fired).toBe(1);
});

test("a cooperative cancel at another instance waits for the handler to end by itself", async () => {
  const clean = gate();
  const agent = agentOf(
    async (ctx) => {
      ctx.working();
      await new Promise<void>((resolve) => {
        ctx.signal.addEventListener("abort", () => {
          resolve();
        });
      });
      await clean.passed;
      ctx.artifact("cleaned up");
      return undefined;
    },
    { cancel: "cooperative" },
  );
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const canceled = b.client.cancelTask({ id });
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect((await on.read(id)).head.terminal).toBe(false);
  clean.open();
  const task = await canceled;
  expect(task.status.state).toBe("TASK_STATE_CANCELED");
  expect(task.artifacts).toHaveLength(1);
});

test("a handler is told who called at another instance, of which tenant, with what", async () => {
  const told: unknown[] = [];
  const go = gate();
  const busy = agentOf(async (ctx, m) => {
    told.push([ctx.principal, ctx.tenant, ctx.metadata]);
    if (textOf(m) !== "hi") return ctx.inputRequired("again?");
    ctx.working();
    await go.passed;
    return ctx.inputRequired("?");
  });
  const { a, b } = await pair(busy);
  const call = async ({ server }: Instance, text: string, taskId?: string): Promise<Task> => {
    const { output } = await server.router.call({
      service: pivot,
      methodName: "sendMessage",
      method: pivot.methods.sendMessage,
      input: {
        message: userMessage(text, taskId === undefined ? {} : { taskId }),
        configuration: at,
        metadata: { by: text },
      },
      headers: {},
      signal: new AbortController().signal,
      context: { principal: { sub: "alice", roles: ["x"] }, tenant: "t" },
    });
    const value = output instanceof JsonText ? output.value() : output;
    return (value as { task: Task }).task;
  };
  const { id } = await call(a, "hi");
  for (let turns = 0; turns < 10; turns += 1) await turn();
  await call(b, "more", id);
  go.open();
  await until(() => told.length === 2);
  const alice = { sub: "alice", roles: ["x"] };
  expect(told).toEqual([
    [alice, "t", { by: "hi" }],
    [alice, "t", { by: "more" }],
  ]);
});

test("a letter of a megabyte, and of characters that are none, arrives as it was", async () => {
  const go = gate();
  const agent = agentOf(async (ctx) => {
    ctx.working();
    for await (const m of ctx.inbox) return textOf(m);
    await go.passed;
    return undefined;
  });
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const text = `\u0000\u2028"\\${"\u{1F600}ä".repeat(250_000)}`;
  const { task } = await b.client.sendMessage({ message: userMessage(text, { taskId: id }) });
  expect(must(task).artifacts?.[0]?.parts[0]?.text === text).toBe(true);
});

test("a caller that goes away leaves nothing behind, and its message is taken once", async () => {
  const seen: string[] = [];
  const go = gate();
  const agent = agentOf(async (ctx) => {
    ctx.working();
    await go.passed;
    for (let m = ctx.inbox.take(); m !== undefined; m = ctx.inbox.take()) seen.push(textOf(m));
    return ctx.inputRequired("?");
  });
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const away = new AbortController();
  const answer = b.client.sendMessage(
    { message: userMessage("more", { taskId: id }) },
    { signal: away.signal },
  );
  answer.catch(() => undefined);
  await until(async () => (await on.read(id)).messages.length === 1);
  away.abort();
  await expect(answer).rejects.toMatchObject({ reason: "ABORTED" });
  await until(() => b.engine.cluster?.following === 0);
  go.open();
  await until(async () => (await on.read(id)).lease === undefined);
  for (let looks = 0; looks < 5; looks += 1) await Promise.all([a.look(), b.look()]);
  expect(seen).toEqual(["more"]);
  await until(() => a.engine.size === 0 && b.engine.size === 0);
});

test("a message that is repeated at the same other instance is taken once, while it waits and after", async () => {
  const go = gate();
  const agent = agentOf(async (ctx, m) => {
    if (textOf(m) === "hi") {
      ctx.working();
      await go.passed;
      return ctx.inputRequired("first");
    }
    return ctx.inputRequired(`after ${textOf(m)}`);
  });
  const { a, b, on } = await pair(agent, { idempotency: true });
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const message = userMessage("more", { taskId: id });
  const away = new AbortController();
  const first = b.client.sendMessage({ message }, { signal: away.signal });
  first.catch(() => undefined);
  await until(async () => (await on.read(id)).messages.length === 1);
  const again = b.client.sendMessage({ message });
  for (let turns = 0; turns < 5; turns += 1) await turn();
  go.open();
  const { task } = await again;
  expect(task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  await first;
  const late = await b.client.sendMessage({ message });
  expect(late.task?.history?.filter(({ messageId }) => messageId === message.messageId)).toHaveLength(1);
});

test("a thousand tasks of others are looked at so many at a time, and forgotten when nobody listens", async () => {
  const on = shared();
  let reads = 0;
  const store: TaskStore = {
    ...on.store,
    read: (...args) => {
      reads += 1;
      return on.store.read(...args);
    },
  };
  const agent = agentOf(async (ctx) => {
    ctx.working();
    await NEVER;
  });
  const a = instance(agent, on);
  const b = instance(agent, on, { store });
  const tasks = await Promise.all(Array.from({ length: 1_000 }, async () => open(a, "hi")));
  const streams = tasks.map(({ id }) => b.client.subscribeToTask({ id }));
  await Promise.all(streams.map((stream) => stream.next()));
  expect(b.engine.cluster?.following).toBe(1_000);
  reads = 0;
  await b.look();
  expect(reads).toBeLessThanOrEqual(1_000);
  await Promise.all(streams.map((stream) => stream.return()));
  await until(() => b.engine.cluster?.following === 0);
  reads = 0;
  await b.look();
  expect(reads).toBe(0);
});

test(
  "one who takes nothing holds no events elsewhere, and misses none; also where the bus dies in the middle",
  { timeout: 60_000 },
  async () => {
    const go = gate();
    const agent = agentOf(async (ctx) => {
      ctx.working();
      await go.passed;
      for (let n = 0; n < 3_000; n += 1) {
        ctx.artifact(`${String(n)} ${"x".repeat(200)}`);
        if (n % 50 === 0) await turn();
      }
      return undefined;
    });
    const on = shared();
    const bus = memoryBus();
    const [a, b] = [instance(agent, on, { bus }), instance(agent, on, { bus })];
    await hears(a, b);
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).revision === 2);
    const [slow, quick] = [b.client.subscribeToTask({ id }), b.client.subscribeToTask({ id })];
    const first = must((await slow.next()).value);
    await quick.next();
    const ended = rest(quick);
    const far = must(b.engine.cluster).follow({ tenant: "", owner: "" }, await on.read(id));
    go.open();
    await until(async () => {
      if ((await on.read(id)).revision > 1_500) await bus.close();
      await b.look();
      return (await on.read(id)).head.terminal;
    });
    await b.look();
    expect(texts(await ended)).toHaveLength(3_000);
    expect(far.log.length).toBeLessThan(1_400);
    const events = await rest(slow);
    expect(texts(events).map((text) => Number.parseInt(text, 10))).toEqual(
      Array.from({ length: 3_000 }, (_, n) => n),
    );
    const task = await a.client.getTask({ id });
    expect(folded([first, ...events]).artifacts).toEqual(task.artifacts);
  },
);

test("a limit of the owner is told the caller at another instance as at the owner", async () => {
  const agent = agentOf(async (ctx) => {
    ctx.working();
    await NEVER;
  });
  const { a, b, on } = await pair(agent, { limits: { messagesPerTask: 1 } });
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const send = async ({ client }: Instance): Promise<unknown> =>
    client.sendMessage({ message: userMessage("more", { taskId: id }), configuration: at });
  await send(b);
  const [there, here] = await Promise.allSettled([send(b), send(a)]);
  expect(here).toMatchObject({
    status: "rejected",
    reason: { message: expect.stringContaining("has taken 1 messages") as string },
  });
  expect(there).toEqual(here);
});

test("a store of this process alone knows no other instances", () => {
  const on = { ...shared(), store: memoryStore() };
  expect(
    instance(
      agentOf(async () => "x"),
      on,
    ).engine.cluster,
  ).toBeUndefined();
});
