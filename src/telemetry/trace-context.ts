import type { Interceptor } from "../call.js";
import type { TraceContext } from "../observed-call.js";

export type { TraceContext } from "../observed-call.js";

// Version 00 is exactly this; a later one may go on, and `ff` is none.
const PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-[\x20-\x7e]*)?$/;

/** The trace context of a request; undefined where it has none that is well-formed. */
export function traceOf(headers: Readonly<Record<string, string | undefined>>): TraceContext | undefined {
  const traceparent = headers["traceparent"];
  if (traceparent === undefined || traceparent.length > 256 || !PARENT.test(traceparent)) return undefined;
  const tracestate = headers["tracestate"];
  if (tracestate === undefined || tracestate === "" || tracestate.length > 4096) return { traceparent };
  return { traceparent, tracestate };
}

/** The headers that say a trace context. */
export const traceHeaders = ({ traceparent, tracestate }: TraceContext): Record<string, string> =>
  tracestate === undefined ? { traceparent } : { traceparent, tracestate };

/**
 * Carries the trace of a handler to the agents that it calls: `createClient(A2A, transport, { interceptors:
 * [traceContext(ctx)] })`, `connect(url, { interceptors: [traceContext(ctx)] })`. A call that has a `traceparent` keeps
 * it.
 */
export function traceContext(source: { readonly trace?: TraceContext | undefined }): Interceptor {
  return (next) => (call) => {
    const { trace } = source;
    if (trace !== undefined && call.headers["traceparent"] === undefined) {
      Object.assign(call.headers, traceHeaders(trace));
    }
    return next(call);
  };
}
