/** Letters between instances whose store, leases and ends come at the worst moment. */
import { expect, test } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import type { Letter, TaskStore } from "../../src/store/types.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { LEASE, instance, open, shared, until, type Shared } from "../recovery/support.js";
import { agentOf, gate, turn } from "../server/agents.js";
import { must, pair, rest } from "./support.js";

const NEVER = new Promise<never>(() => undefined);
const at = { returnImmediately: true };

/** The store of `on`, with other mail. */
const mailed = (on: Shared, mail: Partial<TaskStore["mail"]>): TaskStore => ({
  ...on.store,
  mail: { ...on.store.mail, ...mail },
});

/** Works until it is told to end, and takes what comes. */
const listening = agentOf(async (ctx) => {
  ctx.working("ready");
  for await (const message of ctx.inbox) {
    if (textOf(message) === "stop") return "stopped";
    if (textOf(message) === "pause") return ctx.inputRequired("more?");
    ctx.artifact(textOf(message));
  }
  return undefined;
});

test("a caller whose instance ends while the letter is being posted is told so", async () => {
  const posting = gate();
  const on = shared();
  const bus = memoryBus();
  const a = instance(listening, on, { bus });
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  let posted = false;
  const store = mailed(on, {
    post: async (letter) => {
      posted = true;
      await posting.passed;
      return on.store.mail.post(letter);
    },
  });
  const b = instance(listening, on, { bus, store });
  const answer = b.client.sendMessage({
    message: userMessage("more", { taskId: id }),
    configuration: at,
  });
  answer.catch(() => undefined);
  await until(() => posted);
  await b.engine.close();
  posting.open();
  await expect(answer).rejects.toThrow("shutting down");
});

test("letters that were read before the task changed hands twice are not followed again", async () => {
  const agent = agentOf(async (ctx, m) => {
    ctx.artifact(textOf(m));
    return ctx.inputRequired("more?");
  });
  const on = shared();
  const held = gate();
  let stale: Promise<readonly Letter[]> | undefined;
  let holding = false;
  const store = mailed(on, {
    waiting: async (holder, limit) => {
      const letters = await on.store.mail.waiting(holder, limit);
      if (!holding || letters.length === 0) return letters;
      holding = false;
      stale = held.passed.then(() => letters);
      return stale;
    },
  });
  const [go, further] = [gate(), gate()];
  const first = agentOf(async (ctx, m) => {
    ctx.working();
    await (textOf(m) === "zero" ? go : further).passed;
    return ctx.inputRequired("more?");
  });
  const a = instance(first, on, { store });
  const b = instance(agent, on);
  const { id } = await open(a, "zero");
  await until(async () => (await on.read(id)).revision === 2);
  holding = true;
  const answer = b.client.sendMessage({ message: userMessage("one", { taskId: id }), configuration: at });
  // The old owner has read it, and knows nothing of it yet.
  await until(async () => {
    if (stale === undefined) await a.look();
    return stale !== undefined;
  });
  go.open();
  await until(async () => (await on.read(id)).lease === undefined);
  await until(async () => {
    await b.look();
    return (await on.read(id)).lease === undefined && (await on.read(id)).snapshot.received === 1;
  });
  await b.look();
  await answer;
  // It takes the task again, and only now gets what it asked for.
  const message = userMessage("two", { taskId: id });
  await a.client.sendMessage({ message, configuration: at });
  held.open();
  await stale;
  for (let turns = 0; turns < 10; turns += 1) await turn();
  further.open();
  await until(async () => (await on.read(id)).lease === undefined);
  await a.look();
  const { history = [] } = await a.client.getTask({ id });
  expect(history.map(textOf).filter((text) => text === "one")).toHaveLength(1);
});

test("letters that cannot be read now do not keep the instance busy, and those behind them are read", async () => {
  const on = shared();
  let reads = 0;
  const none: Letter[] = Array.from({ length: 100 }, (_, n) => ({
    id: `lost ${String(n)}`,
    scope: { tenant: "", owner: "" },
    taskId: "somebody else's by now",
    text: "{}",
  }));
  const store = mailed(on, {
    waiting: (holder, limit) => {
      reads += 1;
      if (reads > 1_000) throw new Error("it reads and reads");
      const letters = on.store.mail.waiting(holder, limit) as readonly Letter[];
      return [...none, ...letters].slice(0, limit);
    },
  });
  const a = instance(listening, on, { store });
  const b = instance(listening, on);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const answer = b.client.sendMessage({
    message: userMessage("more", { taskId: id }),
    configuration: at,
  });
  await turn();
  await a.look();
  await until(async () => (await on.read(id)).messages.length === 1);
  await b.look();
  await answer;
  expect(reads).toBeLessThan(20);
});

test("a task is forgotten where it rested, also when somebody elsewhere waited for the agent to take a message", async () => {
  const go = gate();
  const pausing = agentOf(async (ctx, m) => {
    if (textOf(m) === "hi") {
      ctx.working("ready");
      await go.passed;
      return ctx.inputRequired("first");
    }
    return ctx.inputRequired("more?");
  });
  const { a, b, on } = await pair(pausing);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const answer = b.client.sendMessage({ message: userMessage("more", { taskId: id }) });
  await until(async () => (await on.read(id)).messages.length === 1);
  for (let turns = 0; turns < 10; turns += 1) await turn();
  go.open();
  expect((await answer).task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  await until(async () => (await on.read(id)).lease === undefined);
  await until(() => a.engine.size === 0);
  expect(b.engine.cluster?.following).toBe(0);
});

test("a blocking call on a detached task is answered when another instance ends the task", async () => {
  const agent = agentOf(async (ctx) => {
    ctx.working("handed on");
    return ctx.detached();
  });
  const { a, b, on } = await pair(agent);
  const stream = a.client.sendStreamingMessage({ message: userMessage("other") });
  const id = (await stream.next()).value?.task?.id ?? "";
  const answer = a.client.sendMessage({ message: userMessage("hi") });
  await until(async () => (await a.client.listTasks({})).tasks.length === 2);
  const { tasks } = await a.client.listTasks({});
  const mine = must(tasks.find((task) => task.id !== id));
  await until(async () => (await on.read(mine.id)).lease?.holder === "");
  (await b.server.task(id)).completed();
  (await b.server.task(mine.id)).completed();
  await until(async () => (await on.read(mine.id)).head.terminal);
  expect((await rest(stream)).at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  expect((await answer).task?.status.state).toBe("TASK_STATE_COMPLETED");
});

test("the stream of a message that its owner never read ends where its successor pauses for it", async () => {
  let runs = 0;
  const agent = agentOf(
    async (ctx, m) => {
      runs += 1;
      if (runs === 1) {
        ctx.working("first");
        await NEVER;
      }
      if (textOf(m) === "hi") {
        for await (const message of ctx.inbox) return ctx.inputRequired(`took ${textOf(message)}`);
      }
      return ctx.inputRequired("later");
    },
    { recovery: "rerun" },
  );
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const stream = a.client.sendStreamingMessage({ message: userMessage("more", { taskId: id }) });
  await stream.next();
  on.now += LEASE + 1;
  expect(await b.look()).toBe(1);
  await a.look();
  await until(async () => (await on.read(id)).head.state === "TASK_STATE_INPUT_REQUIRED");
  const events = await rest(stream);
  expect(events.at(-1)?.statusUpdate?.status.message?.parts[0]?.text).toBe("took more");
});

test("an answer that is told of while it is being looked for is found", async () => {
  const on = shared();
  const bus = memoryBus();
  const late = gate();
  let asked = 0;
  const store = mailed(on, {
    collect: async (letter) => {
      const found = await on.store.mail.collect(letter);
      asked += 1;
      // The first look saw none; what it saw comes late.
      if (asked === 1) await late.passed;
      return found;
    },
  });
  const a = instance(listening, on);
  const b = instance(listening, on, { bus, store });
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  await until(() => b.engine.cluster?.hears === true);
  const answer = b.client.sendMessage({
    message: userMessage("more", { taskId: id }),
    configuration: at,
  });
  await turn();
  await b.look();
  expect(asked).toBe(1);
  const [letter] = await on.store.mail.waiting(must((await on.read(id)).lease).holder, 1);
  await a.look();
  await until(async () => (await on.read(id)).messages.length === 1);
  bus.publish([{ taskId: id, answered: must(letter).id }]);
  await turn();
  late.open();
  expect((await answer).task?.id).toBe(id);
});

test("a letter that is posted when the task has just come to rest is answered at once, not at the next look", async () => {
  const go = gate();
  const agent = agentOf(async (ctx, m) => {
    ctx.working();
    if (textOf(m) === "hi") await go.passed;
    return ctx.inputRequired(`after ${textOf(m)}`);
  });
  const on = shared();
  const bus = memoryBus();
  // Nobody looks by the clock while the test runs.
  const seldom = { bus, sweepMs: 600_000, pollMs: 600_000, leaseMs: 1_800_000 };
  let posting = false;
  const store = mailed(on, {
    post: async (letter) => {
      posting = true;
      await until(async () => (await on.read(letter.taskId)).lease === undefined);
      return on.store.mail.post(letter);
    },
  });
  const a = instance(agent, on, seldom);
  const b = instance(agent, on, { ...seldom, store });
  while (!(a.engine.cluster?.hears === true && b.engine.cluster?.hears === true)) await turn();
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const answer = b.client.sendMessage({ message: userMessage("more", { taskId: id }) });
  await until(() => posting);
  go.open();
  expect((await answer).task?.status.message?.parts[0]?.text).toBe("after more");
  for (const { server } of [a, b]) await server.close({ deadlineMs: 0 });
});
