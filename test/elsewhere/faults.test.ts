/** A store that fails at each step of a letter: nothing hangs for ever, nothing is done twice. */
import { expect, test } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import type { TaskStore } from "../../src/store/types.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { instance, open, shared, until, type Instance, type Shared } from "../recovery/support.js";
import { agentOf, turn } from "../server/agents.js";
import { must } from "./support.js";

const at = { returnImmediately: true };

/** Takes messages while it runs; "stop" ends it. */
const listening = agentOf(async (ctx) => {
  ctx.working("ready");
  for await (const message of ctx.inbox) {
    if (textOf(message) === "stop") return "stopped";
    ctx.artifact(textOf(message));
  }
  return undefined;
});

type Step = keyof TaskStore["mail"];

/** The mail of a store that fails so often at a step: before it did what it was asked, or after. */
function failing(on: Shared, step: Step, when: "before" | "after", times: number): TaskStore {
  let left = times;
  const fail = (): void => {
    if (left === 0) return;
    left -= 1;
    throw new Error("the store is away");
  };
  const broken = async (...args: [never, never]): Promise<unknown> => {
    if (when === "before") fail();
    const answer: unknown = await on.store.mail[step](...args);
    // An answer of nothing is not worth losing.
    if (when === "after" && answer !== undefined && !(Array.isArray(answer) && answer.length === 0)) fail();
    return answer;
  };
  return { ...on.store, mail: { ...on.store.mail, [step]: broken } };
}

async function looking<T>(answer: Promise<T>, all: readonly Instance[]): Promise<T> {
  let over = false;
  void answer.catch(() => undefined).then(() => (over = true));
  for (let looks = 0; !over; looks += 1) {
    if (looks > 5_000) throw new Error("it waits for ever");
    for (const one of all) await one.look();
    await turn();
  }
  return answer;
}

const cases: readonly (readonly [Step, "a" | "b", "before" | "after"])[] = [
  ["waiting", "a", "before"],
  ["waiting", "a", "after"],
  ["answer", "a", "before"],
  ["answer", "a", "after"],
  ["collect", "b", "before"],
  ["collect", "b", "after"],
];

test.each(cases)("a store whose %s fails at %s, %s it was done", async (step, who, when) => {
  const on = shared();
  const store = failing(on, step, when, 2);
  const [a, b] = [
    instance(listening, on, who === "a" ? { store } : {}),
    instance(listening, on, who === "b" ? { store } : {}),
  ];
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  for (const text of ["one", "two"]) {
    const message = userMessage(text, { taskId: id });
    await looking(b.client.sendMessage({ message, configuration: at }), [a, b]);
  }
  const stop = b.client.sendMessage({ message: userMessage("stop", { taskId: id }) });
  const { task } = await looking(stop, [a, b]);
  expect(
    must(task)
      .history?.filter(({ role }) => role === "ROLE_USER")
      .map(textOf),
  ).toEqual(["hi", "one", "two", "stop"]);
  const { id: second } = await open(a, "hi");
  await until(async () => (await on.read(second)).revision === 2);
  const canceled = await looking(b.client.cancelTask({ id: second }), [a, b]);
  expect(canceled.status.state).toBe("TASK_STATE_CANCELED");
});

test.each(["before", "after"] as const)(
  "a post that fails, %s it was done, is posted again",
  async (when) => {
    const on = shared();
    const [a, b] = [
      instance(listening, on),
      instance(listening, on, { store: failing(on, "post", when, 1) }),
    ];
    const { id } = await open(a, "hi");
    await until(async () => (await on.read(id)).revision === 2);
    const message = userMessage("one", { taskId: id });
    await looking(b.client.sendMessage({ message, configuration: at }), [a, b]);
    const stop = b.client.sendMessage({ message: userMessage("stop", { taskId: id }) });
    const { task } = await looking(stop, [a, b]);
    expect(must(task).history?.map(textOf)).toEqual(["hi", "ready", "one", "stop"]);
  },
);

test("what another version of the library asks for is refused, not left without an answer", async () => {
  const on = shared();
  const bus = memoryBus();
  const [a, b] = [instance(listening, on, { bus }), instance(listening, on, { bus })];
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).revision === 2);
  const scope = { tenant: "", owner: "" };
  const answer = must(b.engine.cluster).ask(scope, id, JSON.stringify({ kind: "dance" }));
  expect(JSON.parse(must(await looking(answer, [a, b])))).toMatchObject({ error: { reason: "UNAVAILABLE" } });
});
