/** What is said to an agent on every runtime: by name, what must be seen. Each throws where it is not. */
import assert from "node:assert/strict";
import { createClient, httpJson, jsonRpc, type Transport } from "a2a-typed";
import { connect } from "a2a-typed/client";
import * as v03 from "a2a-typed/v0.3";
import { A2A, TaskState, textOf, userMessage } from "a2a-typed/v1";

export type Step = (url: string) => Promise<void>;

const bindings: readonly [string, (url: string) => Transport][] = [
  ["JSON-RPC", (url) => jsonRpc({ url })],
  ["HTTP+JSON", (url) => httpJson({ url })],
];

const send = async (transport: Transport): Promise<void> => {
  await using client = createClient(A2A, transport);
  const { task } = await client.sendMessage({ message: userMessage("hello there") });
  assert(task);
  assert.equal(textOf(task), "hello there");
  assert.equal(task.status.state, TaskState.COMPLETED);
  assert.deepEqual(await client.getTask({ id: task.id }), task);
};

/** The agent says no second word before it is told to, so the first one has arrived before. */
const stream = async (transport: Transport): Promise<void> => {
  await using client = createClient(A2A, transport);
  const words: string[] = [];
  let taskId = "";
  for await (const event of client.sendStreamingMessage({ message: userMessage("next next last") })) {
    taskId ||= event.task?.id ?? "";
    if (!event.artifactUpdate) continue;
    const word = textOf(event.artifactUpdate.artifact);
    if (word !== "") words.push(word);
    if (word === "next ")
      await client.sendMessage({
        message: userMessage("go ", { taskId }),
        configuration: { returnImmediately: true },
      });
  }
  assert.deepEqual(words, ["next ", "go ", "next ", "go ", "last"]);
};

const cancel = async (transport: Transport): Promise<void> => {
  await using client = createClient(A2A, transport);
  const { task } = await client.sendMessage({
    message: userMessage("next"),
    configuration: { returnImmediately: true },
  });
  assert(task);
  const events = client.subscribeToTask({ id: task.id });
  assert.equal((await events.next()).value?.task?.id, task.id);
  assert.equal((await client.cancelTask({ id: task.id })).status.state, TaskState.CANCELED);
  let last: string | undefined;
  for await (const event of events) last = event.statusUpdate?.status.state ?? last;
  assert.equal(last, TaskState.CANCELED);
};

const left = async (transport: Transport): Promise<number> => {
  await using client = createClient(A2A, transport);
  return Number(textOf(await client.sendMessage({ message: userMessage("who left?") })));
};

/** A caller leaves in the middle of a stream; the task goes on, and later callers are served. */
const disconnect = async (transport: Transport): Promise<void> => {
  await using client = createClient(A2A, transport);
  const before = await left(transport);
  let taskId = "";
  for await (const { task } of client.sendStreamingMessage({ message: userMessage("next last") })) {
    taskId = task?.id ?? "";
    break;
  }
  // The step has a deadline.
  while ((await left(transport)) === before);
  const events = client.subscribeToTask({ id: taskId });
  await events.next();
  await client.sendMessage({
    message: userMessage("go ", { taskId }),
    configuration: { returnImmediately: true },
  });
  for await (const _event of events);
  const task = await client.getTask({ id: taskId });
  assert.equal(textOf(task), "next go last");
  assert.equal(task.status.state, TaskState.COMPLETED);
};

export const steps: Readonly<Record<string, Step>> = {
  async card(url) {
    await using agent = await connect(url);
    assert.equal(agent.card.name, "Words");
    assert.deepEqual(agent.problems, []);
    assert.equal(agent.interface.url, url);
  },
  ...Object.fromEntries(
    Object.entries({ send, stream, cancel, disconnect }).flatMap(([name, run]) =>
      bindings.map(
        ([binding, open]) => [`${name} over ${binding}`, (url: string) => run(open(url))] as const,
      ),
    ),
  ),
  async "a client of 0.3"(url) {
    await using client = createClient(v03.A2A, jsonRpc({ url }));
    const reply = await client.sendMessage({ message: v03.userMessage("hello") });
    assert.equal(v03.textOf(reply), "hello");
  },
  async "a body that is too large"(url) {
    const large = await fetch(`${url}/message:send`, {
      method: "POST",
      headers: { "a2a-version": "1.0", "content-type": "application/json" },
      body: `"${"x".repeat(33_000)}"`,
    });
    assert.equal(large.status, 413);
    await large.body?.cancel();
  },
};
