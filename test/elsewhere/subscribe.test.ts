/** Streams of a task that another instance works on, or may take. */
import { expect, test } from "vitest";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { LEASE, instance, open, shared, until } from "../recovery/support.js";
import { agentOf, gate } from "../server/agents.js";
import { folded, must, pair, rest, texts } from "./support.js";

const numbers = Array.from({ length: 100 }, (_, n) => `part ${String(n)}`);
const NEVER = new Promise<never>(() => undefined);

/** Waits after its first artifact, then makes a hundred more. */
function waiting(): { readonly agent: ReturnType<typeof agentOf>; go(): void } {
  const go = gate();
  const agent = agentOf(async (ctx) => {
    ctx.artifact("first");
    await go.passed;
    for (const text of numbers) ctx.artifact(text);
    return "last";
  });
  return { agent, go: () => go.open() };
}

test("whoever subscribes at another instance gets the task as it is, then all that happens, to its end", async () => {
  const { agent, go } = waiting();
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const stream = b.client.subscribeToTask({ id });
  const first = (await stream.next()).value;
  expect(first?.task?.artifacts?.map((artifact) => artifact.parts[0]?.text)).toEqual(["first"]);
  go();
  const events = await rest(stream);
  expect(texts(events)).toEqual([...numbers, "last"]);
  expect(folded([must(first), ...events])).toEqual(await a.client.getTask({ id }));
});

test("many listeners at another instance share what it hears of the task", async () => {
  const { agent, go } = waiting();
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const streams = Array.from({ length: 50 }, () => b.client.subscribeToTask({ id }));
  const firsts = await Promise.all(streams.map(async (stream) => (await stream.next()).value?.task?.id));
  expect(new Set(firsts)).toEqual(new Set([id]));
  go();
  for (const events of await Promise.all(streams.map(rest)))
    expect(texts(events)).toEqual([...numbers, "last"]);
  await until(() => b.engine.cluster?.following === 0);
});

test("a stream that was cut goes on at another instance after the last event that was seen", async () => {
  const { agent, go } = waiting();
  const { a, b, on } = await pair(agent);
  const begun = a.client.sendStreamingMessage({ message: userMessage("hi") });
  const id = (await begun.next()).value?.task?.id ?? "";
  expect(texts([must((await begun.next()).value)])).toEqual(["first"]);
  const { lastEventId } = begun;
  await begun.return();
  expect(lastEventId).toBe("2");
  await until(async () => (await on.read(id)).revision === 2);
  const resumed = b.client.subscribeToTask({ id }, { lastEventId });
  const again = b.client.subscribeToTask({ id }, { lastEventId: "1" });
  expect(texts([must((await again.next()).value)])).toEqual(["first"]);
  go();
  expect(texts(await rest(resumed))).toEqual([...numbers, "last"]);
  expect(texts(await rest(again))).toEqual([...numbers, "last"]);
});

test("without a bus the same comes by looking into the store", async () => {
  const { agent, go } = waiting();
  const on = shared();
  const [a, b] = [instance(agent, on), instance(agent, on)];
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const stream = b.client.subscribeToTask({ id });
  await stream.next();
  go();
  await until(async () => (await on.read(id)).head.terminal);
  await b.look();
  expect(texts(await rest(stream))).toEqual([...numbers, "last"]);
});

test("a task at rest is followed wherever it goes on: there, here, and there again", async () => {
  const agent = agentOf(async (ctx, m) => {
    ctx.artifact(textOf(m));
    return textOf(m) === "stop" ? undefined : ctx.inputRequired("more?");
  });
  const { a, b } = await pair(agent);
  const { task } = await a.client.sendMessage({ message: userMessage("zero") });
  const id = task?.id ?? "";
  const streams = [a, b].map(({ client }) => client.subscribeToTask({ id }));
  for (const stream of streams) expect((await stream.next()).value?.task?.id).toBe(id);
  for (const [who, text] of [
    [b, "one"],
    [a, "two"],
    [b, "three"],
    [a, "stop"],
  ] as const) {
    await who.client.sendMessage({ message: userMessage(text, { taskId: id }) });
  }
  for (const stream of streams) expect(texts(await rest(stream))).toEqual(["one", "two", "three", "stop"]);
});

test("a stream at the owner goes on when the task comes to rest there and is taken by another", async () => {
  const agent = agentOf(async (ctx, m) => {
    ctx.artifact(textOf(m));
    return textOf(m) === "stop" ? undefined : ctx.authRequired("show a pass");
  });
  const { a, b } = await pair(agent);
  // It stays open at AUTH_REQUIRED.
  const stream = a.client.sendStreamingMessage({ message: userMessage("zero") });
  const id = (await stream.next()).value?.task?.id ?? "";
  await until(async () => (await b.client.getTask({ id })).status.state === "TASK_STATE_AUTH_REQUIRED");
  await b.client.sendMessage({ message: userMessage("stop", { taskId: id }) });
  expect(texts(await rest(stream))).toEqual(["zero", "stop"]);
});

test("whoever listens to a task whose owner died gets what its successor makes of it", async () => {
  const agent = agentOf(async (ctx) => {
    ctx.artifact("made");
    await NEVER;
  });
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const [near, far] = [a.client.subscribeToTask({ id }), b.client.subscribeToTask({ id })];
  await Promise.all([near.next(), far.next()]);
  on.now += LEASE + 1;
  expect(await b.look()).toBe(1);
  for (const stream of [far, near]) {
    // The old owner finds out at its next look.
    if (stream === near) await a.look();
    const [event, ...more] = await rest(stream);
    expect(event?.statusUpdate?.status.state).toBe("TASK_STATE_FAILED");
    expect(more).toEqual([]);
  }
});

test("an instance that ends lets go of those who listen to what others do", async () => {
  const { agent } = waiting();
  const { a, b, on } = await pair(agent);
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const stream = b.client.subscribeToTask({ id });
  await stream.next();
  const next = stream.next();
  next.catch(() => undefined);
  await b.server.close({ deadlineMs: 0 });
  await expect(next).rejects.toMatchObject({ reason: "STREAM_CUT" });
});
