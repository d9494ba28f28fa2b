import type { Authenticated, ErrorLog } from "../binding/server-types.js";
import type { CardSource, PublishedCard } from "../card/card-source.js";
import type { CallTarget, LazyTarget } from "../server/router-types.js";
import type { HttpRequest } from "./types.js";

/** What is refused because of its size. */
export interface HttpLimits {
  /** Bytes of a request body. Default 10 MiB. */
  readonly bodyBytes?: number;
  /** Characters of a request target. Default 16,384. */
  readonly urlLength?: number;
}

/** How routers are served over HTTP. */
export interface HttpHandlerOptions {
  /** One router per protocol version, in any order; or what gives it when it is first called. */
  readonly routers: readonly (CallTarget | LazyTarget)[];
  /** Served at the well-known paths, and checked for capabilities and required extensions. */
  readonly card?: CardSource;
  /** The card as it is published, where that depends on the version that is asked for. Default: `card` for all. */
  readonly publishedCard?: PublishedCard;
  /** Seconds for which clients may keep the card. Default 3600. */
  readonly cardMaxAge?: number;
  /** Where JSON-RPC is; HTTP+JSON lies below it. Default `/`. */
  readonly basePath?: string;
  readonly limits?: HttpLimits;
  /**
   * Called with the headers of every request but the card's, before the body is read. Throws `UNAUTHENTICATED` or
   * `PERMISSION_DENIED` to refuse.
   */
  readonly authenticate?: (
    request: HttpRequest,
  ) => Authenticated | undefined | Promise<Authenticated | undefined>;
  /** Where failures are logged that callers must not see. Default `console`. */
  readonly logger?: ErrorLog;
  /** Serves a call without a version by whatever version has its method or route. Default false. */
  readonly inferVersionFromMethod?: boolean;
  /** `1.0.0` restores the HTTP statuses that 1.0.1 changed (409, 415, 502). */
  readonly errorTable?: "1.0.0";
  /** Longest silence of a stream in milliseconds before a comment is sent; 0 for none. Default 15,000. */
  readonly keepAliveMs?: number;
}
