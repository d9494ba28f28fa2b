import type { HttpRequest } from "../http/types.js";
import type { SecurityRequirement, SecurityScheme } from "../versions/pivot.js";
import type { MaybePromise } from "../store/types.js";

/** What an authenticator may look at: everything but the body, which is not read before. */
export type AuthRequest = Omit<HttpRequest, "body">;

/** Who showed credentials of one scheme, and what they may do. */
export interface Identity {
  /** Reaches handlers as `ctx.principal`; the owner of tasks is derived from it (`ownerOf`). */
  readonly principal: unknown;
  /** Scopes that were granted. Default none. */
  readonly scopes?: readonly string[];
  /** Tenants that the caller may name; absent: any. */
  readonly tenants?: readonly string[];
}

/** One way to show who calls: a security scheme of the card, and its check. */
export interface Authenticator {
  /** As the card declares it. */
  readonly scheme: SecurityScheme;
  /** Undefined where the request shows nothing of this scheme; throws `UNAUTHENTICATED` where what it shows is wrong. */
  authenticate(request: AuthRequest): MaybePromise<Identity | undefined>;
  /** The challenge of a 401 (RFC 9110), where the scheme has one: `Bearer realm="agent"`. */
  readonly challenge?: string;
}

/** Who calls, by the names of the card's schemes. */
export interface Granted {
  readonly principal: unknown;
  readonly schemes: ReadonlyMap<string, readonly string[]>;
}

/** Schemes by the name that the card gives them, and what a caller needs of them. */
export interface AuthOptions {
  readonly schemes: Readonly<Record<string, Authenticator>>;
  /** Any of these; of each, all schemes with all scopes. `[]`: anonymous callers are welcome. Default: any scheme alone. */
  readonly requirements?: readonly SecurityRequirement[];
}
