/** Owners that end, with letters in their mail and callers elsewhere. */
import { expect, test } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { instance, open, shared, until, type Instance } from "../recovery/support.js";
import { agentOf, gate, turn } from "../server/agents.js";
import { must, rest } from "./support.js";

const NEVER = new Promise<never>(() => undefined);

async function looking<T>(answer: Promise<T>, all: readonly Instance[]): Promise<T> {
  let over = false;
  void answer.catch(() => undefined).then(() => (over = true));
  for (let looks = 0; !over; looks += 1) {
    if (looks > 500) throw new Error("it waits for ever");
    for (const one of all) await one.look();
    await turn();
  }
  return answer;
}

/** Takes what comes; stops where it is told to, and never by itself. */
const agent = agentOf(
  async (ctx) => {
    ctx.working(`attempt ${String(ctx.attempt)}`);
    for await (const message of ctx.inbox) {
      if (textOf(message) === "stop") return "stopped";
      ctx.artifact(textOf(message));
    }
    await NEVER;
    return undefined;
  },
  { recovery: "rerun" },
);

test.each([0, 1, 2, 3, 5, 8, 13])(
  "an owner that ends %i turns after a letter was posted loses none and doubles none",
  async (turns) => {
    const on = shared();
    const bus = memoryBus();
    const [a, b, c] = [0, 1, 2].map(() => instance(agent, on, { bus })) as [Instance, Instance, Instance];
    while (![a, b, c].every(({ engine }) => engine.cluster?.hears === true)) await turn();
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).revision === 2);
    const stream = b.client.subscribeToTask({ id });
    await stream.next();
    const events = rest(stream);
    const sent = ["one", "two", "three"].map(async (text) =>
      b.client.sendMessage({
        message: userMessage(text, { taskId: id }),
        configuration: { returnImmediately: true },
      }),
    );
    for (let i = 0; i < turns; i += 1) await turn();
    const closing = a.server.close({ deadlineMs: 0 });
    await looking(Promise.all([closing, ...sent]), [b, c]);
    const stop = b.client.sendMessage({ message: userMessage("stop", { taskId: id }) });
    const { task } = await looking(stop, [b, c]);
    const said =
      must(task)
        .history?.filter(({ role }) => role === "ROLE_USER")
        .map(textOf) ?? [];
    expect([...said].sort()).toEqual(["hi", "one", "stop", "three", "two"]);
    expect(said.at(-1)).toBe("stop");
    expect((await events).at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    for (const one of [b, c]) {
      await until(() => one.engine.size === 0 && one.engine.cluster?.following === 0);
    }
  },
);

test("a cancel of a task whose owner ends just then is done by its successor, or told that the task has ended", async () => {
  for (let turns = 0; turns < 8; turns += 1) {
    const on = shared();
    const bus = memoryBus();
    const [a, b] = [instance(agent, on, { bus }), instance(agent, on, { bus })];
    while (![a, b].every(({ engine }) => engine.cluster?.hears === true)) await turn();
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).revision === 2);
    const canceled = b.client.cancelTask({ id });
    for (let i = 0; i < turns; i += 1) await turn();
    const closing = a.server.close({ deadlineMs: 0 });
    const [task] = await looking(Promise.all([canceled, closing]), [b]);
    expect(task.status.state).toBe("TASK_STATE_CANCELED");
  }
});

test("an instance that ends while it opens its bus leaves no listener behind", async () => {
  const bus = memoryBus();
  let listening = 0;
  const counted = {
    publish: bus.publish.bind(bus),
    get connected() {
      return true;
    },
    close: () => undefined,
    listen: (...args: Parameters<typeof bus.listen>) => {
      listening += 1;
      const stop = bus.listen(...args);
      return () => {
        listening -= 1;
        stop();
      };
    },
  };
  const one = instance(agent, shared(), { bus: counted });
  await one.server.close({ deadlineMs: 0 });
  for (let i = 0; i < 20; i += 1) await turn();
  expect(listening).toBe(0);
});

test("what two instances take at the same moment, one of them has, and both callers are answered", async () => {
  const go = gate();
  const pausing = agentOf(async (ctx, m) => {
    ctx.artifact(textOf(m));
    if (textOf(m) !== "hi") await go.passed;
    return ctx.inputRequired("more?");
  });
  const on = shared();
  const bus = memoryBus();
  const all = [0, 1, 2].map(() => instance(pausing, on, { bus }));
  while (!all.every(({ engine }) => engine.cluster?.hears === true)) await turn();
  const { id } = await open(must(all[0]), "hi");
  await until(async () => (await on.read(id)).lease === undefined);
  const sent = Promise.all(
    all.map(({ client }, n) => client.sendMessage({ message: userMessage(String(n), { taskId: id }) })),
  );
  for (let i = 0; i < 20; i += 1) await turn();
  go.open();
  await looking(sent, all);
  const { artifacts = [], status } = await must(all[0]).client.getTask({ id });
  expect(status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  expect(artifacts.map(({ parts }) => parts[0]?.text).sort()).toEqual(["0", "1", "2", "hi"]);
});
