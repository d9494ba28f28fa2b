/** What is done to engines and to the reference, side by side; after each step both say the same. */
import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { isA2AError } from "../../../src/errors.js";
import type { StoredConfig } from "../../../src/server.js";
import { isLive } from "../../../src/task/engine.js";
import type { LiveTask } from "../../../src/task/live-task.js";
import { foldStored } from "../../../src/task/load-task.js";
import { isTerminal } from "../../../src/task/states.js";
import { turn } from "../../task/slow-store.js";
import type { StreamResponse, Task, TaskState } from "../../../src/versions/pivot.js";
import { Role } from "../../../src/versions/pivot.js";
import { change, eventOf, status } from "./changes.js";
import { listen, scope, settled, start, type Instance } from "./instance.js";
import type { ModelTask, Reference } from "./reference.js";
import { step, type Real } from "./step.js";

const which = fc.nat(5);
const who = fc.nat(1);
const place = fc.record({ who, which });

const at = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

function find({ who, which }: { who: number; which: number }, model: Reference, real: Real) {
  const instance = at(real.instances, who);
  const id = at(real.ids, which);
  if (!instance || id === undefined) return undefined;
  return { instance, id, known: model.tasks.get(id) };
}

/** One of the tasks whose handlers run. */
function runningAt(which: number, model: Reference, real: Real) {
  const runs = real.instances.flatMap((instance) =>
    [...instance.runs].map(([id, live]) => ({ instance, id, live, known: model.tasks.get(id) })),
  );
  const run = at(runs, which);
  return run?.known && { ...run, known: run.known };
}

/** The run of a handler ends. */
function ends(instance: Instance, id: string): void {
  const live = instance.runs.get(id);
  instance.runs.delete(id);
  if (live === undefined) return;
  live.holds -= 1;
  live.retireIfIdle();
}

/** Changes a task from whichever engine, where the reference says that this can be; refused, where not. */
async function visit(
  target: { instance: Instance; id: string; known: ModelTask | undefined },
  model: Reference,
  use: (live: LiveTask, known: ModelTask) => void,
): Promise<void> {
  const { instance, id, known } = target;
  const expected = model.meet(id, instance.name);
  const met = await instance.engine.visit<string>(
    scope,
    id,
    (found) => {
      if (found === undefined) return "gone";
      if (!isLive(found) || found.terminal) return "ended";
      if (expected === "here" && known) use(found, known);
      return "here";
    },
    { elsewhere: () => "elsewhere" },
  );
  equal(met, expected);
  if (met !== "here" || !known) return;
  if (isTerminal(known.task.status.state)) ends(instance, id);
  if (!instance.runs.has(id)) model.rest(known);
}

function emit(live: LiveTask, known: ModelTask, model: Reference, events: readonly StreamResponse[]): void {
  for (const event of events) {
    equal(live.refuses(event), undefined);
    model.apply(known, event);
  }
  live.emit(events);
}

const hook = (id: string): StoredConfig => ({ id, text: "{}", version: "1.0" });

/** Every step there is, the frequent ones more than once. */
export const steps = [
  step("create", fc.record({ who, hook: fc.boolean() }), (args, model, real) => {
    const instance = at(real.instances, args.who);
    if (!instance || real.ids.length === 3) return Promise.resolve();
    real.count += 1;
    const id = `task-${String(real.count)}`;
    const contextId = `context-${String(real.count % 2)}`;
    const timestamp = new Date(model.now).toISOString();
    const task: Task = { id, contextId, status: { state: "TASK_STATE_WORKING", timestamp } };
    const live = instance.engine.create(scope, task, contextId, args.hook ? [hook("x")] : []);
    live.holds += 1;
    instance.runs.set(id, live);
    model.create(task, instance.name, args.hook ? ["x"] : []);
    real.ids.push(id);
    return Promise.resolve();
  }),
  ...[1, 2, 3].map(() =>
    step(
      "run",
      fc.record({
        which,
        batches: fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        turns: fc.boolean(),
      }),
      async ({ which, batches, turns }, model, real) => {
        const run = runningAt(which, model, real);
        if (!run) return;
        const { instance, live, known } = run;
        for (const batch of batches) {
          const events = batch.map((one) => eventOf(one, known.task, model, real));
          if (known.lease && known.lease.holder !== instance.name) break;
          emit(live, known, model, events);
          await live.ready();
          if (turns) await turn();
        }
      },
    ),
  ),
  step(
    "come to rest",
    fc.record({
      which,
      how: fc.constantFrom("INPUT_REQUIRED", "INPUT_REQUIRED", "COMPLETED", "REJECTED", "detached"),
    }),
    async ({ which, how }, model, real) => {
      const run = runningAt(which, model, real);
      if (!run) return;
      const { instance, id, live, known } = run;
      if (how !== "detached")
        emit(live, known, model, [status(`TASK_STATE_${how}` as TaskState, known.task, model, "n")]);
      ends(instance, id);
      // A state says more than a lease.
      if (!isTerminal(known.task.status.state)) model.rest(known);
      await settled(instance, [id]);
    },
  ),
  ...[1, 2].map(() =>
    step("message", place, async (args, model, real) => {
      const target = find(args, model, real);
      if (!target) return;
      const { instance, id } = target;
      await visit(target, model, (live, known) => {
        real.count += 1;
        const messageId = String(real.count);
        const message = { messageId, role: Role.USER, parts: [{ text: messageId }] };
        const runs = instance.runs.has(id);
        model.receive(known, message);
        const events = runs ? [] : [status("TASK_STATE_WORKING", known.task, model)];
        for (const event of events) model.apply(known, event);
        live.receive(message, events, []);
        if (runs) return;
        live.holds += 1;
        instance.runs.set(id, live);
      });
    }),
  ),
  step("change from outside", fc.record({ place, change }), async ({ place, change }, model, real) => {
    const target = find(place, model, real);
    if (!target) return;
    await visit(target, model, (live, known) => {
      emit(live, known, model, [eventOf(change, known.task, model, real)]);
    });
  }),
  step("cancel", place, async (args, model, real) => {
    const target = find(args, model, real);
    if (!target) return;
    await visit(target, model, (live, known) => {
      emit(live, known, model, [status("TASK_STATE_CANCELED", known.task, model)]);
    });
  }),
  ...[1, 2].map(() =>
    step(
      "listen",
      fc.record({ place, after: fc.option(fc.nat(15)) }),
      async ({ place, after }, model, real) => {
        const target = find(place, model, real);
        if (!target) return;
        const { instance, id, known } = target;
        const wasOver = known && isTerminal(known.task.status.state);
        const last = after === null ? undefined : Math.min(after, known?.events.length ?? after);
        const met = model.meet(id, instance.name, true);
        try {
          const listener = await listen(instance, id, known, last);
          ok(met !== "gone" && !(wasOver && last === undefined));
          real.listeners.push(listener);
        } catch (error) {
          // Events of a task that ended may be kept no longer.
          const reason = met === "gone" ? "TASK_NOT_FOUND" : "UNSUPPORTED_OPERATION";
          if ((met !== "gone" && !wasOver) || !isA2AError(error, reason)) throw error;
        }
      },
    ),
  ),
  step("find", place, async (args, model, real) => {
    const target = find(args, model, real);
    if (!target) return;
    const found = await target.instance.engine.find(scope, target.id);
    deepEqual(found && (isLive(found) ? found.task : foldStored(found).task), target.known?.task);
  }),
  step(
    "list",
    fc.record({ who, state: fc.option(fc.constantFrom("WORKING", "INPUT_REQUIRED", "CANCELED")) }),
    async (args, model, real) => {
      const state = args.state === null ? undefined : `TASK_STATE_${args.state}`;
      const page = await at(real.instances, args.who)?.store.list(scope, {
        pageSize: 10,
        ...(state && { state }),
      });
      const key = ({ status, id }: Task): string => `${status.timestamp ?? ""} ${id}`;
      const tasks = [...model.tasks.values()]
        .map(({ task }) => task)
        .filter(({ status }) => (state ?? status.state) === status.state);
      tasks.sort((a, b) => (key(a) > key(b) ? -1 : 1));
      deepEqual(
        page?.tasks.map((stored) => foldStored(stored).task),
        tasks,
      );
    },
  ),
  step(
    "webhook",
    fc.record({ place, id: fc.constantFrom("x", "y"), add: fc.boolean() }),
    async ({ place, id, add }, model, real) => {
      const target = find(place, model, real);
      if (!target) return;
      const { instance, id: taskId, known } = target;
      // Whoever works on it elsewhere hears of it by other ways than the store.
      const held =
        known?.lease !== undefined && known.lease.holder !== "" && known.lease.holder !== instance.name;
      if (held) return;
      if (add) {
        equal(await instance.engine.webhooks.add(scope, taskId, hook(id)), known !== undefined);
        if (known && !known.hooks.includes(id)) known.hooks.push(id);
      } else {
        await instance.engine.webhooks.remove(scope, taskId, id);
        if (!known) return;
        known.hooks = known.hooks.filter((one) => one !== id);
        known.deliveries = known.deliveries.filter((one) => one.hook !== id);
      }
    },
  ),
  step("deliver", who, async (who, model, real) => {
    const outbox = at(real.instances, who)?.store.outbox;
    const got = new Map<string, unknown[]>();
    for (let some = true; some && outbox;) {
      const claimed = await outbox.claim("worker", model.now, 1_500, 100);
      some = claimed.length > 0;
      for (const delivery of claimed) {
        const key = `${delivery.taskId} ${delivery.configId}`;
        got.set(key, [...(got.get(key) ?? []), [delivery.n, JSON.parse(delivery.text)]]);
        await outbox.ack(delivery);
      }
    }
    const expected = new Map<string, unknown[]>();
    for (const [id, known] of model.tasks) {
      for (const { hook, n, event } of known.deliveries) {
        const key = `${id} ${hook}`;
        expected.set(key, [...(expected.get(key) ?? []), [n, event]]);
      }
      known.deliveries = [];
    }
    deepEqual(got, expected);
  }),
  ...[1, 2].map(() =>
    step(
      "wait",
      fc.record({ seconds: fc.integer({ min: 1, max: 3 }), sweep: fc.boolean() }),
      async ({ seconds, sweep }, model, real) => {
        for (let i = 0; i < seconds; i += 1) {
          model.now += 1_000;
          for (const instance of real.instances) await looks(instance, model);
        }
        if (!sweep) return;
        model.sweep();
        const [instance] = real.instances;
        for (let i = 0; i < 10; i += 1) await instance?.engine.sweep(model.now);
      },
    ),
  ),
  step("delete", place, async (args, model, real) => {
    const target = find(args, model, real);
    // No method of the protocol deletes a task that somebody works on or listens to.
    if (!target?.known || !isTerminal(target.known.task.status.state)) return;
    equal(await target.instance.store.delete(scope, target.id), true);
    model.tasks.delete(target.id);
  }),
  step("restart", fc.record({ who, killed: fc.boolean() }), async ({ who, killed }, model, real) => {
    const instance = at(real.instances, who);
    if (!instance || !real.reopen) return;
    if (!killed) {
      await instance.engine.close();
      for (const known of model.tasks.values()) {
        if (known.lease?.holder === instance.name) known.lease.expires = 0;
      }
    }
    await instance.store.close?.();
    for (const listener of real.listeners) if (listener.at === instance) listener.current = false;
    real.count += 1;
    const next = await start(`engine-${String(real.count)}`, await real.reopen(), model);
    real.instances[real.instances.indexOf(instance)] = next;
    await looks(next, model);
  }),
];

/** An engine renews its leases, and recovers what nobody works on. */
async function looks({ engine, name }: Instance, model: Reference): Promise<void> {
  // A store in memory knows no leases.
  if (engine.ownership === undefined) return;
  model.look(name);
  await engine.look();
}
