/** What is not the caller's is not there, whichever instance is asked, and whoever works on it. */
import { expect, test } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import { JsonText } from "../../src/json-text.js";
import type { StoredTask } from "../../src/store/types.js";
import { pivot, userMessage, type Task } from "../../src/versions/pivot.js";
import { instance, shared, until, type Instance, type Shared } from "../recovery/support.js";
import { agentOf, gate, turn } from "../server/agents.js";
import { must } from "./support.js";

type Method = keyof typeof pivot.methods;

/** Calls an instance as somebody. */
const as =
  (principal: string, { server }: Instance) =>
  async (methodName: Method, input: object): Promise<unknown> => {
    const { output } = await server.router.call({
      service: pivot,
      methodName,
      method: pivot.methods[methodName],
      input,
      headers: {},
      signal: new AbortController().signal,
      context: { principal },
    });
    return output instanceof JsonText ? output.value() : output;
  };

const owned = async (on: Shared, id: string): Promise<StoredTask> =>
  must(await on.store.read({ tenant: "", owner: "alice" }, id));

const onTask = (id: string): readonly (readonly [Method, object])[] => [
  ["getTask", { id }],
  ["sendMessage", { message: userMessage("x", { taskId: id }) }],
  ["sendStreamingMessage", { message: userMessage("x", { taskId: id }) }],
  ["subscribeToTask", { id }],
  ["cancelTask", { id }],
];

async function opened(alice: ReturnType<typeof as>, text = "hi"): Promise<string> {
  const configuration = { returnImmediately: true };
  const sent = (await alice("sendMessage", { message: userMessage(text), configuration })) as { task: Task };
  return sent.task.id;
}

test("a task of another owner is not there at any instance, while it is worked on and after", async () => {
  const go = gate();
  const agent = agentOf(async (ctx) => {
    ctx.working("secret");
    await go.passed;
    return ctx.detached();
  });
  const on = shared();
  const bus = memoryBus();
  const [a, b] = [instance(agent, on, { bus }), instance(agent, on, { bus })];
  const id = await opened(as("alice", a));
  await until(async () => (await owned(on, id)).revision === 2);
  const refused = async (): Promise<void> => {
    for (const one of [a, b]) {
      for (const [method, input] of onTask(id)) {
        await expect(as("bob", one)(method, input), method).rejects.toMatchObject({
          reason: "TASK_NOT_FOUND",
        });
      }
    }
  };
  await refused();
  const { lease } = await owned(on, id);
  expect(await on.store.mail.waiting(must(lease).holder, 10)).toEqual([]);
  go.open();
  await until(async () => (await owned(on, id)).lease?.holder === "");
  await refused();
  const scope = { tenant: "", owner: "alice" };
  const effects = await b.server.task(id, { scope });
  effects.working("still secret");
  await refused();
  await until(async () => (await owned(on, id)).revision > 2);
  await refused();
  effects.completed();
  await refused();
  await until(async () => (await owned(on, id)).head.terminal);
  await refused();
});

test("news of another owner's task under the same id reach nobody who follows one", async () => {
  const go = gate();
  const agent = agentOf(async (ctx) => {
    ctx.working("mine");
    await go.passed;
    return "done";
  });
  const on = shared();
  const bus = memoryBus();
  const [a, b] = [instance(agent, on, { bus }), instance(agent, on, { bus })];
  const id = await opened(as("alice", a));
  await until(async () => (await owned(on, id)).revision === 2);
  while (b.engine.cluster?.hears !== true) await turn();
  const stream = (await as("alice", b)("subscribeToTask", { id })) as AsyncIterable<readonly JsonText[]>;
  const text = '{"artifactUpdate":{"taskId":"x","contextId":"y","artifact":{"artifactId":"z","parts":[]}}}';
  for (const owner of ["bob", ""]) {
    bus.publish([{ scope: { tenant: "", owner }, taskId: id, revision: 3, events: [{ n: 3, text }] }]);
  }
  bus.publish([{ taskId: id, revision: 3, events: [{ n: 3, text }] }]);
  go.open();
  const seen: unknown[] = [];
  for await (const events of stream) for (const event of events) seen.push(event.value());
  expect(JSON.stringify(seen)).not.toContain('"z"');
  expect(JSON.stringify(seen.at(-1))).toContain("TASK_STATE_COMPLETED");
});
