import { createInstruments } from "./instruments.js";
import { otelTrace } from "./otel-trace.js";
import type { OtelApi, OtelAttributes, OtelContext, OtelGauge, OtelRead, OtelSpan } from "./otel-api.js";
import type { TraceContext } from "./trace-context.js";
import type { ObservedCall, TaskRef, Telemetry } from "./types.js";

/** Numbers of `SpanKind` and `SpanStatusCode`. */
const INTERNAL = 0;
const SERVER = 1;
const CLIENT = 2;
const ERROR = 2;

/** Errors for which the server is to blame; any other is an answer like others. */
const FAULTS: ReadonlySet<string> = new Set([
  "INTERNAL_ERROR",
  "INVALID_AGENT_RESPONSE",
  "UNAVAILABLE",
  "TIMEOUT",
]);

/** Spans and metrics of a server. Neither holds anything that callers or agents say, but the names of tasks. */
export function otelTelemetry(api: OtelApi): Telemetry {
  const tracer = api.trace.getTracer("a2a-typed");
  const meters = createInstruments(api.metrics.getMeter("a2a-typed"));
  const traces = otelTrace(api);

  class OtelCall implements ObservedCall {
    readonly #binding: string;
    readonly #parent: OtelContext;
    readonly #began = performance.now();
    readonly #startTime = Date.now();
    #method = "";
    #version = "";
    #span: OtelSpan | undefined;
    #context: OtelContext | undefined;
    #streams = false;
    #ended = false;

    constructor(binding: string, parent: OtelContext) {
      this.#binding = binding;
      this.#parent = parent;
    }

    named(method: string, version: string): void {
      this.#method = method;
      this.#version = version;
    }

    about(task: TaskRef): void {
      if (!this.#ended) this.#started().setAttributes(taskAttributes(task));
    }

    within<T>(run: () => T): T {
      const span = this.#started();
      this.#context ??= api.trace.setSpan(this.#parent, span);
      return api.context.with(this.#context, run);
    }

    get trace(): TraceContext | undefined {
      return traces.outgoing(this.#started());
    }

    get context(): OtelContext {
      return this.#context ?? this.#parent;
    }

    streams(): void {
      if (this.#ended || this.#streams) return;
      this.#streams = true;
      meters.streams.add(1);
    }

    end(reason?: string): void {
      if (this.#ended) return;
      const span = this.#started();
      this.#ended = true;
      if (this.#streams) meters.streams.add(-1);
      const outcome = reason ?? "ok";
      const by = { ...this.#facts(), "a2a.outcome": outcome };
      meters.requests.add(1, by);
      meters.duration.record((performance.now() - this.#began) / 1_000, by);
      span.setAttributes({ "a2a.outcome": outcome, ...(reason !== undefined && { "error.type": reason }) });
      if (reason !== undefined && FAULTS.has(reason)) span.setStatus({ code: ERROR });
      span.end();
    }

    // When its name is known: those who choose what is sampled go by it.
    #started(): OtelSpan {
      this.#span ??= tracer.startSpan(
        this.#method === "" ? "A2A request" : this.#method,
        {
          kind: SERVER,
          attributes: { "rpc.system": "a2a", ...this.#facts() },
          startTime: this.#startTime,
        },
        this.#parent,
      );
      return this.#span;
    }

    #facts(): OtelAttributes {
      return {
        "a2a.binding": this.#binding,
        ...(this.#method !== "" && { "rpc.method": this.#method, "a2a.version": this.#version }),
      };
    }
  }

  const contextOf = (call: ObservedCall | undefined): OtelContext =>
    call instanceof OtelCall ? call.context : api.context.active();

  return {
    call: (binding, headers) => new OtelCall(binding, traces.incoming(headers)),
    run(call, task) {
      call?.about(task);
      const parent = contextOf(call);
      const span = tracer.startSpan("run", { kind: INTERNAL, attributes: taskAttributes(task) }, parent);
      const context = api.trace.setSpan(parent, span);
      return {
        trace: traces.outgoing(span),
        within: (run) => api.context.with(context, run),
        end(failure) {
          if (failure !== undefined) span.setAttributes({ "error.type": failure });
          if (failure !== undefined) span.setStatus({ code: ERROR });
          span.end();
        },
      };
    },
    async delivery(task, trace, send) {
      const parent = traces.incoming(trace ? { ...trace } : {}, api.ROOT_CONTEXT);
      const span = tracer.startSpan("push", { kind: CLIENT, attributes: taskAttributes(task) }, parent);
      try {
        const outcome = await api.context.with(api.trace.setSpan(parent, span), () =>
          send(traces.outgoing(span)),
        );
        const { result } = outcome;
        const by = { "a2a.outcome": result };
        span.setAttributes(by);
        if (result === "failed" || result === "refused") span.setStatus({ code: ERROR });
        meters.deliveries.add(1, by);
        return outcome;
      } finally {
        span.end();
      }
    },
    deadLetter: () => meters.deadLetters.add(1),
    events: (count) => meters.events.add(count),
    liveTasks: (count) => observe(meters.liveTasks, count),
    busConnected: (connected) => observe(meters.busConnected, () => (connected() ? 1 : 0)),
  };
}

/** Asks whenever the gauge is read, until the result is called. */
function observe(gauge: OtelGauge, value: () => number): () => void {
  const read: OtelRead = (result) => result.observe(value());
  gauge.addCallback(read);
  return () => gauge.removeCallback(read);
}

const taskAttributes = ({ taskId, contextId }: TaskRef): OtelAttributes => ({
  ...(taskId !== undefined && taskId !== "" && { "a2a.task.id": taskId }),
  ...(contextId !== undefined && contextId !== "" && { "a2a.context.id": contextId }),
});
