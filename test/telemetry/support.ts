/** OpenTelemetry with its real SDKs, in memory. */
import { AsyncLocalStorage } from "node:async_hooks";
import { context, metrics, ROOT_CONTEXT, trace, type Context, type ContextManager } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

/** What makes a context active in what follows from a call. */
class Contexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    run: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(active, () => run.apply(self, args));
  }
  bind<T>(_active: Context, target: T): T {
    return target;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    return this;
  }
}

export const spans = new InMemorySpanExporter();
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });

/** Registers the SDKs for this process. */
export function register(): void {
  context.setGlobalContextManager(new Contexts());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
}

export interface Point {
  readonly attributes: Record<string, unknown>;
  /** A number, or a histogram. */
  readonly value: number | { readonly count: number };
}

/** The points of a metric as they are now. */
export async function points(name: string): Promise<Point[]> {
  await reader.forceFlush();
  const all =
    exporter
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  return all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
}

/** Sum of a metric over the points that have these attributes. */
export async function total(name: string, by: Record<string, unknown> = {}): Promise<number> {
  const matching = (await points(name)).filter(({ attributes }) =>
    Object.entries(by).every(([key, value]) => attributes[key] === value),
  );
  return matching.reduce((sum, { value }) => sum + (typeof value === "number" ? value : value.count), 0);
}
