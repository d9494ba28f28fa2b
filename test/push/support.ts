/** A worker on a store with a clock that tests move; nothing here sleeps. */
import { parseAllowList } from "../../src/net/allow-list.js";
import { createTargetGuard } from "../../src/net/target-guard.js";
import { pushSettings, type PushOptions } from "../../src/push/options.js";
import { createSender } from "../../src/push/sender.js";
import type { PushHost } from "../../src/push/types.js";
import { createWorker, type PushWorker } from "../../src/push/worker.js";
import { memoryStore } from "../../src/store/memory-store.js";
import type { NewDelivery, Scope, StoredConfig, TaskStore } from "../../src/store/types.js";
import type { TaskPushNotificationConfig } from "../../src/versions/pivot.js";

export const scope: Scope = { tenant: "", owner: "alice" };

/** A line of the log: level and message. */
export type Line = readonly [level: string, message: string];

export interface TestWorker extends PushWorker {
  /** Moves the clock, then waits for everything that is due. */
  advance(ms: number): Promise<void>;
  readonly log: readonly Line[];
  /** Registrations that were disabled. */
  readonly disabledIds: readonly string[];
}

/** A clock that stands still. */
export interface TestClock {
  now: number;
}

/** A worker as the server starts it, but for the clock. */
export function work(
  store: TaskStore,
  options: PushOptions = {},
  clock: TestClock = { now: Date.UTC(2030, 0, 1) },
): TestWorker {
  const settings = pushSettings({ allow: ["127.0.0.1"], pollMs: 0, ...options });
  const guard = createTargetGuard({ ...settings, allow: parseAllowList(settings.allow) });
  const log: Line[] = [];
  const disabledIds: string[] = [];
  const line =
    (level: string) =>
    (message: string): void => {
      log.push([level, message]);
    };
  const host: PushHost = {
    now: () => clock.now,
    log: { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") },
    disabled: (_scope, _taskId, id) => {
      disabledIds.push(id);
    },
  };
  const worker = createWorker(store, host, createSender(guard, settings.timeoutMs), settings);
  return {
    ...worker,
    log,
    disabledIds,
    async advance(ms) {
      clock.now += ms;
      worker.wake();
      await worker.idle();
    },
  };
}

/** A registration as it is kept. */
export const hook = (
  id: string,
  url: string,
  more: Partial<TaskPushNotificationConfig> & { version?: string } = {},
): StoredConfig => {
  const { version = "1.0", ...rest } = more;
  return { id, text: JSON.stringify({ id, url, ...rest }), version };
};

/** Deliveries of events `1…count` to a registration. */
export const rows = (configId: string, count: number): NewDelivery[] =>
  Array.from({ length: count }, (_, i) => ({ configId, n: i + 1, text: JSON.stringify({ n: i + 1 }) }));

/** A store that tells what waits. */
export interface TestStore extends TaskStore {
  /** Deliveries that were written and not yet acknowledged, claimed or not: `x3`. */
  pending(): string[];
  /** Most deliveries that were claimed at the same time. */
  mostClaimed(): number;
}

/** A memory store that keeps a ledger of its outbox. */
export function testStore(inner: TaskStore = memoryStore()): TestStore {
  const ledger = new Set<string>();
  const claimed = new Set<string>();
  let most = 0;
  return {
    ...inner,
    pending: () => [...ledger],
    mostClaimed: () => most,
    commit(batch) {
      for (const { outbox = [] } of batch)
        for (const { configId, n } of outbox) ledger.add(configId + String(n));
      return inner.commit(batch);
    },
    outbox: {
      async claim(...args) {
        const deliveries = await inner.outbox.claim(...args);
        for (const { taskId, configId } of deliveries) claimed.add(taskId + configId);
        most = Math.max(most, claimed.size);
        return deliveries;
      },
      ack(delivery, options) {
        claimed.delete(delivery.taskId + delivery.configId);
        if (options?.retryAt === undefined) ledger.delete(delivery.configId + String(delivery.n));
        return inner.outbox.ack(delivery, options);
      },
    },
  };
}

/** A store with one task, its registrations and what waits for them. */
export function storeWith(
  configs: readonly StoredConfig[],
  outbox: readonly NewDelivery[],
  taskId = "t1",
  store: TestStore = testStore(),
): TestStore {
  void store.commit([
    {
      scope,
      taskId,
      expect: 0,
      fence: 0,
      head: {
        contextId: "c1",
        state: "TASK_STATE_WORKING",
        timestamp: "2030-01-01T00:00:00.000Z",
        terminal: false,
      },
      events: [],
      snapshot: { at: 1, received: 0, text: "{}" },
      configs,
      outbox,
    },
  ]);
  return store;
}

/** Writes one more event for a registration. */
export function write(store: TaskStore, configId: string, n: number): void {
  const outbox = [{ configId, n, text: JSON.stringify({ n }) }];
  void store.commit([{ scope, taskId: "t1", fence: 0, events: [], outbox }]);
}
