import { isPushDelivery, pushDelivery } from "../push/push-delivery.js";
import type { PushOptions } from "../push/options.js";
import type { PushDelivery } from "../push/types.js";

/** The delivery that an option asks for. Throws `CONFIG` for options that cannot work. */
export function openPush(push: PushDelivery | PushOptions | boolean | undefined): PushDelivery | undefined {
  if (push === undefined || push === false) return undefined;
  if (push === true) return pushDelivery();
  return isPushDelivery(push) ? push : pushDelivery(push);
}
