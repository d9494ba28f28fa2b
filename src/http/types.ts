import type { Headers } from "../call.js";

/** A request as adapters hand it over: nothing is read or parsed yet. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as received, e.g. `/tasks/1?historyLength=0`. */
  readonly url: string;
  /** Lower-cased names; repeated fields joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * Called at most once, after authentication; only for the id that a version error must echo, a small one is read before.
   * The reader enforces `limit` bytes and throws `PAYLOAD_TOO_LARGE`; bytes that are no UTF-8 are a `PARSE_ERROR`.
   */
  body(limit: number): Promise<string> | { readonly json: unknown };
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
  readonly peer?: {
    readonly address?: string;
    readonly certificate?: unknown;
    /** False: TLS let a certificate pass that it could not verify. */
    readonly verified?: boolean;
  };
  /** What the host framework hands over; reaches handlers as `call.context.host`. */
  readonly context?: unknown;
}

/** A response. An iterable body is pulled: the adapter waits for `drain` before the next pull and calls `return()` on disconnect. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | AsyncIterable<string>;
  /** No version has a route for the path, so nothing was read: a framework may still have one. */
  readonly unrouted?: boolean;
}

/** The core handler that every adapter sits on. Never rejects. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;
