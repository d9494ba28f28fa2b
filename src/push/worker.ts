import type { Scope, TaskStore } from "../store/types.js";
import { every, later } from "../task/clock.js";
import type { TraceContext } from "../telemetry/trace-context.js";
import { STORE_RETRY } from "./acknowledge.js";
import { createAlarms } from "./alarms.js";
import { attempt, Withdrawn } from "./attempt.js";
import type { Claim } from "./claim.js";
import type { DeliverySigner } from "./delivery-jwt.js";
import type { PushSettings } from "./options.js";
import type { Sender } from "./sender.js";
import { createSettling } from "./settle.js";
import { startStopwatch } from "./stopwatch.js";
import { createStoreClock } from "./store-clock.js";
import type { PushHost, StartedPush } from "./types.js";

/** What is done for one registration. */
interface Work {
  claim: Claim;
  readonly controller: AbortController;
  /** The event after it, which the store gave out before we heard that it knows of this one. */
  next?: Claim;
}

/** Delivery at work, with what tests wait for. */
export interface PushWorker extends Required<StartedPush> {
  /** Resolves when nothing is under way and nothing is due. */
  idle(): Promise<void>;
}

/**
 * Claims deliveries that are due and sends them: in order per registration and one at a time, which is how the store
 * hands them out; many registrations side by side. Looks at the start, when it is woken, when a request ends, when a retry is due, and every
 * `pollMs` for what other instances left.
 */
export function createWorker(
  store: TaskStore,
  host: PushHost,
  sender: Sender,
  settings: PushSettings,
  sign?: DeliverySigner,
): PushWorker {
  const clock = createStoreClock(store, () => host.now());
  const holder = crypto.randomUUID();
  const context = { store, sender, settings, now: () => host.now(), sign };
  const busy = new Map<string, Work>();
  const waiting = new Set<() => void>();
  let looking = false;
  let again = false;
  let closed = false;
  /** A process that died a moment ago may have left claims; they end within the time of ours. */
  let orphans = store.hints?.durable === true;

  function wake(): void {
    if (closed) return;
    again = true;
    if (!looking) void look();
  }

  const alarms = createAlarms(() => clock.now(), wake);
  const settle = createSettling({
    ...{ store, host, settings, now: () => clock.now(), isClosed: () => closed },
    wakeIn: (ms) => {
      alarms.set(ms);
    },
  });

  async function look(): Promise<void> {
    looking = true;
    while (again && !closed && busy.size < settings.concurrency) {
      again = false;
      try {
        const comparing = clock.compare();
        if (comparing !== undefined) await comparing;
        if (orphans) alarms.set(settings.claimMs);
        orphans = false;
        // First the time: no claim ends after its alarm.
        const now = clock.now();
        const since = startStopwatch();
        const left = (): number => settings.claimMs - since();
        const free = settings.concurrency - busy.size;
        const claimed = await store.outbox.claim(holder, now, settings.claimMs, free);
        for (const delivery of claimed) take({ delivery, left });
      } catch (error) {
        host.log.error("push: the task store failed", error);
        alarms.set(STORE_RETRY);
      }
    }
    looking = false;
    if (busy.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  function take(claim: Claim): void {
    const { scope, taskId, configId, n } = claim.delivery;
    const key = keyOf(scope, taskId, configId);
    const work = busy.get(key);
    if (work === undefined) begin(key, claim);
    // Its claim ran out, and is ours again: it goes on.
    else if (work.claim.delivery.n === n) work.claim = claim;
    else work.next = claim;
  }

  function begin(key: string, claim: Claim): void {
    const controller = new AbortController();
    const work: Work = { claim, controller };
    busy.set(key, work);
    if (closed) controller.abort(new Withdrawn("server"));
    const { delivery } = claim;
    const send = (trace?: TraceContext) => attempt(context, claim, controller.signal, trace);
    const trace = host.trace?.(delivery.taskId);
    const observer = host.telemetry?.current;
    (observer === undefined ? send(trace) : observer.delivery(delivery, trace, send))
      .then((outcome) => settle(work.claim, key, outcome))
      .catch((error: unknown) => {
        // The claim runs out, then it is tried again.
        host.log.error(`push: a delivery of task ${delivery.taskId} could not be recorded`, error);
        alarms.set(Math.max(STORE_RETRY, work.claim.left()));
      })
      .finally(() => {
        busy.delete(key);
        if (work.next !== undefined) begin(key, work.next);
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
      busy.get(keyOf(scope, taskId, configId))?.controller.abort(new Withdrawn("registration"));
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      stopPolling?.();
      alarms.close();
      const stop = later(settings.closeMs, () => {
        for (const { controller } of busy.values()) controller.abort(new Withdrawn("server"));
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
