import type { OtelGauge, OtelMeter } from "./otel-api.js";

/** The metrics of a server. */
export interface Instruments {
  readonly duration: ReturnType<OtelMeter["createHistogram"]>;
  readonly requests: ReturnType<OtelMeter["createCounter"]>;
  readonly streams: ReturnType<OtelMeter["createUpDownCounter"]>;
  readonly liveTasks: OtelGauge;
  readonly busConnected: OtelGauge;
  readonly events: ReturnType<OtelMeter["createCounter"]>;
  readonly deliveries: ReturnType<OtelMeter["createCounter"]>;
  readonly deadLetters: ReturnType<OtelMeter["createCounter"]>;
}

/** Creates them; docs/telemetry.md lists them. */
export function createInstruments(meter: OtelMeter): Instruments {
  return {
    duration: meter.createHistogram("a2a.server.request.duration", {
      description: "Time from a request to its reply, or to the end of its stream",
      unit: "s",
    }),
    requests: meter.createCounter("a2a.server.requests", { description: "Requests", unit: "{request}" }),
    streams: meter.createUpDownCounter("a2a.server.open_streams", {
      description: "Streams that are open",
      unit: "{stream}",
    }),
    liveTasks: meter.createObservableGauge("a2a.server.live_tasks", {
      description: "Tasks in memory: those that are worked on or watched",
      unit: "{task}",
    }),
    busConnected: meter.createObservableGauge("a2a.server.bus_connected", {
      description: "1 while news of other instances get through, else 0",
      unit: "1",
    }),
    events: meter.createCounter("a2a.server.events", {
      description: "Events of tasks that were stored",
      unit: "{event}",
    }),
    deliveries: meter.createCounter("a2a.push.deliveries", {
      description: "Requests to webhooks",
      unit: "{request}",
    }),
    deadLetters: meter.createCounter("a2a.push.dead_letters", {
      description: "Events that were given up",
      unit: "{event}",
    }),
  };
}
