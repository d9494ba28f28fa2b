/** The part of `@opentelemetry/api` that is used here. Declared, because nobody must install it to read our types. */
export interface OtelApi {
  readonly ROOT_CONTEXT: OtelContext;
  readonly context: {
    active(): OtelContext;
    with<T>(context: OtelContext, run: () => T): T;
  };
  readonly trace: {
    getTracer(name: string): OtelTracer;
    getTracerProvider(): object;
    getSpan(context: OtelContext): OtelSpan | undefined;
    setSpan(context: OtelContext, span: OtelSpan): OtelContext;
    setSpanContext(context: OtelContext, span: OtelSpanContext): OtelContext;
  };
  readonly metrics: { getMeter(name: string): OtelMeter };
  readonly ProxyTracerProvider: new () => { getDelegate(): object };
  createNoopMeter(): object;
  createTraceState(text: string): { serialize(): string };
}

/** Opaque to us. */
export interface OtelContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): OtelContext;
  deleteValue(key: symbol): OtelContext;
}

/** Identity of a span. */
export interface OtelSpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean;
  readonly traceState?: { serialize(): string };
}

/** Values of attributes that are used here. */
export type OtelAttributes = Record<string, string>;

/** One span. */
export interface OtelSpan {
  spanContext(): OtelSpanContext;
  setAttributes(attributes: OtelAttributes): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

/** Starts spans. */
export interface OtelTracer {
  startSpan(
    name: string,
    options: { kind: number; attributes: OtelAttributes; startTime?: number },
    context: OtelContext,
  ): OtelSpan;
}

/** Makes instruments. */
export interface OtelMeter {
  createHistogram(name: string, options: OtelInstrument): { record(value: number, by: OtelAttributes): void };
  createCounter(name: string, options: OtelInstrument): { add(value: number, by?: OtelAttributes): void };
  createUpDownCounter(name: string, options: OtelInstrument): { add(value: number): void };
  createObservableGauge(name: string, options: OtelInstrument): OtelGauge;
}

/** What an instrument measures. */
export interface OtelInstrument {
  readonly description: string;
  readonly unit: string;
}

/** Asks when it is read. */
export interface OtelGauge {
  addCallback(read: OtelRead): void;
  removeCallback(read: OtelRead): void;
}

/** Told a value. */
export type OtelRead = (result: { observe(value: number): void }) => void;
