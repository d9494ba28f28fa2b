/**
 * Whatever happens to a task, and whenever someone begins to listen: the snapshot it got first and the events after it
 * give the task that GetTask shows, and revisions run without gap.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonText } from "../../src/json-text.js";
import { memoryStore } from "../../src/store/memory-store.js";
import type { StoredTask, TaskStore } from "../../src/store/types.js";
import { apply } from "../../src/task/apply.js";
import { TaskEngine } from "../../src/task/engine.js";
import type { LiveTask } from "../../src/task/live-task.js";
import { foldStored } from "../../src/task/load-task.js";
import { isTerminal } from "../../src/task/states.js";
import { Subscription } from "../../src/task/subscription.js";
import type { StreamResponse, Task } from "../../src/versions/pivot.js";
import { TaskState } from "../../src/versions/pivot.js";
import { status, task, update } from "./events.js";
import { slowStore, turn, type SlowStore } from "./slow-store.js";

const scope = { tenant: "", owner: "" };

type Step =
  | { readonly do: "emit"; readonly events: readonly StreamResponse[] }
  | { readonly do: "listen" | "turn" | "pass" }
  | { readonly do: "leave"; readonly who: number };

const anyUpdate: fc.Arbitrary<StreamResponse> = fc.oneof(
  fc.tuple(fc.constantFrom("a", "b"), fc.string(), fc.boolean()).map((t) => update(...t)),
  fc
    .tuple(fc.constantFrom(TaskState.WORKING, TaskState.INPUT_REQUIRED), fc.string())
    .map(([state, note]) => status(state, note)),
);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .array(anyUpdate, { minLength: 1, maxLength: 4 })
      .map((events): Step => ({ do: "emit", events })),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ do: "listen" }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: "turn" }, { do: "pass" }) },
  { weight: 1, arbitrary: fc.nat(5).map((who): Step => ({ do: "leave", who })) },
);

interface Listener {
  readonly stream: Subscription;
  readonly seen: Promise<{ task: Task | undefined; ids: number[] }>;
}

function listen(engine: TaskEngine, live: LiveTask): Listener {
  const stream = new Subscription(live, {
    lead: [new JsonText<StreamResponse>(`{"task":${live.text().text}}`, live.revision)],
    cursor: live.revision,
    closes: ({ state }) => state !== undefined && isTerminal(state),
    limits: engine.limits,
  });
  const seen = (async () => {
    let now: Task | undefined;
    const ids: number[] = [];
    for await (const events of stream) {
      for (const event of events) {
        ids.push(event.id ?? -1);
        const value = event.value();
        now = value.task ?? (now && apply(now, value));
      }
    }
    return { task: now, ids };
  })();
  return { stream, seen };
}

async function play(store: TaskStore, steps: readonly Step[]): Promise<void> {
  const slow = "waiting" in store ? (store as SlowStore) : undefined;
  const engine = new TaskEngine({ store, sweepMs: 0 });
  const live = engine.create(scope, task(), "c1");
  live.holds = 1;
  const listeners: Listener[] = [listen(engine, live)];
  const left = new Set<number>();
  for (const step of steps) {
    if (step.do === "emit") live.emit(step.events);
    else if (step.do === "listen") listeners.push(listen(engine, live));
    else if (step.do === "turn") await turn();
    else if (step.do === "leave") {
      await listeners[step.who]?.stream.return();
      left.add(step.who);
    } else if (slow !== undefined && slow.waiting > 0) await slow.pass();
  }
  live.emit([status(TaskState.COMPLETED, "end")]);
  while (slow !== undefined && slow.waiting > 0) await slow.pass();

  const shown = JSON.parse((await engine.text(scope, "t1")) ?? "") as Task;
  expect(shown).toEqual(live.task);
  const stored = (await store.read(scope, "t1")) as StoredTask;
  expect(foldStored(stored).task).toEqual(live.task);
  expect(stored.revision).toBe(live.revision);
  for (const [i, { seen }] of listeners.entries()) {
    const { task: last, ids } = await seen;
    // A snapshot first, then every revision once, in order.
    expect(ids).toEqual(ids.map((_, n) => (ids[0] ?? 0) + n));
    if (!left.has(i)) {
      expect(last).toEqual(shown);
      expect(ids.at(-1)).toBe(live.revision);
    }
  }
}

test("with a store that answers at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 20 }), (steps) => play(memoryStore(), steps)),
    { numRuns: 150 },
  );
});

test("with a store that answers late, and keeps no more than it must", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 20 }), (steps) => play(slowStore(), steps)),
    { numRuns: 150 },
  );
});

test("with a store that takes the entries of a tick together", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 20 }), async (steps) => {
      const store = slowStore({ group: true });
      const passing = setInterval(() => void (store.waiting > 0 && store.pass()), 0);
      try {
        await play({ ...store, commit: (batch) => store.commit(batch) }, steps);
      } finally {
        clearInterval(passing);
      }
    }),
    { numRuns: 60 },
  );
});
