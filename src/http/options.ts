import type { Authenticated, ErrorLog } from "../binding/server-types.js";
import type { CardSource, PublishedCard } from "../card/card-source.js";
import type { CallTarget, LazyTarget } from "../server/router-types.js";
import type { Audit } from "./audit.js";
import type { CorsOptions } from "./cors.js";
import type { HealthOptions } from "./health.js";
import type { HstsOptions } from "./hsts.js";
import type { JwksSource } from "./jwks-endpoint.js";
import type { RateLimit } from "./rate-limit.js";
import type { ServerState } from "./server-state.js";
import type { TelemetrySource } from "../telemetry/types.js";
import type { HttpRequest } from "./types.js";

/** What is refused because of its size. */
export interface HttpLimits {
  /** Bytes of a request body; 413 beyond. Default 10 MiB. */
  readonly bodyBytes?: number;
  /** Characters of a request target; 414 beyond. Default 16,384. */
  readonly urlLength?: number;
  /** Characters of a query string; 414 beyond. Default 8,192. */
  readonly queryLength?: number;
  /** Parameters of a query string; 400 beyond. Default 100. */
  readonly queryParameters?: number;
  /** Header fields; 431 beyond. Default 100. */
  readonly headerCount?: number;
  /** Requests that are served at once, open streams among them; 503 with `Retry-After` beyond. Default: no limit. */
  readonly concurrentRequests?: number;
}

/** How routers are served over HTTP. */
export interface HttpHandlerOptions {
  /** One router per protocol version, in any order; or what gives it when it is first called. */
  readonly routers: readonly (CallTarget | LazyTarget)[];
  /** Served at the well-known paths, and checked for capabilities and required extensions. */
  readonly card?: CardSource;
  /** The card as it is published, where that depends on the version that is asked for. Default: `card` for all. */
  readonly publishedCard?: PublishedCard;
  /** Public keys, served beside the card. Default none. */
  readonly jwks?: JwksSource;
  /** Seconds for which clients may keep the card and the JWKS. Default 3600. */
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
  /** Asked about every call, and about refused callers, before anything is decoded; the first that refuses is told. */
  readonly rateLimit?: RateLimit | readonly RateLimit[];
  /** Told of every call and how it came out, and of every refused caller. */
  readonly audit?: Audit;
  /** Lets pages of other origins call. Default: no CORS headers. */
  readonly cors?: CorsOptions | true;
  /** Paths for liveness and readiness. Default: none. */
  readonly health?: HealthOptions | true;
  /** What readiness asks besides: rejects where the server cannot work. */
  readonly healthCheck?: () => unknown;
  /** Sends `Strict-Transport-Security`. Default: no. */
  readonly hsts?: HstsOptions | true;
  /** Who watches calls, if anybody. */
  readonly telemetry?: TelemetrySource;
  /** Shared with whoever shuts the server down. */
  readonly state?: ServerState;
  /** Longest silence of a stream in milliseconds before a comment is sent; 0 for none. Default 15,000. */
  readonly keepAliveMs?: number;
}
