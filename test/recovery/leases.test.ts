/** Who holds the lease of a task when: while it is worked on, and never at rest. */
import { describe, expect, test } from "vitest";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { agentOf, gate, turn } from "../server/agents.js";
import { instance, LEASE, open, shared, until } from "./support.js";

const HANG = new Promise<never>(() => undefined);
const hanging = agentOf(async (ctx) => {
  ctx.working("on it");
  await HANG;
});
const asking = agentOf(async (ctx, m) => {
  if (textOf(m) === "work") await HANG;
  return textOf(m) === "stop" ? "done" : ctx.inputRequired("more?");
});

describe("the lease of a task", () => {
  test("is taken with its birth, and renewed three times as often as it ends", async () => {
    const on = shared();
    const a = instance(hanging, on);
    const { id } = await open(a, "hi");
    await a.engine.settled();
    expect((await on.read(id)).lease).toEqual({
      holder: a.engine.ownership?.holder,
      expires: on.now + LEASE,
      fence: 1,
    });
    on.now += LEASE / 3;
    await a.look();
    expect((await on.read(id)).lease?.expires).toBe(on.now + LEASE);
  });

  test("is not there for a task that was done at once, that waits, or that ended", async () => {
    const on = shared();
    const a = instance(asking, on);
    const { task: done } = await a.client.sendMessage({ message: userMessage("stop") });
    expect(await on.read(done?.id ?? "")).toMatchObject({ fence: 0, head: { terminal: true } });
    const { task } = await a.client.sendMessage({ message: userMessage("hi") });
    const id = task?.id ?? "";
    expect((await on.read(id)).lease).toBeUndefined();
    await a.client.sendMessage({ message: userMessage("again", { taskId: id }) });
    expect((await on.read(id)).lease).toBeUndefined();
    expect((await on.read(id)).fence).toBe(1);
    await a.client.sendMessage({ message: userMessage("stop", { taskId: id }) });
    expect(await on.read(id)).toMatchObject({ fence: 2, head: { terminal: true } });
    expect((await on.read(id)).lease).toBeUndefined();
    expect([a.engine.ownership?.size, a.engine.size]).toEqual([0, 0]);
  });

  test("is let go of where a task was made live for nothing", async () => {
    const on = shared();
    const a = instance(asking, on, { limits: { messagesPerTask: 0 } });
    const { task } = await a.client.sendMessage({ message: userMessage("hi") });
    const id = task?.id ?? "";
    await expect(a.client.sendMessage({ message: userMessage("x", { taskId: id }) })).rejects.toThrow(
      "has taken 0 messages",
    );
    await until(async () => (await on.read(id)).lease === undefined);
    expect([a.engine.ownership?.size, a.engine.size]).toEqual([0, 0]);
    on.now += LEASE + 1;
    expect(await a.look()).toBe(0);
  });

  test("is not taken by who only listens, and another instance may go on", async () => {
    const on = shared();
    const [a, b] = [instance(asking, on), instance(asking, on)];
    const { task } = await a.client.sendMessage({ message: userMessage("hi") });
    const id = task?.id ?? "";
    const stream = a.client.subscribeToTask({ id });
    expect((await stream.next()).value).toMatchObject({ task: { id } });
    expect((await on.read(id)).lease).toBeUndefined();
    const answer = await b.client.sendMessage({ message: userMessage("more", { taskId: id }) });
    expect(answer.task?.history).toHaveLength(3);
    // What the first one still has in memory is not what it shows.
    expect((await a.client.getTask({ id })).history).toHaveLength(3);
    const last = await a.client.sendMessage({ message: userMessage("stop", { taskId: id }) });
    expect(last.task?.status.state).toBe("TASK_STATE_COMPLETED");
    await stream.return();
  });

  test("two instances answer one task in turn", async () => {
    const on = shared();
    const [a, b] = [instance(asking, on), instance(asking, on)];
    const { task } = await a.client.sendMessage({ message: userMessage("0") });
    const id = task?.id ?? "";
    for (let n = 1; n <= 6; n += 1) {
      const { client } = n % 2 === 0 ? a : b;
      await client.sendMessage({ message: userMessage(String(n), { taskId: id }) });
    }
    const { history = [] } = await b.client.getTask({ id });
    const said = history.filter(({ role }) => role === "ROLE_USER").map(textOf);
    expect(said).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
  });

  test("stays while messages wait that the agent goes on with by itself", async () => {
    const on = shared();
    const [pause, cleanup, end] = [gate(), gate(), gate()];
    const seen: string[] = [];
    const agent = agentOf(async (ctx, m) => {
      seen.push(textOf(m));
      if (seen.length === 1) {
        await pause.passed;
        ctx.inputRequired("more?");
        await cleanup.passed;
        return;
      }
      await end.passed;
      return "done";
    });
    const a = instance(agent, on);
    const { id } = await open(a, "one");
    await until(() => seen.length === 1);
    const second = a.client.sendMessage({ message: userMessage("two", { taskId: id }) });
    await until(async () => (await a.client.getTask({ id })).history?.length === 2);
    const ours = { holder: a.engine.ownership?.holder, fence: 1 };
    pause.open();
    await until(async () => (await on.read(id)).head.state === "TASK_STATE_INPUT_REQUIRED");
    expect((await on.read(id)).lease).toMatchObject(ours);
    cleanup.open();
    await until(() => seen.length === 2);
    await a.engine.settled();
    expect((await on.read(id)).lease).toMatchObject(ours);
    end.open();
    expect((await second).task?.status.state).toBe("TASK_STATE_COMPLETED");
    expect((await on.read(id)).fence).toBe(1);
  });
});

test("the tasks of another instance stay there: get reads them, effects from outside are told where they are", async () => {
  const on = shared();
  const [a, b] = [instance(hanging, on), instance(hanging, on)];
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  expect((await b.client.getTask({ id })).status.state).toBe("TASK_STATE_WORKING");
  await expect(b.server.task(id)).rejects.toThrow(`Another instance works on task ${id}; try again`);
  expect((await on.read(id)).lease?.holder).toBe(a.engine.ownership?.holder);
  expect((await a.client.cancelTask({ id })).status.state).toBe("TASK_STATE_CANCELED");
});

test("a thousand leases are renewed in one call", async () => {
  const on = shared();
  const a = instance(hanging, on);
  await Promise.all(Array.from({ length: 1_000 }, () => open(a, "hi")));
  await a.engine.settled();
  await a.look();
  expect(on.renewals).toEqual([1_000]);
});

test("while the store cannot be reached a task goes on, until its lease has run out", async () => {
  const on = shared();
  let signal: AbortSignal | undefined;
  const agent = agentOf(async (ctx) => {
    ({ signal } = ctx);
    await HANG;
  });
  const a = instance(agent, on);
  const { id } = await open(a, "hi");
  await until(() => signal !== undefined);
  const stream = a.client.subscribeToTask({ id });
  await stream.next();
  on.down = new Error("the network is gone");
  on.now += LEASE - 1;
  await a.look();
  expect(signal?.aborted).toBe(false);
  on.now += 1;
  await a.look();
  expect(signal?.aborted).toBe(true);
  expect((await on.read(id)).head.state).toBe("TASK_STATE_SUBMITTED");
  on.down = undefined;
  on.now += 1;
  expect(await a.look()).toBe(1);
  // Whoever listens gets what came of it, whoever took it over.
  await a.look();
  expect((await stream.next()).value).toMatchObject({
    statusUpdate: { status: { state: "TASK_STATE_FAILED" } },
  });
  expect(await stream.next()).toEqual({ done: true });
});

describe("clocks that go wrong", () => {
  test.each([-LEASE, LEASE])(
    "an instance whose clock is off by %i ms does not take what is worked on",
    async (skew) => {
      const on = shared();
      const store = { ...on.store, clock: () => on.now };
      const a = instance(hanging, on, { store });
      const b = instance(hanging, on, { store, now: () => on.now + skew });
      await turn();
      const [mine, yours] = [await open(a, "hi"), await open(b, "hi")];
      for (let n = 0; n < 4; n += 1) {
        on.now += LEASE / 3;
        expect(await a.look()).toBe(0);
        expect(await b.look()).toBe(0);
      }
      expect((await on.read(mine.id)).lease?.expires).toBe(on.now + LEASE);
      expect((await on.read(yours.id)).lease?.expires).toBe(on.now + LEASE);
    },
  );
});
