/** Tasks whose registrations have paths of their own, and what must have come to these. */
import { expect } from "vitest";
import { deliveryId } from "../../../src/push/delivery-id.js";
import type { PushOptions } from "../../../src/server.js";
import { say } from "../../rules/support.js";
import { senderHeader, type Hooks } from "./hooks.js";
import { startInstance, type Instance, type Place } from "./start-instance.js";

/** A task that waits for its input. */
export interface Prepared {
  readonly id: string;
  /** Of its registrations `x0`, `x1`, … */
  readonly paths: readonly string[];
}

/** A task that wrote so many artifacts. */
export interface Hooked extends Prepared {
  readonly artifacts: number;
}

/** The revision of the question; registrations get what comes after it. */
const ASKED = 2;

/** Waits until something holds; long, for others work on this machine too. */
export const until = (what: () => unknown): Promise<void> =>
  expect.poll(what, { timeout: 60_000, interval: 20 }).toBe(true);

const QUICK: PushOptions = { pollMs: 100, backoffMs: 50, maxBackoffMs: 400, attempts: 1_000 };

/** Starts an instance that signs its requests with its name and does not wait long. */
export const startNamed = (place: Place, name: string, push: PushOptions = {}): Promise<Instance> =>
  startInstance({ place, push: { ...QUICK, tokenHeader: senderHeader(name), ...push } });

/** Several of them. */
export const startAll = (place: Place, names: readonly string[], push?: PushOptions): Promise<Instance[]> =>
  Promise.all(names.map((name) => startNamed(place, name, push)));

const callerAt = (instances: readonly Instance[], i: number): Instance["caller"] => {
  const instance = instances[i % instances.length];
  if (instance === undefined) throw new Error("there is no instance");
  return instance.caller;
};

/** Tasks that wait for their input, with registrations; each step at another instance. */
export const prepare = (
  hooks: Hooks,
  instances: readonly Instance[],
  [tasks, configs]: readonly [tasks: number, configs: number],
  prefix = "",
): Promise<Prepared[]> =>
  Promise.all(
    Array.from({ length: tasks }, async (_, i) => {
      const { task } = await callerAt(instances, i).ok("SendMessage", say("hi"));
      const id = String(task.id);
      const paths = Array.from({ length: configs }, (_, j) => `${prefix}${String(i)}-${String(j)}`);
      for (const [j, path] of paths.entries()) {
        const config = { taskId: id, id: `x${String(j)}`, url: hooks.url(path), token: "t" };
        await callerAt(instances, i + j).ok("CreateTaskPushNotificationConfig", config);
      }
      return { id, paths };
    }),
  );

/** Lets tasks write so many artifacts; resolves when all of it is in the store. */
export const write = (
  instances: readonly Instance[],
  tasks: readonly Prepared[],
  artifacts: number,
): Promise<Hooked[]> =>
  Promise.all(
    tasks.map(async ({ id, paths }, i) => {
      const reply = await callerAt(instances, i).ok("SendMessage", say(String(artifacts), { taskId: id }));
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

/** Every event came; none before an earlier one, none again after a later one, no two at once. Gives the number of repeats. */
export async function expectAllInOrder(hooks: Hooks, tasks: readonly Hooked[]): Promise<number> {
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
export const allCame =
  (hooks: Hooks, tasks: readonly Hooked[]): (() => boolean) =>
  () =>
    tasks.every((task) =>
      task.paths.every((path) => new Set(hooks.of(path).arrivals).size === eventsOf(task)),
    );
