import type { Logger } from "../logger.js";
import type { MaybePromise, Scope, TaskStore } from "../store/types.js";
import type { TaskPushNotificationConfig } from "../versions/pivot.js";

/** What delivery has of the server around it. */
export interface PushHost {
  /** Milliseconds since the epoch. */
  now(): number;
  readonly log: Logger;
  /** A registration was disabled: its events need not be written any more. */
  disabled(scope: Scope, taskId: string, configId: string): void;
}

/** Delivery at work. Disposal stops it; what was not delivered stays in the store. */
export interface StartedPush extends AsyncDisposable {
  /** Told when deliveries were written. */
  wake?(): void;
  /** Told when a registration was deleted: nothing more may be sent to it. */
  dropped?(scope: Scope, taskId: string, configId: string): void;
}

/** Why a registration is refused; `field` is the member at fault: `authentication.credentials`. */
export interface ConfigProblem {
  readonly field: string;
  readonly description: string;
}

/** Delivers webhooks. A card with `pushNotifications` needs one. */
export interface PushDelivery {
  /** Takes over what the store's outbox holds; called once, when the server starts. */
  start(store: TaskStore, host: PushHost): StartedPush;
  /** What is wrong with a registration, judged by its text alone: no name is resolved. */
  check?(config: TaskPushNotificationConfig): MaybePromise<ConfigProblem | undefined>;
}
