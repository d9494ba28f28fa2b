/** An engine on a store of its own, as in a process of its own; and those who listen to it. */
import { isA2AError } from "../../../src/errors.js";
import type { JsonText } from "../../../src/json-text.js";
import type { TaskStore } from "../../../src/server.js";
import { subscribeToTask } from "../../../src/server/operations/subscribe-to-task.js";
import { anonymous } from "../../../src/server/scope.js";
import type { HandlerContext } from "../../../src/server/router-types.js";
import type { ServiceContext } from "../../../src/server/service-context.js";
import { TaskEngine } from "../../../src/task/engine.js";
import type { LiveTask } from "../../../src/task/live-task.js";
import type { StreamResponse, Task } from "../../../src/versions/pivot.js";
import { DETACHED, LEASE, type ModelTask, type Reference } from "./reference.js";

export { anonymous as scope };

export interface Instance {
  /** Names it in leases of the reference. */
  readonly name: string;
  readonly store: TaskStore;
  readonly engine: TaskEngine;
  /** Tasks whose handlers run here. */
  readonly runs: Map<string, LiveTask>;
}

/** Starts an engine. It does nothing by itself, and goes by the clock of the reference. */
export async function start(name: string, opened: TaskStore, model: Reference): Promise<Instance> {
  const now = (): number => model.now;
  const store: TaskStore = { ...opened, ...(opened.clock && { clock: now }) };
  const engine = new TaskEngine({
    store,
    now,
    sweepMs: 0,
    leases: { leaseMs: LEASE, detachedTimeout: DETACHED },
    push: { wake: () => undefined, dropped: () => undefined },
    recover: (live) => live.emit([model.failure(live.task)]),
  });
  await engine.start();
  return { name, store, engine, runs: new Map() };
}

export interface Listener {
  readonly id: string;
  readonly at: Instance;
  /** Revision after which its events begin. */
  readonly from: number;
  /** What comes before the events: the task as it was, unless it resumed. */
  readonly begin: Task | undefined;
  readonly got: StreamResponse[];
  /** Its engine goes on. */
  current: boolean;
  ended: boolean;
  problem?: unknown;
}

/** SubscribeToTask, with `Last-Event-ID` where `after` is given. */
export async function listen(at: Instance, id: string, known?: ModelTask, after?: number): Promise<Listener> {
  const service = { runtime: { engine: at.engine } } as unknown as ServiceContext;
  const context = { context: { lastEventId: after?.toString() } } as unknown as HandlerContext;
  const stream = await subscribeToTask(service, { id }, context);
  const begin = after === undefined ? known?.task : undefined;
  const from = after ?? known?.events.length ?? 0;
  const listener: Listener = { id, at, from, begin, got: [], current: true, ended: false };
  void follow(stream, listener);
  return listener;
}

async function follow(
  stream: Awaited<ReturnType<typeof subscribeToTask>>,
  listener: Listener,
): Promise<void> {
  try {
    for await (const chunk of stream) {
      for (const event of Array.isArray(chunk) ? chunk : [chunk]) {
        listener.got.push(JSON.parse((event as JsonText<StreamResponse>).text) as StreamResponse);
      }
    }
  } catch (error) {
    // A task that was lost before anything was said of it.
    if (!isA2AError(error, "UNAVAILABLE") || listener.current) listener.problem = error;
  }
  listener.ended = true;
}

/** Everything that was done is in the store, and nothing is on its way. */
export async function settled({ engine }: Instance, ids: Iterable<string>): Promise<void> {
  await engine.settled();
  for (const id of ids) await engine.ownership?.left(id);
}
