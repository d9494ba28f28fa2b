import type { TaskStore } from "../store/types.js";
import { later } from "../task/clock.js";
import type { Claim } from "./claim.js";

/** Milliseconds until a store that failed is asked again. */
export const STORE_RETRY = 1_000;

/**
 * Tells the store what became of a delivery, again and again while it fails: what it does not know is sent once more.
 * Rejects when the claim has run out, for then it is up to someone else, or when `hasty` and the store fails.
 */
export async function acknowledge(
  outbox: TaskStore["outbox"],
  claim: Claim,
  options: { readonly retryAt?: number },
  hasty: () => boolean,
): Promise<void> {
  for (;;) {
    if (claim.left() <= 0) throw new Error("its claim has run out");
    try {
      await outbox.ack(claim.delivery, options);
      return;
    } catch (error) {
      if (hasty() || claim.left() <= STORE_RETRY) throw error;
    }
    await new Promise<void>((resolve) => later(STORE_RETRY, resolve));
  }
}
