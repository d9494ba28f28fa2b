/** With a store that takes its time, nobody is told what is not stored yet. */
import { describe, expect, test } from "vitest";
import type { JsonText } from "../../src/json-text.js";
import { memoryStore } from "../../src/store/memory-store.js";
import { pivot, textOf, userMessage, type StreamResponse } from "../../src/versions/pivot.js";
import { slowStore } from "../task/slow-store.js";
import { agentOf, start, turn } from "./agents.js";

/** Whether a call has been answered by now. */
function watch<T>(call: Promise<T>): { readonly done: boolean; readonly call: Promise<T> } {
  const state = { done: false, call };
  const settle = (): void => {
    state.done = true;
  };
  call.then(settle, settle);
  return state;
}

describe("replies wait for the commit of what they show", () => {
  test("a blocking send: for the end of the task", async () => {
    const store = slowStore();
    const { client } = start(
      agentOf(async () => "x"),
      { store },
    );
    const sent = watch(client.sendMessage({ message: userMessage("hi") }));
    await turn();
    expect(store.waiting).toBe(1);
    await store.pass();
    expect([sent.done, store.waiting]).toEqual([false, 1]);
    await store.pass();
    const { task } = await sent.call;
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(await client.getTask({ id: task?.id ?? "" })).toEqual(task);
  });

  test("returnImmediately: for the task", async () => {
    const store = slowStore();
    const { client } = start(
      agentOf(() => new Promise(() => undefined)),
      { store },
    );
    const sent = watch(
      client.sendMessage({ message: userMessage("hi"), configuration: { returnImmediately: true } }),
    );
    await turn();
    expect(sent.done).toBe(false);
    await store.pass();
    expect((await sent.call).task?.status.state).toBe("TASK_STATE_SUBMITTED");
  });

  test("GetTask and SubscribeToTask of a running task: for the state they saw", async () => {
    const store = slowStore();
    const { client, server } = start(
      agentOf(async (ctx) => {
        ctx.working("note");
        await new Promise(() => undefined);
      }),
      { store },
    );
    void client.sendMessage({ message: userMessage("hi") }).catch(() => undefined);
    await turn();
    await store.pass();
    const id = (await client.listTasks()).tasks[0]?.id ?? "";
    const got = watch(client.getTask({ id }));
    const subscribed = await server.router.call({
      service: pivot,
      methodName: "subscribeToTask",
      method: pivot.methods.subscribeToTask,
      input: { id },
      headers: {},
      signal: new AbortController().signal,
      context: {},
    });
    const events = (subscribed.output as AsyncIterable<JsonText<StreamResponse>[]>)[Symbol.asyncIterator]();
    const first = watch(events.next());
    await turn();
    expect([got.done, first.done]).toEqual([false, false]);
    // What is listed is what is stored.
    expect((await client.listTasks()).tasks[0]?.status.state).toBe("TASK_STATE_SUBMITTED");
    await store.pass();
    expect((await got.call).status.state).toBe("TASK_STATE_WORKING");
    const { value } = (await first.call) as IteratorYieldResult<JsonText<StreamResponse>[]>;
    expect(value.map((event) => event.value().task?.status.state)).toEqual(["TASK_STATE_WORKING"]);
    await events.return?.();
  });

  test("CancelTask: for CANCELED; one that overlaps shares the outcome, a later one is refused", async () => {
    const store = slowStore();
    const { client } = start(
      agentOf(() => new Promise(() => undefined)),
      { store },
    );
    void client.sendMessage({ message: userMessage("hi") }).catch(() => undefined);
    await turn();
    await store.pass();
    const id = (await client.listTasks()).tasks[0]?.id ?? "";
    const [a, b] = [watch(client.cancelTask({ id })), watch(client.cancelTask({ id }))];
    await turn();
    expect([a.done, b.done]).toEqual([false, false]);
    await store.pass();
    expect((await a.call).status.state).toBe("TASK_STATE_CANCELED");
    expect(await b.call).toEqual(await a.call);
    await expect(client.cancelTask({ id })).rejects.toMatchObject({ reason: "TASK_NOT_CANCELABLE" });
  });
});

test("a store that fails for good: the caller is told to come back, the handler is stopped", async () => {
  const store = slowStore();
  let aborted = false;
  const { client } = start(
    agentOf(async (ctx) => {
      ctx.signal.addEventListener("abort", () => (aborted = true));
      await new Promise(() => undefined);
    }),
    { store },
  );
  const sent = client.sendMessage({ message: userMessage("hi") });
  const refused = expect(sent).rejects.toMatchObject({
    message: expect.stringContaining("the task store failed"),
  });
  for (let tries = 0; tries < 4; tries += 1) {
    while (store.waiting === 0) await turn();
    await store.pass(new Error("disk full: /var/secret"));
  }
  await refused;
  await sent.catch((error: unknown) => expect(String(error)).not.toContain("secret"));
  expect(aborted).toBe(true);
});

test("one commit for a task that is done within the tick, where the store takes entries together", async () => {
  const store = slowStore({ group: true });
  const { client } = start(
    agentOf(async (_ctx, m) => textOf(m)),
    { store },
  );
  const calls = ["a", "b", "c"].map((text) => client.sendMessage({ message: userMessage(text) }));
  await turn();
  expect(store.batches.map((batch) => batch.length)).toEqual([3]);
  expect(store.batches[0]?.map(({ events, snapshot }) => [events.length, snapshot?.at])).toEqual([
    [0, 3],
    [0, 3],
    [0, 3],
  ]);
  await store.pass();
  expect((await Promise.all(calls)).map(textOf)).toEqual(["a", "b", "c"]);
});

test("a stream whose task cannot be stored is UNAVAILABLE before it opens, on the wire too", async () => {
  const store = { ...memoryStore(), commit: () => Promise.resolve(["conflict" as const]) };
  const { client, server } = start(
    agentOf(async () => "x"),
    { store },
  );
  for (const configuration of [undefined, { historyLength: 0 }]) {
    const request = { message: userMessage("hi"), ...(configuration && { configuration }) };
    await expect(client.sendStreamingMessage(request).next()).rejects.toThrow("cannot go on here");
    const reply = await server.fetch(
      new Request("http://agent.example.com/message:stream", {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": "1.0" },
        body: JSON.stringify(request),
      }),
    );
    expect([reply.status, reply.headers.get("content-type")]).toEqual([503, "application/json"]);
    expect(await reply.json()).toMatchObject({ error: { status: "UNAVAILABLE" } });
  }
});
