import type { OtelApi, OtelContext, OtelSpan } from "./otel-api.js";
import { traceOf, type TraceContext } from "./trace-context.js";

/** Trace contexts of requests as those of OpenTelemetry, and back. */
export interface OtelTrace {
  /** The context of whoever instruments the host already, else that of the headers. */
  incoming(headers: Readonly<Record<string, string | undefined>>, active?: OtelContext): OtelContext;
  outgoing(span: OtelSpan): TraceContext | undefined;
}

/** W3C headers are read and written here, so that it works without a propagator. */
export function otelTrace(api: OtelApi): OtelTrace {
  return {
    incoming(headers, active = api.context.active()) {
      if (api.trace.getSpan(active) !== undefined) return active;
      const trace = traceOf(headers);
      if (trace === undefined) return active;
      const [, traceId = "", spanId = "", flags = "0"] = trace.traceparent.split("-");
      return api.trace.setSpanContext(active, {
        traceId,
        spanId,
        traceFlags: Number.parseInt(flags, 16),
        isRemote: true,
        ...(trace.tracestate !== undefined && { traceState: api.createTraceState(trace.tracestate) }),
      });
    },
    outgoing(span) {
      const { traceId, spanId, traceFlags, traceState } = span.spanContext();
      const flags = traceFlags.toString(16).padStart(2, "0");
      const tracestate = traceState?.serialize() ?? "";
      return traceOf({ traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate });
    },
  };
}
