import { parseAllowList } from "../net/allow-list.js";
import type { TargetGuard } from "../net/target-guard.js";
import { pushSettings, type PushOptions } from "./options.js";
import { lazySender } from "./lazy-sender.js";
import type { PushDelivery } from "./types.js";
import { createWorker } from "./worker.js";

/**
 * Delivers webhooks from the outbox of the store. Addresses inside the network are refused unless `allow` names them.
 * Throws `CONFIG` for options that cannot work.
 */
export function pushDelivery(options: PushOptions = {}): PushDelivery {
  const settings = pushSettings(options);
  const allow = parseAllowList(settings.allow);
  // What reads addresses and what sends is loaded when there is something to check or to send.
  let guard: Promise<TargetGuard> | undefined;
  const loadGuard = (): Promise<TargetGuard> =>
    (guard ??= import("../net/target-guard.js").then(({ createTargetGuard }) =>
      createTargetGuard({ ...settings, allow }),
    ));
  return {
    start: (store, host) => createWorker(store, host, lazySender(loadGuard, settings.timeoutMs), settings),
    async check({ url }) {
      const description = (await loadGuard()).problem(url);
      return description === undefined ? undefined : { field: "url", description };
    },
  };
}

/** Whether a value is a delivery, and not options for one. */
export const isPushDelivery = (push: PushDelivery | PushOptions): push is PushDelivery => "start" in push;
