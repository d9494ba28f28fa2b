import type { RestRoute } from "./descriptor.js";
import type { A2AError } from "./errors.js";
import type { Transport, TransportRequest } from "./transport.js";

/** What a generation of peers does in its own way over HTTP+JSON; `R` is the reply of HTTP. */
export interface RestDialect<R> {
  /** The error in a body, or in an error frame of a stream; `json` is an object. */
  errorOf(request: TransportRequest, response: R, json: object): A2AError;
  /** Whether the peer may have `next` where `route` ended with `error`. */
  isElsewhere(request: TransportRequest, error: A2AError, route: RestRoute, next: RestRoute): boolean;
}

/** What a transport for a form stands on. */
export interface RestBase<R> {
  /** The transport of HTTP+JSON, for peers that do as the dialect says. */
  transport(dialect: RestDialect<R>): Transport;
  readonly dialect: RestDialect<R>;
  /** Whether bytes are written and read as the base64 of their base64 text. */
  readonly doubleBase64: boolean;
}

/**
 * The transport of a service that is spoken over HTTP+JSON in another form. It comes with the form of the service and
 * stands on what it is given, so that clients of other services need not carry it.
 */
export type RestForm = <R extends { readonly status: number }>(base: RestBase<R>) => Transport;
