/** Webhooks that come and go at one instance while others work on the task. */
import { expect, test } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { instance, open, shared, until, type Shared } from "../recovery/support.js";
import { agentOf, gate, turn } from "../server/agents.js";
import { must, pair } from "./support.js";

const at = { returnImmediately: true };

/** Deliveries stay in the store, for the test to read. */
const push = {
  check: () => undefined,
  start: (store: unknown) => ({ store, async [Symbol.asyncDispose]() {} }),
};

/** What waits to be delivered, as config and revision. */
async function waiting(on: Shared): Promise<[id: string, n: number][]> {
  const found: [string, number][] = [];
  for (;;) {
    const claimed = await on.store.outbox.claim("test", on.now, 1_000, 100);
    if (claimed.length === 0) return found;
    for (const one of claimed) {
      found.push([one.configId, one.n]);
      await on.store.outbox.ack(one);
    }
  }
}

test("a webhook that comes while the handler of a paused task cleans up gets what the next turn does", async () => {
  const [clean, go] = [gate(), gate()];
  const agent = agentOf(async (ctx, m) => {
    if (textOf(m) === "hi") {
      ctx.inputRequired("more?");
      await clean.passed;
      return undefined;
    }
    await go.passed;
    return "done";
  });
  const { a, b, on } = await pair(agent, { push });
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).head.state === "TASK_STATE_INPUT_REQUIRED");
  await b.client.createTaskPushNotificationConfig({
    taskId: id,
    id: "hook",
    url: "https://hooks.example.com/",
  });
  await a.client.sendMessage({ message: userMessage("more", { taskId: id }), configuration: at });
  clean.open();
  go.open();
  await until(async () => (await on.read(id)).head.terminal);
  const { revision } = await on.read(id);
  expect((await waiting(on)).map(([, n]) => n)).toEqual(
    Array.from({ length: revision - 2 }, (_, n) => n + 3),
  );
});

test("webhooks that come and go everywhere get all between the answers to that, and nothing after", async () => {
  const agent = agentOf(async (ctx, m) => {
    for (let n = 0; n < 5; n += 1) {
      ctx.artifact(`${textOf(m)} ${String(n)}`);
      await turn();
    }
    return textOf(m) === "stop" ? undefined : ctx.inputRequired("more?");
  });
  const on = shared();
  const bus = memoryBus();
  const all = [0, 1, 2].map(() => instance(agent, on, { bus, push }));
  while (!all.every(({ engine }) => engine.cluster?.hears === true)) await turn();
  const { id } = await open(must(all[0]), "hi");
  await until(async () => (await on.read(id)).revision >= 1);
  let over = false;
  const beats = (async () => {
    while (!over) {
      for (const one of all) await one.look();
      await turn();
    }
  })();
  const [added, removed] = [new Map<string, number>(), new Map<string, number>()];
  const hooks = (async () => {
    for (let n = 0; !over; n += 1) {
      const name = `hook ${String(n)}`;
      const { client } = must(all[(n * 2) % 3]);
      try {
        await client.createTaskPushNotificationConfig({
          taskId: id,
          id: name,
          url: "https://hooks.example.com/",
        });
        added.set(name, (await on.read(id)).revision);
        if (n % 2 === 1) {
          await client.deleteTaskPushNotificationConfig({ taskId: id, id: `hook ${String(n - 1)}` });
          removed.set(`hook ${String(n - 1)}`, (await on.read(id)).revision);
        }
      } catch (error) {
        if (!over && !(await on.read(id)).head.terminal) throw error;
      }
      for (let turns = 0; turns < n % 7; turns += 1) await turn();
    }
  })();
  for (let n = 0; n < 20; n += 1) {
    await must(all[n % 3]).client.sendMessage({ message: userMessage(String(n), { taskId: id }) });
  }
  await must(all[1]).client.sendMessage({ message: userMessage("stop", { taskId: id }) });
  over = true;
  await Promise.all([hooks, beats]);
  const { revision } = await on.read(id);
  const found = await waiting(on);
  expect(added.size).toBeGreaterThan(10);
  for (const [name, since] of added) {
    const numbers = found.filter(([hook]) => hook === name).map(([, n]) => n);
    if (removed.has(name)) {
      expect(numbers).toEqual([]);
      continue;
    }
    // What the owner had made before it was told may be stored after.
    const from = numbers[0] ?? revision + 1;
    expect(from).toBeLessThanOrEqual(Math.min(since + 4, revision + 1));
    expect(numbers).toEqual(Array.from({ length: revision + 1 - from }, (_, n) => from + n));
  }
});
