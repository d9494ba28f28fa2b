import { parseAllowList } from "../net/allow-list.js";
import type { TargetGuard } from "../net/target-guard.js";
import { A2AError } from "../errors.js";
import { deliverySigner, type DeliverySigner } from "./delivery-jwt.js";
import { eventFilter } from "./event-filter.js";
import { pushSettings, type PushOptions, type PushSettings } from "./options.js";
import { lazySender } from "./lazy-sender.js";
import type { PushDelivery, PushHost } from "./types.js";
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
    signs: settings.sign !== false,
    wants: eventFilter(settings.events),
    start: (store, host) =>
      createWorker(
        store,
        host,
        lazySender(loadGuard, settings.timeoutMs),
        settings,
        signerFor(settings, host),
      ),
    async check(config) {
      const description = (await loadGuard()).problem(config.url) ?? (await settings.validate?.(config));
      return description === undefined ? undefined : { field: "url", description };
    },
  };
}

function signerFor({ sign }: PushSettings, { keys, url }: PushHost): DeliverySigner | undefined {
  if (sign === false) return undefined;
  if (keys === undefined) throw needsKeys();
  return deliverySigner(keys, sign === true ? {} : sign, () => url?.() ?? "");
}

/** The error for deliveries that are to be signed by a server without keys. */
export const needsKeys = (): A2AError =>
  new A2AError("CONFIG", "push.sign needs the option keys: there is no key to sign webhooks with");

/** Whether a value is a delivery, and not options for one. */
export const isPushDelivery = (push: PushDelivery | PushOptions): push is PushDelivery => "start" in push;
