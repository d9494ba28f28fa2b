import { A2AError } from "../errors.js";
import type { Lookup } from "../net/target-guard.js";
import type { MaybePromise, Scope } from "../store/types.js";
import type { TaskPushNotificationConfig } from "../versions/pivot.js";
import type { SignOptions } from "./delivery-jwt.js";
import type { EventFilter } from "./event-filter.js";

/** An event that was given up. */
export interface DeadLetter {
  readonly scope: Scope;
  readonly taskId: string;
  readonly configId: string;
  /** Revision of the task that the event led to. */
  readonly n: number;
  /** The event as JSON of the newest version; 0.x registrations have `{"task":…}`. */
  readonly text: string;
  /** Times that it was sent. */
  readonly attempts: number;
  readonly reason: string;
  /** Status of the last answer, where there was one. */
  readonly status?: number;
}

/** How webhooks are delivered. */
export interface PushOptions {
  /** Targets that the guard lets through anyway: host names, IP addresses, CIDR ranges, origins. */
  readonly allow?: readonly string[];
  /** Ports that may be called. Default 80, 443 and those from 1024 on; an allowed origin has its own. */
  readonly ports?: readonly number[];
  /** Refuses http URLs but for allowed origins. Default false. */
  readonly requireHttps?: boolean;
  /** Milliseconds for one request, from the name to the answer. Default 15,000. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds that an event is kept from other instances while it is sent; when an instance dies, others go on after that.
   * More than `timeoutMs`. Default 30,000 more.
   */
  readonly claimMs?: number;
  /** Requests at a time; never two of one registration. Default 16. */
  readonly concurrency?: number;
  /** Times that an event is sent before it is given up. Default 10. */
  readonly attempts?: number;
  /** Milliseconds before the second time; each further wait is twice as long, all of them shortened at random. Default 1,000. */
  readonly backoffMs?: number;
  /** Longest wait, in milliseconds. Default 300,000. */
  readonly maxBackoffMs?: number;
  /** Longest wait that a `Retry-After` header can ask for, in milliseconds. Default 3,600,000. */
  readonly maxRetryAfterMs?: number;
  /** Events given up in a row after which a registration is disabled. Default 10. */
  readonly disableAfter?: number;
  /** Header of the `token`. Default `X-A2A-Notification-Token`. */
  readonly tokenHeader?: string;
  /** Signs every delivery as a JWT, with the first of the server's `keys`, which it then needs. Default false. */
  readonly sign?: boolean | SignOptions;
  /** Which events are sent. Default `all`. */
  readonly events?: EventFilter;
  /** Looks at a registration that passed the guard, by lists or a challenge of your own; a text says why it is refused. */
  readonly validate?: (config: TaskPushNotificationConfig) => MaybePromise<string | undefined>;
  /** Called with every event that is given up. */
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  /** Resolves host names. Default: the resolver of the system. */
  readonly lookup?: Lookup;
  /** Milliseconds between looks for what other processes left in the store; 0 for none. Default 30,000. */
  readonly pollMs?: number;
  /** Milliseconds that requests under way may take to end at shutdown. Default 5,000. */
  readonly closeMs?: number;
}

/** Options with their defaults. */
export type PushSettings = Required<Omit<PushOptions, Bare>> & Pick<PushOptions, Bare>;
/** Options without a default. */
type Bare = "ports" | "onDeadLetter" | "lookup" | "validate";

const DEFAULTS: Omit<PushSettings, "claimMs"> = {
  allow: [],
  requireHttps: false,
  timeoutMs: 15_000,
  concurrency: 16,
  attempts: 10,
  backoffMs: 1_000,
  maxBackoffMs: 5 * 60_000,
  maxRetryAfterMs: 60 * 60_000,
  disableAfter: 10,
  tokenHeader: "X-A2A-Notification-Token",
  pollMs: 30_000,
  closeMs: 5_000,
  sign: false,
  events: "all",
};
/** Milliseconds that a claim is longer than the longest request, if nothing else is said. */
const CLAIM_MARGIN = 30_000;
const FURTHER: readonly string[] = ["claimMs", "ports", "onDeadLetter", "lookup", "validate"] satisfies (
  "claimMs" | Bare
)[];
/** Numbers of which there must be at least one. */
const COUNTS = ["timeoutMs", "concurrency", "attempts", "disableAfter"] as const;

/** Fills in the defaults. Throws `CONFIG` for an option that does not exist or cannot work. */
export function pushSettings(options: PushOptions): PushSettings {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(DEFAULTS, name) || FURTHER.includes(name)) continue;
    const known = [...Object.keys(DEFAULTS), ...FURTHER].toSorted().join(", ");
    throw new A2AError("CONFIG", `There is no push option ${name}; there are ${known}`);
  }
  const { timeoutMs = DEFAULTS.timeoutMs, claimMs = timeoutMs + CLAIM_MARGIN } = options;
  const settings = { ...DEFAULTS, ...options, claimMs };
  for (const name of COUNTS) {
    if (settings[name] >= 1) continue;
    throw new A2AError("CONFIG", `push.${name} must be at least 1; this is ${String(settings[name])}`);
  }
  if (!(claimMs > timeoutMs)) {
    throw new A2AError(
      "CONFIG",
      `push.claimMs must be more than push.timeoutMs (${String(timeoutMs)}); this is ${String(claimMs)}`,
    );
  }
  if (!/^[\w-]+$/.test(settings.tokenHeader)) {
    throw new A2AError(
      "CONFIG",
      `push.tokenHeader is no header name: ${JSON.stringify(settings.tokenHeader)}`,
    );
  }
  if (typeof settings.events !== "function" && !["all", "significant"].includes(settings.events)) {
    throw new A2AError("CONFIG", 'push.events must be "all", "significant" or a function');
  }
  return settings;
}
