/**
 * Requests that meet at a paused task whose store takes its time: whatever the order, there is one writer of the task, so
 * no commit is refused; and a request that is refused leaves nothing in memory.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AgentServer, ServerOptions, TaskEffects } from "../../src/server.js";
import type { StoredTask, TaskStore } from "../../src/store/types.js";
import { memoryStore } from "../../src/store/memory-store.js";
import { TaskEngine } from "../../src/task/engine.js";
import { textOf, userMessage, type Task } from "../../src/versions/pivot.js";
import { slowStore, type SlowStore } from "../task/slow-store.js";
import { agentOf, quiet, start, turn, type TestClient } from "./agents.js";

/** A store, and what lets it go on: by one commit, or by all reads that wait. */
interface Held {
  readonly store: TaskStore;
  step(): Promise<void>;
}

/** Reads are answered late, with what the task was when they came; commits too where the store is a slow one. */
function slowReads(store: TaskStore | SlowStore): Held {
  const reads: (() => void)[] = [];
  const read = (...args: Parameters<TaskStore["read"]>): Promise<StoredTask | undefined> => {
    const found = store.read(...args);
    return new Promise((resolve) => {
      reads.push(() => {
        resolve(found);
      });
    });
  };
  return {
    store: { ...store, read },
    async step() {
      if (reads.length > 0) for (const pass of reads.splice(0)) pass();
      else if ("pass" in store && store.waiting > 0) await store.pass();
      await turn();
    },
  };
}

const refused: string[] = [];
const logger = { ...quiet, error: (message: string) => refused.push(message) };
afterEach(() => {
  expect(refused.splice(0)).toEqual([]);
});

const stores: Readonly<Record<string, () => Held>> = {
  "a store that answers at once": () => ({ store: memoryStore(), step: turn }),
  "a store that reads late": () => slowReads(memoryStore()),
  "a store that reads and commits late": () => slowReads(slowStore()),
};

const asking = agentOf(async (ctx, m) => (textOf(m) === "stop" ? "done" : ctx.inputRequired("more?")));

/** Lets the store go on, step by step, until the calls are answered. */
async function through(
  held: Held,
  calls: readonly Promise<unknown>[],
): Promise<PromiseSettledResult<unknown>[]> {
  const all = Promise.allSettled(calls);
  let over = false;
  void all.then(() => (over = true));
  while (!over) {
    await turn();
    await held.step();
  }
  return all;
}

interface Paused {
  readonly client: TestClient;
  readonly server: AgentServer;
  readonly id: string;
  /** Tasks that live in memory. */
  live(): number;
}

/** A task that waits for input and that the process has forgotten. */
async function paused(held: Held, options: ServerOptions = {}): Promise<Paused> {
  const created = vi.spyOn(TaskEngine.prototype, "open");
  const { client, server } = start(asking, { store: held.store, logger, ...options });
  const [sent] = await through(held, [client.sendMessage({ message: userMessage("hi") })]);
  const [engine] = created.mock.contexts as TaskEngine[];
  created.mockRestore();
  expect(engine?.size).toBe(0);
  const { task } = valueOf(sent) as { task: { id: string } };
  return { client, server, id: task.id, live: () => engine?.size ?? -1 };
}

const valueOf = (settled: PromiseSettledResult<unknown> | undefined): unknown => {
  if (settled?.status !== "fulfilled") throw settled?.reason;
  return settled.value;
};

/** State of the task that answers a call, or the reason why it is refused. */
const told = (settled: PromiseSettledResult<unknown>): string => {
  if (settled.status === "rejected") return (settled.reason as { reason: string }).reason;
  const { task = settled.value } = settled.value as { task?: unknown };
  return (task as Task).status.state.replace("TASK_STATE_", "");
};

for (const [name, open] of Object.entries(stores)) {
  describe(`on ${name}`, () => {
    const say = ({ client, id }: Paused, text: string) =>
      client.sendMessage({ message: userMessage(text, { taskId: id }) });

    test("two follow-ups at once both get in", async () => {
      const held = open();
      const task = await paused(held);
      const answers = await through(held, [say(task, "one"), say(task, "two")]);
      expect(answers.map(told)).toEqual(["INPUT_REQUIRED", "INPUT_REQUIRED"]);
      const [got] = await through(held, [task.client.getTask({ id: task.id })]);
      const texts = (valueOf(got) as Task).history?.filter(({ role }) => role === "ROLE_USER").map(textOf);
      expect(texts).toEqual(["hi", "one", "two"]);
      expect(task.live()).toBe(0);
    });

    test("a follow-up that ends the task, and one that comes while it does", async () => {
      const held = open();
      const task = await paused(held);
      const answers = await through(held, [say(task, "stop"), say(task, "two")]);
      expect(answers.map(told)).toEqual([
        "COMPLETED",
        expect.stringMatching(/^(COMPLETED|UNSUPPORTED_OPERATION)$/),
      ]);
      expect(task.live()).toBe(0);
    });

    test("a follow-up and a cancel, in both orders", async () => {
      for (const cancelFirst of [true, false]) {
        const held = open();
        const task = await paused(held);
        const cancel = () => task.client.cancelTask({ id: task.id });
        const calls = cancelFirst ? [cancel(), say(task, "one")] : [say(task, "one"), cancel()];
        const answers = (await through(held, calls)).map(told);
        const [canceled, said] = cancelFirst ? answers : answers.toReversed();
        expect(canceled).toBe("CANCELED");
        // It is too late for the message, or it went in and the task was canceled then.
        expect(said).toMatch(cancelFirst ? /^UNSUPPORTED_OPERATION$/ : /^(CANCELED|INPUT_REQUIRED)$/);
        expect(task.live()).toBe(0);
      }
    });

    test("a cancel and a subscription, in both orders", async () => {
      for (const cancelFirst of [true, false]) {
        const held = open();
        const task = await paused(held);
        const states: string[] = [];
        const subscribe = async (): Promise<Task> => {
          let last = {} as Task;
          for await (const { task: whole, statusUpdate } of task.client.subscribeToTask({ id: task.id })) {
            if (whole) last = whole;
            else if (statusUpdate) last = { ...last, status: statusUpdate.status };
            states.push(last.status.state);
          }
          return last;
        };
        const cancel = () => task.client.cancelTask({ id: task.id });
        const calls = cancelFirst ? [cancel(), subscribe()] : [subscribe(), cancel()];
        const answers = (await through(held, calls)).map(told);
        const [canceled, listened] = cancelFirst ? answers : answers.toReversed();
        expect(canceled).toBe("CANCELED");
        expect(listened).toMatch(cancelFirst ? /^(CANCELED|UNSUPPORTED_OPERATION)$/ : /^CANCELED$/);
        if (!cancelFirst) expect(states).toEqual(["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_CANCELED"]);
        expect(task.live()).toBe(0);
      }
    });

    test("two cancels share the outcome, or the second finds the task canceled", async () => {
      const held = open();
      const task = await paused(held);
      const cancel = () => task.client.cancelTask({ id: task.id });
      const answers = (await through(held, [cancel(), cancel()])).map(told);
      expect(answers[0]).toBe("CANCELED");
      expect(answers[1]).toMatch(/^(CANCELED|TASK_NOT_CANCELABLE)$/);
      expect(task.live()).toBe(0);
    });

    test("effects from outside, kept over a follow-up that somebody else sends", async () => {
      const held = open();
      const task = await paused(held);
      const [given] = await through(held, [task.server.task(task.id)]);
      const effects = valueOf(given) as TaskEffects;
      expect(task.live()).toBe(0);
      await through(held, [say(task, "one")]);
      effects.working("on my own");
      const answers = await through(held, [say(task, "two")]);
      expect(answers.map(told)).toEqual(["INPUT_REQUIRED"]);
      effects.completed("by me");
      await held.step();
      await held.step();
      const [got] = await through(held, [task.client.getTask({ id: task.id })]);
      expect(textOf((valueOf(got) as Task).status.message)).toBe("by me");
      expect(task.live()).toBe(0);
    });

    test("what is refused leaves nothing live", async () => {
      const held = open();
      const task = await paused(held, { limits: { messagesPerTask: 0 } });
      const { client, id } = task;
      const message = userMessage("x", { taskId: id });
      const answers = await through(held, [
        client.sendMessage({ message }),
        client.sendMessage({ message: { ...message, contextId: "another" } }),
        client.sendMessage({ message: { ...message, parts: [{ raw: "eA==", mediaType: "image/png" }] } }),
      ]);
      const [full, ...others] = answers;
      expect(full).toMatchObject({ reason: { message: expect.stringContaining("has taken 0 messages") } });
      expect(others.map(told)).toEqual(["INVALID_PARAMS", "CONTENT_TYPE_NOT_SUPPORTED"]);
      expect(task.live()).toBe(0);
    });
  });
}
