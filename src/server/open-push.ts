import { isPushDelivery, needsKeys, pushDelivery } from "../push/push-delivery.js";
import type { PushDelivery } from "../push/types.js";
import type { KeyOptions } from "../keys/types.js";
import type { PushOptions } from "../push/options.js";

/** What the options of a server say of webhooks. */
export interface PushChoice {
  readonly push?: PushDelivery | PushOptions | boolean;
  readonly keys?: KeyOptions;
}

/** The delivery that the options ask for. Throws `CONFIG` for options that cannot work. */
export function openPush({ push, keys }: PushChoice): PushDelivery | undefined {
  if (push === undefined || push === false) return undefined;
  const delivery = push === true ? pushDelivery() : isPushDelivery(push) ? push : pushDelivery(push);
  if (delivery.signs === true && keys === undefined) throw needsKeys();
  return delivery;
}
