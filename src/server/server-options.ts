import type { AuthOptions } from "../auth/types.js";
import type { EventBus } from "../bus/types.js";
import type { Interceptor } from "../call.js";
import { A2AError } from "../errors.js";
import type { HttpHandlerOptions, HttpLimits } from "../http/options.js";
import type { KeyOptions } from "../keys/types.js";
import type { PushOptions } from "../push/options.js";
import type { PushDelivery } from "../push/types.js";
import type { TaskStore } from "../store/types.js";
import type { SubscriberLimits } from "../task/subscriber-limits.js";
import type { IdempotencyOptions } from "./idempotency.js";
import type { TelemetryOption } from "../telemetry/open-telemetry.js";
import type { ServerExtension } from "./extension-types.js";
import type { Logger } from "./agent-types.js";
import type { OwnerOf } from "./scope.js";
import type { ExtendedCard, SkillOf } from "./service-context.js";

/** What a server refuses because it is too much. */
export interface ServerLimits extends HttpLimits {
  /** Parts of a message. Default 1,000. */
  readonly parts?: number;
  /** Characters of the ids that a caller chooses: `messageId`, `contextId`. Default 256. */
  readonly idLength?: number;
  /** Further messages that one task takes. Default 10,000. */
  readonly messagesPerTask?: number;
  /** Messages of a history that a reply shows, whatever is asked for. Default: no limit. */
  readonly historyLength?: number;
  /** Handlers that run at once for one owner in one tenant; 429 with `Retry-After` beyond. Default: no limit. */
  readonly runningTasks?: number;
  /** Milliseconds that one call of the handler may take; then its task has failed. Default: no limit. */
  readonly handlerMs?: number;
  /** Characters of events that may wait for one subscriber. Default 1 MiB. */
  readonly subscriberSize?: SubscriberLimits["size"];
  /** Events that may wait for one subscriber. Default 4,096. */
  readonly subscriberEvents?: SubscriberLimits["events"];
  /** Milliseconds beyond a limit, without taking anything, after which a subscriber is cut. Default 5,000. */
  readonly subscriberStallMs?: SubscriberLimits["stallMs"];
}

/** Options of `createServer`. */
export interface ServerOptions {
  /** Public base URL, without a trailing slash: the interfaces of the card. Default `http://localhost` + `basePath`. */
  readonly url?: string;
  /** Where JSON-RPC is; HTTP+JSON lies below it. Default `/`. */
  readonly basePath?: string;
  /** `host:port` as clients reach it, where a server of `@grpc/grpc-js` has the services of this one: for the card. Default: none. */
  readonly grpcUrl?: string;
  /**
   * Where tasks are kept: a store, or `memory`, `files:folder`, `sqlite:tasks.db`, `postgres://…`. Default: a memory store
   * with its defaults.
   */
  readonly store?: TaskStore | string;
  /** Protocol versions that are served, in any order. Default: all, `["1.0", "0.3", "0.2"]`. */
  readonly versions?: readonly string[];
  /**
   * Who may call: authenticators of `a2a-typed/auth` by the names of the card's schemes, checked by the card's requirements;
   * or a function. Either sees every request but the card's, before its body is read; a function throws to refuse.
   */
  readonly auth?: AuthOptions | HttpHandlerOptions["authenticate"];
  /** The skill that a message asks for, whose own requirements and input modes are checked before the message is taken. Default: none. */
  readonly skillOf?: SkillOf;
  /** Owner of the tasks that a principal creates. Default: the principal's `sub`, `id` or `name`, or itself if a text. */
  readonly ownerOf?: OwnerOf;
  readonly limits?: ServerLimits;
  /** Asked about every call before it is decoded, and about refused callers. `tokenBucket` makes one. */
  readonly rateLimit?: HttpHandlerOptions["rateLimit"];
  /** Told of every call and how it came out, and of every refused caller: method, principal, peer, outcome. */
  readonly audit?: HttpHandlerOptions["audit"];
  /** Lets pages of other origins call. Default: no CORS headers. */
  readonly cors?: HttpHandlerOptions["cors"] | false;
  /** Paths for liveness and readiness; `true`: `/healthz` and `/readyz`. Default: none. */
  readonly health?: HttpHandlerOptions["health"] | false;
  /** Sends `Strict-Transport-Security`. Default: true where `url` is https. */
  readonly hsts?: HttpHandlerOptions["hsts"] | false;
  /** Default `console`. */
  readonly logger?: Logger;
  /** Wraps every call; the first is the outermost. */
  readonly middleware?: readonly Interceptor[];
  /** The card for authenticated callers; the card's capability is set by it unless it says otherwise. */
  readonly extendedCard?: ExtendedCard;
  /** Allows an extended card without security schemes, for tests. Default false. */
  readonly allowPublicExtendedCard?: boolean;
  /** Delivers webhooks: `true`, options of `pushDelivery`, or a delivery. Sets the card's capability where that says nothing. */
  readonly push?: PushDelivery | PushOptions | boolean;
  /** Private keys: they sign the card, and webhooks where that is asked for; their public halves are served as a JWKS. */
  readonly keys?: KeyOptions;
  /** Answers a message that comes again with what it led to the first time. Default false: it is processed again. */
  readonly idempotency?: boolean | IdempotencyOptions;
  /** Refuses parts whose explicit media type matches none of the card's input modes. Default true. */
  readonly checkInputModes?: boolean;
  /** Keeps media type and file name of text and data parts for 0.x, in their metadata. Default false: 0.x has no place for them. */
  readonly stashMediaTypes?: boolean;
  /** Streams of SendStreamingMessage end at AUTH_REQUIRED, as they do at INPUT_REQUIRED. Default false. */
  readonly closeAtAuthRequired?: boolean;
  /** Longest silence of a stream in milliseconds before a comment is sent; 0 for none. Default 15,000. */
  readonly keepAliveMs?: number;
  /** Seconds for which clients may keep the card. Default 3,600. */
  readonly cardMaxAge?: number;
  /** Serves a call without version header by whatever version has its method or route. Default false. */
  readonly inferVersionFromMethod?: boolean;
  /** `1.0.0` restores what 1.0.1 changed of errors: HTTP statuses, and the media type of HTTP+JSON. */
  readonly errorTable?: "1.0.0";
  /** Extensions that are offered; listed in the card, active for requests that name them. */
  readonly extensions?: readonly ServerExtension[];
  /** Spans and metrics. Default: through `@opentelemetry/api` where that is installed and an SDK registered with it. */
  readonly telemetry?: TelemetryOption;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
  /** Milliseconds between looks at stalled subscribers and expired tasks. Default 1,000; 0: never by itself. */
  readonly sweepMs?: number;
  /**
   * Milliseconds within which another instance takes over a task whose process is gone, in a store that outlives it. Leases
   * last three quarters of it, and are renewed every quarter. Default 15,000.
   */
  readonly leaseMs?: number;
  /**
   * How instances that share the store tell each other what happens: `redis://…`, `postgres://…`, or a bus. Default: none; they
   * look into the store.
   */
  readonly bus?: EventBus | string;
  /** Milliseconds between looks into a shared store while no bus tells what happens there. Default 250. */
  readonly pollMs?: number;
}

const KNOWN: Readonly<Record<keyof ServerOptions, true>> = {
  url: true,
  basePath: true,
  grpcUrl: true,
  store: true,
  versions: true,
  auth: true,
  skillOf: true,
  ownerOf: true,
  limits: true,
  rateLimit: true,
  audit: true,
  cors: true,
  health: true,
  hsts: true,
  logger: true,
  middleware: true,
  extendedCard: true,
  allowPublicExtendedCard: true,
  push: true,
  keys: true,
  idempotency: true,
  checkInputModes: true,
  stashMediaTypes: true,
  closeAtAuthRequired: true,
  keepAliveMs: true,
  cardMaxAge: true,
  inferVersionFromMethod: true,
  errorTable: true,
  extensions: true,
  telemetry: true,
  now: true,
  sweepMs: true,
  leaseMs: true,
  bus: true,
  pollMs: true,
};

const LIMITS: Readonly<Record<keyof ServerLimits, true>> = {
  bodyBytes: true,
  urlLength: true,
  queryLength: true,
  queryParameters: true,
  headerCount: true,
  concurrentRequests: true,
  parts: true,
  idLength: true,
  messagesPerTask: true,
  historyLength: true,
  runningTasks: true,
  handlerMs: true,
  subscriberSize: true,
  subscriberEvents: true,
  subscriberStallMs: true,
};

/** Throws `CONFIG` for an option or limit that does not exist: a misspelt one would be ignored in silence. */
export function checkOptions(options: ServerOptions, further: readonly string[] = []): void {
  for (const [name, value] of Object.entries(options.limits ?? {})) {
    if (!Object.hasOwn(LIMITS, name)) {
      const known = Object.keys(LIMITS).sort().join(", ");
      throw new A2AError("CONFIG", `limits: there is no limit ${name}; there are ${known}`);
    }
    if (value !== undefined && !(Number(value) >= 0)) {
      throw new A2AError("CONFIG", `limits: ${name} must be a number of at least 0`);
    }
  }
  if (options.leaseMs !== undefined && !(options.leaseMs >= 1)) {
    throw new A2AError("CONFIG", "leaseMs must be a number of at least 1");
  }
  if (options.pollMs !== undefined && !(options.pollMs >= 1)) {
    throw new A2AError("CONFIG", "pollMs must be a number of at least 1");
  }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(KNOWN, name) || further.includes(name)) continue;
    const known = [...Object.keys(KNOWN), ...further].sort().join(", ");
    throw new A2AError("CONFIG", `There is no server option ${name}; there are ${known}`);
  }
}
