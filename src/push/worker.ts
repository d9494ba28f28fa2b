import type { Delivery, Scope, TaskStore } from "../store/types.js";
import { every, later } from "../task/clock.js";
import type { TraceContext } from "../telemetry/trace-context.js";
import { attempt, Withdrawn } from "./attempt.js";
import type { DeliverySigner } from "./delivery-jwt.js";
import type { PushSettings } from "./options.js";
import type { Sender } from "./sender.js";
import { createSettling } from "./settle.js";
import type { PushHost, StartedPush } from "./types.js";

/** Milliseconds that a claim outlives the longest request: nobody else may send the same event meanwhile. */
const CLAIM_MARGIN = 30_000;
/** Milliseconds until a store that failed is asked again. */
const STORE_RETRY = 1_000;

/** Delivery at work, with what tests wait for. */
export interface PushWorker extends Required<StartedPush> {
  /** Resolves when nothing is under way and nothing is due. */
  idle(): Promise<void>;
}

/**
 * Claims deliveries that are due and sends them: in order per registration and one at a time, which is how the store
 * hands them out; many registrations side by side. Looks when it is woken, when a request ends, and when a retry is due.
 */
export function createWorker(
  store: TaskStore,
  host: PushHost,
  sender: Sender,
  settings: PushSettings,
  sign?: DeliverySigner,
): PushWorker {
  const now = (): number => host.now();
  const holder = crypto.randomUUID();
  const ttl = settings.timeoutMs + CLAIM_MARGIN;
  const context = { store, sender, settings, now, sign };
  /** Requests under way, by registration. */
  const busy = new Map<string, AbortController>();
  const timers = new Set<() => void>();
  const waiting = new Set<() => void>();
  let looking = false;
  let again = false;
  let closed = false;

  function wake(): void {
    if (closed) return;
    again = true;
    if (!looking) void look();
  }

  function wakeIn(ms: number): void {
    if (closed) return;
    const due = now() + ms;
    const cancel = later(Math.max(0, ms), () => {
      timers.delete(cancel);
      // A timer may fire a little before the clock says so, when nothing is due yet.
      const early = due - now();
      if (early > 0) wakeIn(early);
      else wake();
    });
    timers.add(cancel);
  }

  const settle = createSettling({ store, host, settings, wakeIn });

  async function look(): Promise<void> {
    looking = true;
    while (again && !closed && busy.size < settings.concurrency) {
      again = false;
      try {
        const free = settings.concurrency - busy.size;
        for (const delivery of await store.outbox.claim(holder, now(), ttl, free)) begin(delivery);
      } catch (error) {
        host.log.error("push: the task store failed", error);
        wakeIn(STORE_RETRY);
      }
    }
    looking = false;
    if (busy.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  function begin(delivery: Delivery): void {
    const key = keyOf(delivery.scope, delivery.taskId, delivery.configId);
    // A claim that ran out while its request still goes on: one at a time.
    if (busy.has(key)) return;
    const controller = new AbortController();
    busy.set(key, controller);
    if (closed) controller.abort(new Withdrawn("server"));
    const send = (trace?: TraceContext) => attempt(context, delivery, controller.signal, trace);
    const trace = host.trace?.(delivery.taskId);
    const observer = host.telemetry?.current;
    (observer === undefined ? send(trace) : observer.delivery(delivery, trace, send))
      .then((outcome) => settle(delivery, key, outcome))
      .catch((error: unknown) => {
        // The claim runs out, then it is tried again.
        host.log.error(`push: a delivery of task ${delivery.taskId} could not be recorded`, error);
      })
      .finally(() => {
        busy.delete(key);
        again = true;
        if (!looking) void look();
      });
  }

  const idle = (): Promise<void> =>
    busy.size === 0 && !looking
      ? Promise.resolve()
      : new Promise((resolve) =>
          waiting.add(() => {
            resolve();
          }),
        );

  const stopPolling = settings.pollMs > 0 ? every(settings.pollMs, wake) : undefined;
  wake();

  return {
    wake,
    idle,
    dropped(scope, taskId, configId) {
      busy.get(keyOf(scope, taskId, configId))?.abort(new Withdrawn("registration"));
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      stopPolling?.();
      for (const cancel of timers) cancel();
      timers.clear();
      const stop = later(settings.closeMs, () => {
        for (const controller of busy.values()) controller.abort(new Withdrawn("server"));
      });
      await idle();
      stop();
      await sender.close();
    },
  };
}

/** Names a registration. */
const keyOf = ({ tenant, owner }: Scope, taskId: string, configId: string): string =>
  JSON.stringify([tenant, owner, taskId, configId]);
