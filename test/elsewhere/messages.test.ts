/** Messages, cancels and webhooks for a task that another instance works on. */
import { expect, test } from "vitest";
import { textOf, userMessage, type Task } from "../../src/versions/pivot.js";
import { LEASE, instance, open, shared, until } from "../recovery/support.js";
import { agentOf, gate, turn } from "../server/agents.js";
import { must, pair, rest } from "./support.js";

const NEVER = new Promise<never>(() => undefined);

/** Takes messages while it runs; "stop" ends it. */
const listening = agentOf(async (ctx) => {
  ctx.working("ready");
  for await (const message of ctx.inbox) {
    if (textOf(message) === "stop") return "stopped";
    ctx.artifact(textOf(message));
  }
  return undefined;
});

const texted = ({ artifacts = [] }: Task): string[] => artifacts.map(({ parts }) => parts[0]?.text ?? "");

test("a message at another instance reaches the handler that runs, once, with who sent it", async () => {
  const { a, b, on } = await pair(listening);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const configuration = { returnImmediately: true };
  for (const text of ["one", "two", "three"]) {
    const message = userMessage(text, { taskId: id });
    const { task } = await b.client.sendMessage({ message, configuration });
    expect(task?.history?.at(-1)?.messageId).toBe(message.messageId);
  }
  // A look that finds nothing new brings no letter twice.
  await Promise.all([a.look(), a.look(), b.look()]);
  const { task } = await b.client.sendMessage({ message: userMessage("stop", { taskId: id }) });
  expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  expect(task && texted(task)).toEqual(["one", "two", "three", "stopped"]);
});

test("a blocking message waits for the rest that answers it, not for one before the handler took it", async () => {
  const [first, second] = [gate(), gate()];
  const agent = agentOf(async (ctx, m) => {
    if (textOf(m) === "hi") {
      ctx.working("busy");
      await first.passed;
      return ctx.inputRequired("before it was read");
    }
    await second.passed;
    return ctx.inputRequired(`after ${textOf(m)}`);
  });
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const answer = b.client.sendMessage({ message: userMessage("more", { taskId: id }) });
  const stream = b.client.sendStreamingMessage({ message: userMessage("and more", { taskId: id }) });
  expect((await stream.next()).value?.task?.id).toBe(id);
  await until(async () => (await b.client.getTask({ id })).history?.length === 4);
  first.open();
  second.open();
  // Where a letter comes when the task has just come to rest, somebody must look: no timer does here.
  let over = false;
  const events = Promise.all([answer, rest(stream)]).then(([, all]) => {
    over = true;
    return all;
  });
  await until(async () => {
    await b.look();
    return over;
  });
  // What it shows may be later than that rest, never earlier.
  const { history = [], status } = must((await answer).task);
  const said = [...history, ...(status.message ? [status.message] : [])].map(textOf);
  expect(said).toContain("after more");
  expect((await events).at(-1)?.statusUpdate?.status.message?.parts[0]?.text).toBe("after and more");
});

test("a refusal of the owner is that of the caller", async () => {
  const agent = agentOf(
    async (ctx) => {
      ctx.working();
      await NEVER;
    },
    { inbox: "reject" },
  );
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const message = userMessage("more", { taskId: id });
  const refused = { reason: "UNSUPPORTED_OPERATION", metadata: { taskId: id } };
  await expect(a.client.sendMessage({ message })).rejects.toMatchObject(refused);
  await expect(b.client.sendMessage({ message })).rejects.toMatchObject(refused);
  const wrong = userMessage("more", { taskId: id, contextId: "another" });
  await expect(b.client.sendMessage({ message: wrong })).rejects.toMatchObject({ reason: "INVALID_PARAMS" });
  expect((await on.read(id)).messages).toEqual([]);
});

test("a cancel at another instance stops the handler; a second one is told that the task has ended", async () => {
  let signal: AbortSignal | undefined;
  const agent = agentOf(async (ctx) => {
    ({ signal } = ctx);
    ctx.working();
    await NEVER;
  });
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  expect((await b.client.cancelTask({ id })).status.state).toBe("TASK_STATE_CANCELED");
  expect(signal?.aborted).toBe(true);
  await expect(b.client.cancelTask({ id })).rejects.toMatchObject({ reason: "TASK_NOT_CANCELABLE" });
});

test("what was asked of an owner that died is done by whoever takes the task over", async () => {
  let runs = 0;
  const agent = agentOf(
    async (ctx) => {
      runs += 1;
      if (runs === 1) {
        ctx.working("first");
        await NEVER;
      }
      for await (const message of ctx.inbox) return `took ${textOf(message)}`;
      return undefined;
    },
    { recovery: "rerun" },
  );
  const on = shared();
  const a = instance(agent, on);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  // It never looks into its mail again.
  const b = instance(agent, on);
  const answer = b.client.sendMessage({ message: userMessage("more", { taskId: id }) });
  await turn();
  await b.look();
  on.now += LEASE + 1;
  expect(await b.look()).toBe(1);
  await until(async () => {
    await b.look();
    return (await on.read(id)).head.terminal;
  });
  await b.look();
  expect(texted(must((await answer).task))).toEqual(["took more"]);
});

test("a webhook that is registered at another instance gets what happens from then on", async () => {
  const delivered: string[] = [];
  const go = gate();
  const agent = agentOf(async (ctx) => {
    ctx.working("before");
    await go.passed;
    ctx.working("after");
    return "done";
  });
  const push = {
    check: () => undefined,
    start: (store: unknown) => ({ store, async [Symbol.asyncDispose]() {} }),
  };
  const { a, b, on } = await pair(agent, { push });
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const config = { taskId: id, id: "hook", url: "https://hooks.example.com/" };
  await b.client.createTaskPushNotificationConfig(config);
  await b.client.createTaskPushNotificationConfig({ ...config, id: "gone" });
  await b.client.deleteTaskPushNotificationConfig({ taskId: id, id: "gone" });
  go.open();
  await until(async () => (await on.read(id)).head.terminal);
  for (;;) {
    const [next] = await on.store.outbox.claim("test", on.now, 1_000, 10);
    if (next === undefined) break;
    delivered.push(`${next.configId} ${String(next.n)}`);
    await on.store.outbox.ack(next);
  }
  expect(delivered).toEqual(["hook 3", "hook 4", "hook 5"]);
});

test("when the agent takes a message is asked only for those who wait for it", async () => {
  const agent = agentOf(async (ctx) => {
    ctx.working();
    await NEVER;
  });
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const { holder } = must((await on.read(id)).lease);
  const message = userMessage("more", { taskId: id });
  await b.client.sendMessage({ message, configuration: { returnImmediately: true } });
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(await on.store.mail.waiting(holder, 10)).toEqual([]);
  const away = new AbortController();
  const stream = b.client.sendStreamingMessage(
    { message: userMessage("and more", { taskId: id }) },
    { signal: away.signal },
  );
  await stream.next();
  await until(async () => (await on.store.mail.waiting(holder, 10)).length === 1);
});
