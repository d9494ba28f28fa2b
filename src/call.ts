import type { MethodDescriptor, ServiceDescriptor } from "./descriptor.js";
import type { ObservedCall } from "./observed-call.js";
import type { Granted } from "./granted.js";

/** Header names in lower case → value. */
export type Headers = Record<string, string>;

/** One call on its way through interceptors (client) or middleware (server): the same shape on both sides. */
export interface Call {
  readonly service: ServiceDescriptor;
  /** Key in `service.methods`: `sendMessage`. */
  readonly methodName: string;
  readonly method: MethodDescriptor;
  /** The decoded, canonical input. */
  input: unknown;
  /** Request headers; a client interceptor may add to them. */
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** Values that interceptors hand to each other and to handlers. */
  readonly context: CallContext;
}

/** What is known about a call besides its input. */
export interface CallContext {
  /** Who calls, as the `auth` option found; undefined without auth. */
  principal?: unknown;
  /** Who owns the tasks, where authentication said so. */
  taskOwner?: string;
  /** Schemes of the card that the caller showed, with the scopes of each. */
  granted?: Granted;
  /** Tenant from path, query or body. */
  tenant?: string;
  /** Extension URIs that the caller asked for. */
  requestedExtensions?: readonly string[];
  /** Extension URIs that are active; echoed in the reply. */
  activatedExtensions?: string[];
  /** `Last-Event-ID` of the request. */
  lastEventId?: string;
  /** Protocol version (`Major.Minor`) that the caller speaks, where it is not that of the service. */
  callerVersion?: string;
  /** What the caller called, where its version has another name for it. */
  asked?: Pick<Call, "service" | "method">;
  /** What the host framework handed over. */
  host?: unknown;
  /** Who watches the call. */
  observed?: ObservedCall;
  [key: string]: unknown;
}

/** A reply on its way back. `output` is one value, or the events of a stream. */
export type Reply =
  | { readonly stream: false; output: unknown; readonly headers: Headers }
  | { readonly stream: true; output: AsyncIterable<unknown>; readonly headers: Headers };

/** The rest of the chain. */
export type Next = (call: Call) => Promise<Reply>;

/**
 * Wraps calls, on the client (`createClient(…, { interceptors })`) and on the server (`createRouter(…, { middleware })`):
 * `const timed: Interceptor = (next) => async (call) => { const t = Date.now(); try { return await next(call) } finally { log(Date.now() - t) } }`.
 * The first in the list is the outermost.
 */
export type Interceptor = (next: Next) => Next;

/** Composes interceptors around `last`. */
export function chain(interceptors: readonly Interceptor[], last: Next): Next {
  return interceptors.reduceRight<Next>((next, interceptor) => interceptor(next), last);
}
