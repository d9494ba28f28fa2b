import type { StoredConfig, TaskStore } from "../store/types.js";
import { acknowledge } from "./acknowledge.js";
import type { AttemptOutcome, Failure } from "./attempt.js";
import type { Claim } from "./claim.js";
import { createFailureCounts } from "./failure-counts.js";
import type { DeadLetter, PushSettings } from "./options.js";
import { retryDelay } from "./retry-delay.js";
import type { PushHost } from "./types.js";

/** What is needed to record outcomes. */
export interface SettlingContext {
  readonly store: TaskStore;
  readonly host: PushHost;
  readonly settings: PushSettings;
  /** Milliseconds since the epoch by the clock of the store. */
  readonly now: () => number;
  /** Looks for due deliveries after so many milliseconds. */
  readonly wakeIn: (ms: number) => void;
  /** Whether delivery ends: a store that fails is not waited for. */
  readonly isClosed: () => boolean;
}

/** Records what came of a try; `key` names the registration. Rejects where the store does not know of it. */
export type Settle = (claim: Claim, key: string, outcome: AttemptOutcome) => Promise<void>;

/** Acknowledges, puts off, gives up, and disables registrations that take nothing. */
export function createSettling(context: SettlingContext): Settle {
  const { store, host, settings, now, wakeIn, isClosed } = context;
  const failures = createFailureCounts();
  const ack = (claim: Claim, options: { readonly retryAt?: number } = {}): Promise<void> =>
    acknowledge(store.outbox, claim, options, isClosed);

  async function giveUp(
    claim: Claim,
    key: string,
    config: StoredConfig,
    { reason, status }: Failure,
  ): Promise<void> {
    const { delivery } = claim;
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
    if (failures.add(key, config) >= settings.disableAfter) await disable(claim, key, config);
    await ack(claim);
  }

  async function disable({ delivery }: Claim, key: string, config: StoredConfig): Promise<void> {
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

  return async (claim, key, outcome) => {
    const { delivery } = claim;
    switch (outcome.result) {
      case "late":
        throw new Error("the store took too long");
      case "delivered":
        failures.reset(key);
        return ack(claim);
      case "dropped":
        return ack(claim);
      case "released":
        return ack(claim, { retryAt: now() });
      case "refused":
        return giveUp(claim, key, outcome.config, outcome.failure);
      case "failed": {
        const failed = delivery.attempts + 1;
        if (failed >= settings.attempts) return giveUp(claim, key, outcome.config, outcome.failure);
        const delay = retryDelay(failed, outcome.failure.wait, settings);
        host.log.debug(`push: event ${String(delivery.n)} of task ${delivery.taskId} is sent again`, {
          configId: delivery.configId,
          reason: outcome.failure.reason,
          delay,
        });
        await ack(claim, { retryAt: now() + delay });
        wakeIn(delay);
      }
    }
  };
}
