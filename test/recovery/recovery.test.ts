/** What becomes of a task whose process is gone, and of the process that is not gone but too late. */
import { describe, expect, test } from "vitest";
import type { Interceptor } from "../../src/call.js";
import type { Ctx } from "../../src/server.js";
import { anonymous } from "../../src/server/scope.js";
import { textOf, userMessage, type StreamResponse } from "../../src/versions/pivot.js";
import { agentOf, gate, quiet } from "../server/agents.js";
import { instance, LEASE, open, shared, until, type Instance, type Shared } from "./support.js";

const HANG = new Promise<never>(() => undefined);

/** An agent that hangs after a status, and tells of its runs. */
function hanging() {
  const runs: Ctx[] = [];
  const agent = agentOf(async (ctx) => {
    runs.push(ctx);
    ctx.working("on it");
    await HANG;
  });
  return { agent, runs };
}

/** The owner looks no more; what it holds runs out. */
const pass = (on: Shared): void => {
  on.now += LEASE + 1;
};

const stateOf = async ({ client }: Instance, id: string) => (await client.getTask({ id })).status.state;

describe('recovery: "fail"', () => {
  test("another instance ends the task within the lease time and one look, not before", async () => {
    const on = shared();
    const { agent } = hanging();
    const [a, b] = [instance(agent, on), instance(agent, on)];
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).revision === 2);
    on.now += LEASE - 1;
    expect(await b.look()).toBe(0);
    on.now += 2;
    expect(await b.look()).toBe(1);
    const { status } = await b.client.getTask({ id });
    expect(status).toMatchObject({
      state: "TASK_STATE_FAILED",
      message: { parts: [{ text: "The process that worked on this task stopped." }] },
    });
    expect((await on.read(id)).lease).toBeUndefined();
    expect(await b.look()).toBe(0);
  });

  test("the old owner writes nothing more: its run is stopped and its effects throw", async () => {
    const on = shared();
    const { agent, runs } = hanging();
    const [a, b] = [instance(agent, on), instance(agent, on)];
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).revision === 2);
    const stream = a.client.subscribeToTask({ id });
    await stream.next();
    pass(on);
    await b.look();
    const { revision, head } = await on.read(id);
    expect(head.state).toBe("TASK_STATE_FAILED");
    const [old] = runs;
    old?.artifact("too late");
    await until(() => old?.signal.aborted === true);
    expect(() => old?.artifact("again")).toThrow("another process took the task over");
    expect((await stream.next()).value).toMatchObject({
      statusUpdate: { status: { state: "TASK_STATE_FAILED" } },
    });
    expect(await stream.next()).toEqual({ done: true });
    expect(await on.read(id)).toMatchObject({ revision, head });
  });

  test("an owner that only was slow finds out at its next look", async () => {
    const on = shared();
    const { agent, runs } = hanging();
    const [a, b] = [instance(agent, on), instance(agent, on)];
    const { id } = await open(a, "hi");
    await until(() => runs.length === 1);
    await a.engine.settled();
    pass(on);
    await b.look();
    on.now -= LEASE;
    await a.look();
    expect(runs[0]?.signal.reason).toMatchObject({ message: expect.stringContaining("took it over") });
    expect(await stateOf(b, id)).toBe("TASK_STATE_FAILED");
  });

  test("whoever comes first recovers it: a message, a cancel, a subscription", async () => {
    for (const [name, visit] of Object.entries({
      message: (b: Instance, id: string) =>
        b.client.sendMessage({ message: userMessage("x", { taskId: id }) }),
      cancel: (b: Instance, id: string) => b.client.cancelTask({ id }),
      subscription: (b: Instance, id: string) => b.client.subscribeToTask({ id }).next(),
    })) {
      const on = shared();
      const { agent } = hanging();
      const [a, b] = [instance(agent, on), instance(agent, on)];
      const { id } = await open(a, "hi");
      await until(async () => (await on.read(id)).revision === 2);
      pass(on);
      await Promise.resolve(visit(b, id)).catch(() => undefined);
      await b.engine.settled();
      expect([name, await stateOf(b, id)]).toEqual([name, "TASK_STATE_FAILED"]);
    }
  });

  test("of two instances that look at once, one takes it", async () => {
    const on = shared();
    const { agent } = hanging();
    const [a, b, c] = [instance(agent, on), instance(agent, on), instance(agent, on)];
    const tasks = await Promise.all(Array.from({ length: 250 }, () => open(a, "hi")));
    await a.engine.settled();
    pass(on);
    const taken = await Promise.all([b.look(), c.look()]);
    expect(taken[0] + taken[1]).toBe(250);
    for (const { id } of tasks) expect((await on.read(id)).head.state).toBe("TASK_STATE_FAILED");
  });
});

describe('recovery: "rerun"', () => {
  interface Seen {
    readonly attempt: number;
    readonly turn: number;
    readonly state: unknown;
    readonly text: string;
    readonly earlier: readonly StreamResponse[];
    readonly ctx: Ctx;
  }

  /** Asks first; the second turn hangs until its second attempt, which takes the messages. */
  function resuming() {
    const runs: Seen[] = [];
    const agent = agentOf(
      async (ctx, m) => {
        const { attempt, turn, earlier } = ctx;
        runs.push({ attempt, turn, earlier, ctx, state: structuredClone(ctx.state), text: textOf(m) });
        if (turn === 1) {
          ctx.state["asked"] = 1;
          return ctx.inputRequired("more?");
        }
        if (attempt === 1) {
          ctx.state["asked"] = 2;
          ctx.artifact("half", { artifactId: "x" });
          ctx.inbox.take();
          await HANG;
        }
        const texts = [];
        while (ctx.inbox.size > 0) texts.push(textOf(ctx.inbox.take()));
        return `whole, ${texts.join(" and ")}`;
      },
      { recovery: "rerun" },
    );
    return { agent, runs };
  }

  test("the handler is called again as it was: message, state, turn, request; it knows what happened", async () => {
    const on = shared();
    const { agent, runs } = resuming();
    const [a, b] = [instance(agent, on), instance(agent, on)];
    const { task } = await a.client.sendMessage({ message: userMessage("one") });
    const id = task?.id ?? "";
    const say = (text: string) =>
      a.client.sendMessage({
        message: userMessage(text, { taskId: id }),
        metadata: { trip: 7 },
        configuration: { acceptedOutputModes: ["text/plain"] },
      });
    for (const text of ["two", "three", "four"]) {
      void say(text).catch(() => undefined);
      await until(
        async () => (await a.client.getTask({ id })).history?.some((m) => textOf(m) === text) === true,
      );
    }
    const before = await a.client.getTask({ id });
    pass(on);
    expect(await b.look()).toBe(1);
    await until(async () => (await stateOf(b, id)) === "TASK_STATE_COMPLETED");
    const again = runs.at(-1);
    expect(again).toMatchObject({ attempt: 2, turn: 2, text: "two", state: { asked: 1 } });
    expect(again?.ctx.metadata).toEqual({ trip: 7 });
    expect(again?.ctx.acceptedOutputModes).toEqual(["text/plain"]);
    const kinds = again?.earlier.map((event) => Object.keys(event)[0]);
    expect(kinds).toEqual(["task", "statusUpdate", "statusUpdate", "artifactUpdate"]);
    const whole = await b.client.getTask({ id });
    expect(whole.artifacts?.at(-1)?.parts).toEqual([{ text: "whole, three and four" }]);
    expect(whole.history).toEqual(before.history);
    const stored = await on.read(id);
    expect([stored.lease, stored.snapshot.agent]).toEqual([undefined, undefined]);
  });

  test("a first run too, with who called; nothing of it stays at rest", async () => {
    const on = shared();
    const runs: Ctx[] = [];
    const agent = agentOf(
      async (ctx) => {
        runs.push(ctx);
        if (ctx.attempt === 1) await HANG;
        return ctx.inputRequired("?");
      },
      { recovery: "rerun" },
    );
    const principal = { sub: "alice", roles: ["admin"] };
    const alice: Interceptor = (next) => (call) => next({ ...call, context: { ...call.context, principal } });
    const [a, b] = [1, 2].map(() => instance(agent, on, { middleware: [alice] })) as [Instance, Instance];
    const { id } = await open(a, "hi");
    await until(() => runs.length === 1);
    pass(on);
    await b.look();
    await until(() => runs.length === 2);
    const { attempt, turn, principal: who, earlier } = runs[1] ?? {};
    expect([attempt, turn, who, earlier]).toMatchObject([2, 1, principal, [{ task: { id } }]]);
    await until(async () => (await stateOf(b, id)) === "TASK_STATE_INPUT_REQUIRED");
    const { snapshot, lease } = (await on.store.read({ ...anonymous, owner: "alice" }, id)) ?? {};
    expect(JSON.parse(snapshot?.agent ?? "")).toEqual({ turn: 1, state: {} });
    expect(lease).toBeUndefined();
  });

  test("goes on from instance to instance, until there were too many attempts", async () => {
    const on = shared();
    const attempts: number[] = [];
    const agent = agentOf(
      async (ctx) => {
        attempts.push(ctx.attempt);
        await HANG;
      },
      { recovery: "rerun", maxAttempts: 3 },
    );
    const { id } = await open(instance(agent, on), "hi");
    for (let n = 2; n <= 3; n += 1) {
      await until(() => attempts.length === n - 1);
      pass(on);
      expect(await instance(agent, on).look()).toBe(1);
    }
    await until(() => attempts.length === 3);
    pass(on);
    const last = instance(agent, on);
    await last.look();
    expect(attempts).toEqual([1, 2, 3]);
    expect(textOf((await last.client.getTask({ id })).status.message)).toBe(
      "The process that worked on this task stopped, in 3 attempts.",
    );
  });
});

describe("detached tasks", () => {
  const agent = agentOf(async (ctx) => ctx.detached("later"), { detachedTimeout: 60_000 });

  test("stay, also where their handler worked for a while before", async () => {
    const on = shared();
    const slow = agentOf(async (ctx) => {
      ctx.artifact("half");
      await until(() =>
        on.read(ctx.taskId).then(
          ({ lease }) => lease?.fence === 1,
          () => false,
        ),
      );
      return ctx.detached("later");
    });
    const [a, b] = [instance(slow, on), instance(slow, on)];
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).lease?.holder === "");
    on.now += 2 * LEASE;
    expect(await b.engine.look()).toBe(0);
    (await b.server.task(id)).completed("done");
    await b.engine.settled();
    expect((await on.read(id)).head.state).toBe("TASK_STATE_COMPLETED");
  });

  test("any instance goes on with them, and what is written last is what holds", async () => {
    const on = shared();
    const [a, b] = [instance(agent, on), instance(agent, on)];
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).lease?.holder === "");
    expect((await on.read(id)).lease?.expires).toBe(on.now + 60_000);
    expect([a.engine.ownership?.size, a.engine.size]).toEqual([0, 0]);
    const effects = await b.server.task(id);
    on.now += 50_000;
    effects.artifact("half");
    await b.engine.settled();
    expect((await on.read(id)).lease).toEqual({ holder: "", expires: on.now + 60_000, fence: 1 });
    (await a.server.task(id)).completed("done");
    await a.engine.settled();
    expect(await stateOf(b, id)).toBe("TASK_STATE_COMPLETED");
    expect((await on.read(id)).lease).toBeUndefined();
  });

  test("are failed when their time is over, also by an instance that came later", async () => {
    const on = shared();
    const a = instance(agent, on);
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).lease?.holder === "");
    await a.server.close({ deadlineMs: 0 });
    const b = instance(agent, on);
    on.now += 60_000;
    expect(await b.look()).toBe(0);
    on.now += 1;
    expect(await b.look()).toBe(1);
    expect(textOf((await b.client.getTask({ id })).status.message)).toBe("Nobody finished this in time.");
  });

  test("a message runs the handler again, at whichever instance", async () => {
    const on = shared();
    const turns: number[] = [];
    const counting = agentOf(async (ctx) => {
      turns.push(ctx.turn);
      ctx.state["turn"] = ctx.turn;
      return ctx.turn === 1 ? ctx.detached("later") : JSON.stringify(ctx.state);
    });
    const [a, b] = [instance(counting, on), instance(counting, on)];
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).lease?.holder === "");
    const { task } = await b.client.sendMessage({ message: userMessage("go", { taskId: id }) });
    expect([turns, textOf(task)]).toEqual([[1, 2], '{"turn":2}']);
  });
});

describe("the end of an instance", () => {
  test("hands over what its handlers worked on, at once", async () => {
    const on = shared();
    const { agent, runs } = hanging();
    const [a, b] = [instance(agent, on), instance(agent, on)];
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).revision === 2);
    await a.server.close({ deadlineMs: 0 });
    expect(runs[0]?.signal.aborted).toBe(true);
    expect((await on.read(id)).head.state).toBe("TASK_STATE_WORKING");
    expect(await b.look()).toBe(1);
    expect(await stateOf(b, id)).toBe("TASK_STATE_FAILED");
  });

  test("takes over nothing while it waits for its handlers", async () => {
    const on = shared();
    const end = gate();
    const agent = agentOf(async (_ctx, m) => {
      await (textOf(m) === "mine" ? end.passed : HANG);
      return "done";
    });
    const [a, b] = [instance(agent, on), instance(agent, on)];
    const mine = await open(b, "mine");
    const { id } = await open(a, "hi");
    await Promise.all([a.engine.settled(), b.engine.settled()]);
    const closed = b.server.close();
    await a.server.close({ deadlineMs: 0 });
    expect(await b.look()).toBe(0);
    end.open();
    await closed;
    expect((await on.read(mine.id)).head.state).toBe("TASK_STATE_COMPLETED");
    expect((await on.read(id)).head.state).toBe("TASK_STATE_SUBMITTED");
  });
});

test("a store in memory has no leases, and nobody looks for orphans", async () => {
  const on = shared();
  const { durable: _durable, ...hints } = on.store.hints ?? {};
  const { agent } = hanging();
  const a = instance(agent, on, { store: { ...on.store, hints }, logger: quiet });
  const { id } = await open(a, "hi");
  await a.engine.settled();
  expect(await on.read(id)).toMatchObject({ fence: 0 });
  expect((await on.read(id)).lease).toBeUndefined();
  expect(await a.look()).toBe(0);
});
