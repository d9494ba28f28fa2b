import type { Keys } from "../keys/types.js";
import type { Logger } from "../logger.js";
import type { MaybePromise, Scope, TaskStore } from "../store/types.js";
import type { TraceContext } from "../telemetry/trace-context.js";
import type { TelemetrySource } from "../telemetry/types.js";
import type { Wanted } from "../task/task-host.js";
import type { TaskPushNotificationConfig } from "../versions/pivot.js";

/** What delivery has of the server around it. */
export interface PushHost {
  /** Milliseconds since the epoch. */
  now(): number;
  readonly log: Logger;
  /** A registration was disabled: its events need not be written any more. */
  disabled(scope: Scope, taskId: string, configId: string): void;
  /** Keys of the server, where it has some. */
  readonly keys?: Pick<Keys, "signJwt"> | undefined;
  /** Public URL of the server. */
  readonly url?: () => string;
  /** The trace that a task was last worked on in. */
  trace?(taskId: string): TraceContext | undefined;
  /** Who watches deliveries, if anybody. */
  readonly telemetry?: TelemetrySource | undefined;
}

/** Delivery at work. Disposal stops it; what was not delivered stays in the store. */
export interface StartedPush extends AsyncDisposable {
  /** Told when deliveries were written. */
  wake?(): void;
  /** Resolves when nothing is under way and nothing is due. */
  idle?(): Promise<void>;
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
  /** It signs: the server needs `keys`. */
  readonly signs?: boolean;
  /** Which events are written for delivery, asked before they are; absent: all. */
  readonly wants?: Wanted | undefined;
  /** Takes over what the store's outbox holds; called once, when the server starts. */
  start(store: TaskStore, host: PushHost): StartedPush;
  /** What is wrong with a registration, judged by its text alone: no name is resolved. */
  check?(config: TaskPushNotificationConfig): MaybePromise<ConfigProblem | undefined>;
}
