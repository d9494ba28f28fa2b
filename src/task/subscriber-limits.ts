/** How far a subscriber may fall behind. */
export interface SubscriberLimits {
  /** Characters of events that wait for it. Default 1 MiB. */
  readonly size: number;
  /** Events that wait for it. Default 4,096. */
  readonly events: number;
  /** Milliseconds without taking anything, beyond a limit, after which it is cut. Default 5,000. */
  readonly stallMs: number;
}

/** Limits unless told otherwise. */
export const subscriberLimits: SubscriberLimits = { size: 1024 * 1024, events: 4096, stallMs: 5_000 };
