import type { Granted } from "../granted.js";
import type { MaybePromise } from "../store/types.js";
import type { SecurityRequirement, SecurityScheme } from "../versions/pivot.js";

export type { Granted } from "../granted.js";

/** What an authenticator may look at: everything of a request but its body, which is not read before. */
export interface AuthRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  /** Lower-cased names; repeated fields joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly peer?: {
    readonly address?: string;
    readonly certificate?: unknown;
    /** False: the TLS layer let a certificate pass that it could not verify. */
    readonly verified?: boolean;
  };
  /** What the host framework hands over. */
  readonly context?: unknown;
}

/** Who showed credentials of one scheme, and what they may do. */
export interface Identity {
  /** Reaches handlers as `ctx.principal`; the owner of tasks is derived from it (`ownerOf`). */
  readonly principal: unknown;
  /** Owner of the tasks where the principal alone does not tell; the option `ownerOf` wins. */
  readonly owner?: string;
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
  /** The challenge of a 401 (RFC 9110): `Bearer realm="agent"`. Default: made from the scheme. */
  readonly challenge?: string;
}

/** Schemes by the name that the card gives them, and what a caller needs of them. */
export interface AuthOptions {
  readonly schemes: Readonly<Record<string, Authenticator>>;
  /** Any of these; of each, all schemes with all scopes. `[]`: anonymous callers are welcome. Default: any scheme alone. */
  readonly requirements?: readonly SecurityRequirement[];
}

/** What a request has shown: who calls, or nobody. */
export interface Shown {
  readonly principal: unknown;
  readonly owner?: string;
  readonly granted: Granted;
  readonly tenants?: readonly string[];
}
