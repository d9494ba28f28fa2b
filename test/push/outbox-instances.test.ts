/** Three servers as processes on one store: what their webhooks get. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { deliveryId } from "../../src/push/delivery-id.js";
import type { PushOptions } from "../../src/server.js";
import { gate } from "../server/agents.js";
import { say } from "../rules/support.js";
import { serviceUrl } from "../services/service-url.js";
import { newSchema } from "../store/postgres-fixture.js";
import { senderHeader, startHooks, type Hooks } from "./instances/hooks.js";
import { killInstances, startInstance, type Instance, type Place } from "./instances/start-instance.js";

const postgres = serviceUrl("postgres", "webhooks of several instances on PostgreSQL") ?? "";
const dirs: string[] = [];
afterEach(async () => {
  killInstances();
  for (const dir of dirs.splice(0)) await rm(dir, { recursive: true, force: true });
});

async function sqlitePlace(): Promise<Place> {
  const dir = await mkdtemp(join(tmpdir(), "a2a-push-"));
  dirs.push(dir);
  return { path: join(dir, "tasks.db") };
}

/** A task whose registrations have paths of their own; they get everything after revision `after`. */
interface Hooked {
  readonly id: string;
  readonly paths: readonly string[];
  readonly artifacts: number;
}

/** Revisions of the question, and of what comes before it. */
const ASKED = 2;

/** Waits until something holds; long, for others work on this machine too. */
const until = (what: () => unknown): Promise<void> =>
  expect.poll(what, { timeout: 60_000, interval: 20 }).toBe(true);

const QUICK: PushOptions = { pollMs: 100, backoffMs: 50, maxBackoffMs: 400, attempts: 1_000 };

const start = (place: Place, name: string, push: PushOptions = {}): Promise<Instance> =>
  startInstance({ place, push: { ...QUICK, tokenHeader: senderHeader(name), ...push } });

/** Tasks that wait for their input, with registrations; each step at another instance. */
async function prepare(hooks: Hooks, instances: readonly Instance[], tasks: number, configs: number) {
  const at = (i: number): Instance["caller"] => {
    const instance = instances[i % instances.length];
    if (instance === undefined) throw new Error("there is no instance");
    return instance.caller;
  };
  return Promise.all(
    Array.from({ length: tasks }, async (_, i) => {
      const { task } = await at(i).ok("SendMessage", say("hi"));
      const id = String(task.id);
      const paths = Array.from({ length: configs }, (_, j) => `${String(i)}-${String(j)}`);
      for (const [j, path] of paths.entries()) {
        const config = { taskId: id, id: `x${String(j)}`, url: hooks.url(path), token: "t" };
        await at(i + j).ok("CreateTaskPushNotificationConfig", config);
      }
      return { id, paths };
    }),
  );
}

/** Lets tasks write so many artifacts; resolves when all of it is in the store. */
const write = (
  instances: readonly Instance[],
  tasks: readonly { readonly id: string; readonly paths: readonly string[] }[],
  artifacts: number,
): Promise<Hooked[]> =>
  Promise.all(
    tasks.map(async ({ id, paths }, i) => {
      const instance = instances[i % instances.length];
      if (instance === undefined) throw new Error("there is no instance");
      const reply = await instance.caller.ok("SendMessage", say(String(artifacts), { taskId: id }));
      expect(reply.task.status.state).toBe("TASK_STATE_COMPLETED");
      return { id, paths, artifacts };
    }),
  );

/** Events that a registration gets: the artifacts, a status before them and one after. */
const eventsOf = ({ artifacts }: Hooked): number => artifacts + 2;

/** Numbers of the events as they came to a path. */
async function numbersAt(hooks: Hooks, { id, paths, artifacts }: Hooked, path: string): Promise<number[]> {
  const known = new Map<string, number>();
  const configId = `x${String(paths.indexOf(path))}`;
  for (let n = 1; n <= ASKED + artifacts + 9; n += 1)
    known.set(await deliveryId({ taskId: id, configId, n }), n);
  return hooks.of(path).arrivals.map((name) => known.get(name) ?? 0);
}

/** Every event came; none before an earlier one, and none again after a later one. Gives the number of repeats. */
async function expectAllInOrder(hooks: Hooks, tasks: readonly Hooked[]): Promise<number> {
  let repeats = 0;
  for (const task of tasks) {
    for (const path of task.paths) {
      const numbers = await numbersAt(hooks, task, path);
      expect(numbers, path).toEqual(numbers.toSorted((a, b) => a - b));
      const wanted = Array.from({ length: eventsOf(task) }, (_, i) => ASKED + 1 + i);
      expect([...new Set(numbers)], path).toEqual(wanted);
      repeats += numbers.length - wanted.length;
    }
  }
  expect(hooks.most).toBe(1);
  return repeats;
}

/** Whether every registration has had the last of its events. */
const allCame =
  (hooks: Hooks, tasks: readonly Hooked[]): (() => boolean) =>
  () =>
    tasks.every((task) =>
      task.paths.every((path) => new Set(hooks.of(path).arrivals).size === eventsOf(task)),
    );

const places: readonly [string, boolean, () => Place | Promise<Place>][] = [
  ["SQLite", false, sqlitePlace],
  ["PostgreSQL", postgres === "", () => ({ url: postgres, schema: newSchema() })],
];

describe.each(places)("on %s", (_, skipped, place) => {
  const three = (at: Place, push?: PushOptions): Promise<Instance[]> =>
    Promise.all(["a", "b", "c"].map((name) => start(at, name, push)));

  test.skipIf(skipped)(
    "all instances deliver thousands of events: each once, in order, one at a time",
    async () => {
      await using hooks = await startHooks();
      const instances = await three(await place());
      const tasks = await write(instances, await prepare(hooks, instances, 12, 3), 60);
      await until(allCame(hooks, tasks));
      expect(await expectAllInOrder(hooks, tasks)).toBe(0);
      expect(hooks.total).toBe(12 * 3 * 62);
      expect(hooks.from.size).toBe(3);
    },
    120_000,
  );

  test.skipIf(skipped)(
    "a registration that is deleted at another instance, and one that was disabled, get nothing more",
    async () => {
      await using hooks = await startHooks();
      const instances = await three(await place(), { disableAfter: 3 });
      const prepared = await prepare(hooks, instances, 3, 3);
      const passed = gate();
      hooks.answer = async (path) => {
        if (path.endsWith("-1")) return 410;
        // In the middle of the first request of the others.
        await passed.passed;
        return 204;
      };
      const tasks = await write(instances, prepared, 30);
      await until(() => tasks.every(({ paths: [first = ""] }) => hooks.of(first).open === 1));
      for (const { id } of tasks)
        for (const { caller } of instances)
          await caller.ok("DeleteTaskPushNotificationConfig", { taskId: id, id: "x0" });
      passed.open();
      const kept = tasks.map((task) => ({ ...task, paths: task.paths.slice(2) }));
      await until(() => kept.every(({ paths: [path = ""] }) => hooks.of(path).arrivals.length === 32));
      for (const [i, task] of tasks.entries()) {
        const [deleted = "", disabled = ""] = task.paths;
        // What was under way, no more.
        expect(hooks.of(deleted).arrivals).toHaveLength(1);
        // Each instance counts for itself, and no event is sent again.
        const { arrivals } = hooks.of(disabled);
        expect(arrivals.length, String(i)).toBeGreaterThanOrEqual(3);
        expect(arrivals.length, String(i)).toBeLessThanOrEqual(9);
        expect(new Set(arrivals).size).toBe(arrivals.length);
      }
      expect(hooks.most).toBe(1);
    },
    120_000,
  );
});
