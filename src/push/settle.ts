import type { Delivery, StoredConfig, TaskStore } from "../store/types.js";
import type { AttemptOutcome, Failure } from "./attempt.js";
import { createFailureCounts } from "./failure-counts.js";
import type { DeadLetter, PushSettings } from "./options.js";
import { retryDelay } from "./retry-delay.js";
import type { PushHost } from "./types.js";

/** What is needed to record outcomes. */
export interface SettlingContext {
  readonly store: TaskStore;
  readonly host: PushHost;
  readonly settings: PushSettings;
  /** Looks for due deliveries after so many milliseconds. */
  readonly wakeIn: (ms: number) => void;
}

/** Records what came of a try; `key` names the registration. */
export type Settle = (delivery: Delivery, key: string, outcome: AttemptOutcome) => Promise<void>;

/** Acknowledges, puts off, gives up, and disables registrations that take nothing. */
export function createSettling({ store, host, settings, wakeIn }: SettlingContext): Settle {
  const failures = createFailureCounts();

  async function giveUp(
    delivery: Delivery,
    key: string,
    config: StoredConfig,
    { reason, status }: Failure,
  ): Promise<void> {
    const { scope, taskId, configId, n, text } = delivery;
    const attempts = delivery.attempts + 1;
    host.telemetry?.current?.deadLetter();
    const letter: DeadLetter = {
      scope,
      taskId,
      configId,
      n,
      text,
      attempts,
      reason,
      ...(status && { status }),
    };
    host.log.warn(`push: event ${String(n)} of task ${taskId} was given up for ${configId}: ${reason}`, {
      taskId,
      configId,
      n,
      attempts,
    });
    try {
      settings.onDeadLetter?.(letter);
    } catch (error) {
      host.log.error("push: onDeadLetter failed", error);
    }
    if (failures.add(key, config) >= settings.disableAfter) await disable(delivery, key, config);
    await store.outbox.ack(delivery);
  }

  async function disable(delivery: Delivery, key: string, config: StoredConfig): Promise<void> {
    const { scope, taskId, configId } = delivery;
    failures.reset(key);
    // One that was replaced meanwhile has done nothing wrong yet.
    const current = await store.configs.get(scope, taskId, configId);
    if (current?.text !== config.text) return;
    await store.configs.put(scope, taskId, { ...config, disabled: true });
    host.disabled(scope, taskId, configId);
    host.log.error(
      `push: registration ${configId} of task ${taskId} is disabled: ${String(settings.disableAfter)} events in a row were given up`,
    );
  }

  return async (delivery, key, outcome) => {
    switch (outcome.result) {
      case "delivered":
        failures.reset(key);
        return store.outbox.ack(delivery);
      case "dropped":
        return store.outbox.ack(delivery);
      case "released":
        return store.outbox.ack(delivery, { retryAt: host.now() });
      case "refused":
        return giveUp(delivery, key, outcome.config, outcome.failure);
      case "failed": {
        const failed = delivery.attempts + 1;
        if (failed >= settings.attempts) return giveUp(delivery, key, outcome.config, outcome.failure);
        const delay = retryDelay(failed, outcome.failure.wait, settings);
        host.log.debug(`push: event ${String(delivery.n)} of task ${delivery.taskId} is sent again`, {
          configId: delivery.configId,
          reason: outcome.failure.reason,
          delay,
        });
        await store.outbox.ack(delivery, { retryAt: host.now() + delay });
        wakeIn(delay);
      }
    }
  };
}
