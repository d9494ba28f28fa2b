import type { Delivery } from "../store/types.js";
import type { PushSettings } from "./options.js";

/** A delivery that nobody else may send for a while. */
export interface Claim {
  readonly delivery: Delivery;
  /** Milliseconds until others may take it; counted from before the store was asked, so that it is never too much. */
  left(): number;
}

/**
 * Whether a request that begins now ends well before its claim: half of what a claim is longer than a request may be gone,
 * the other half is for a late timer and for the store.
 */
export const allowsRequest = (claim: Claim, { timeoutMs, claimMs }: PushSettings): boolean =>
  claim.left() >= (timeoutMs + claimMs) / 2;
