import type { Headers } from "../call.js";
import type { Granted } from "../granted.js";

/** What a binding needs of a request besides its JSON. */
export interface Incoming {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Fires when the caller goes away; read late, because making it is not free. */
  readonly signal: AbortSignal;
  /** What the host framework handed over. */
  readonly context?: unknown;
}

/** What a binding answers. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | AsyncIterable<string>;
}

/** What an authenticator found: who calls, and the scope of the store where it is not derived from the principal. */
export interface Authenticated {
  readonly principal: unknown;
  readonly scope?: unknown;
  /** Owner of the tasks where the principal alone does not tell. */
  readonly owner?: string;
  /** Schemes that were shown, with the scopes of each. */
  readonly granted?: Granted;
  /** Tenants that the caller may name; absent: any. */
  readonly tenants?: readonly string[];
}

/** Where failures that must not reach the wire are written. `console` fits. */
export interface ErrorLog {
  error(message: string, details?: unknown): void;
}
