import type { Interceptor } from "../call.js";
import { A2AError } from "../errors.js";
import type { HttpHandlerOptions, HttpLimits } from "../http/options.js";
import type { KeyOptions } from "../keys/types.js";
import type { PushOptions } from "../push/options.js";
import type { PushDelivery } from "../push/types.js";
import type { TaskStore } from "../store/types.js";
import type { SubscriberLimits } from "../task/subscription.js";
import type { Logger } from "./agent-types.js";
import type { OwnerOf } from "./scope.js";
import type { ExtendedCard } from "./service-context.js";

/** What a server refuses because of its size. */
export interface ServerLimits extends HttpLimits {
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
  /** Where tasks are kept: a store, or `memory`. Default: a memory store with its defaults. */
  readonly store?: TaskStore | string;
  /** Protocol versions that are served, in any order. Default: all, `["1.0", "0.3", "0.2"]`. */
  readonly versions?: readonly string[];
  /** Called with the headers of every request but the card's, before the body is read; throws to refuse. */
  readonly auth?: HttpHandlerOptions["authenticate"];
  /** Owner of the tasks that a principal creates. Default: the principal's `id`, `sub` or `name`, or itself if a text. */
  readonly ownerOf?: OwnerOf;
  readonly limits?: ServerLimits;
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
  /** `1.0.0` restores the HTTP statuses that 1.0.1 changed. */
  readonly errorTable?: "1.0.0";
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
  /** Milliseconds between looks at stalled subscribers and expired tasks. Default 1,000; 0: never by itself. */
  readonly sweepMs?: number;
}

const KNOWN: Readonly<Record<keyof ServerOptions, true>> = {
  url: true,
  basePath: true,
  store: true,
  versions: true,
  auth: true,
  ownerOf: true,
  limits: true,
  logger: true,
  middleware: true,
  extendedCard: true,
  allowPublicExtendedCard: true,
  push: true,
  keys: true,
  checkInputModes: true,
  stashMediaTypes: true,
  closeAtAuthRequired: true,
  keepAliveMs: true,
  cardMaxAge: true,
  inferVersionFromMethod: true,
  errorTable: true,
  now: true,
  sweepMs: true,
};

/** Throws `CONFIG` for an option that does not exist: a misspelt one would be ignored in silence. */
export function checkOptions(options: object, further: readonly string[] = []): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(KNOWN, name) || further.includes(name)) continue;
    const known = [...Object.keys(KNOWN), ...further].sort().join(", ");
    throw new A2AError("CONFIG", `There is no server option ${name}; there are ${known}`);
  }
}
