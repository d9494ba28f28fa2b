import type { Headers } from "../../call.js";
import type { MaybePromise } from "../../store/types.js";
import type { AgentCard, SecurityScheme } from "../../versions/pivot.js";
import type { FetchLike } from "../fetch-like.js";

/** What credentials are wanted for: one request. After a 401 the same object comes again. */
export interface AuthOperation {
  /** Key of the method (`sendMessage`), or `agentCard` where the card is asked for. */
  readonly name: string;
  /** Where the request goes, without query. */
  readonly url: string;
  /** HTTP method. */
  readonly verb: string;
  /** Ends with the call. */
  readonly signal: AbortSignal;
}

/** A reply that refused credentials. */
export interface AuthRefusal {
  /** HTTP status: 401. */
  readonly status: number;
  /** Names in lower case; `www-authenticate` says what is asked for. */
  readonly headers: Headers;
}

/** A source of credentials. */
export interface ClientAuth {
  /** Headers of one request. What it throws ends the call. */
  headers(op: AuthOperation): MaybePromise<Headers>;
  /** Query parameters of one request. */
  query?(op: AuthOperation): MaybePromise<Readonly<Record<string, string>>>;
  /** After a 401: true to try once more, with what `headers` gives then. Without it, 401 is final. */
  refused?(op: AuthOperation, response: AuthRefusal): MaybePromise<boolean>;
  /** The credentials for an agent; called by `connect` once it has the card. Throws `CONFIG` where they do not suffice. */
  forCard?(card: AgentCard): ClientAuth;
  /** The credentials for a scheme of a card, with the scopes that are needed. */
  forScheme?(scheme: SecurityScheme, scopes: readonly string[]): ClientAuth;
  /** The HTTP client that shows a certificate. */
  readonly fetch?: FetchLike;
}

/** What the option `auth` takes: a function that gives the headers of each request, or an object. */
export type Auth = ClientAuth | ClientAuth["headers"];
