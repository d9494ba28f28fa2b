import type { OtelApi } from "./otel-api.js";
import type { TelemetrySource } from "./types.js";

/** How a server is observed: not at all, or by this instance of `@opentelemetry/api`. */
export type TelemetryOption = false | { readonly api?: OtelApi };

/** A source, and when it is settled what it gives. */
export interface OpenedTelemetry {
  readonly source: TelemetrySource;
  /** Resolves when the packages were looked for. */
  readonly ready: Promise<void>;
}

/**
 * Looks for `@opentelemetry/api` and for an SDK that is registered with it, once. Without either nothing is observed; an
 * `api` that is handed in is used whatever is registered.
 */
export function openTelemetry(option: TelemetryOption | undefined): OpenedTelemetry | undefined {
  if (option === false) return undefined;
  const source: TelemetrySource = { current: undefined };
  return { source, ready: load(source, option?.api) };
}

async function load(source: TelemetrySource, given: OtelApi | undefined): Promise<void> {
  const api = given ?? (await installed());
  if (api === undefined) return;
  const { otelTelemetry } = await import("./otel.js");
  source.current = otelTelemetry(api);
}

async function installed(): Promise<OtelApi | undefined> {
  let api: OtelApi;
  try {
    api = await import("@opentelemetry/api");
  } catch {
    // An optional dependency.
    return undefined;
  }
  return isRegistered(api) ? api : undefined;
}

/** Whether somebody takes what is measured. */
function isRegistered(api: OtelApi): boolean {
  const provider = api.trace.getTracerProvider();
  const nothing = new api.ProxyTracerProvider().getDelegate();
  const traces = !(
    "getDelegate" in provider &&
    isCall(provider.getDelegate) &&
    provider.getDelegate.call(provider) === nothing
  );
  return traces || api.metrics.getMeter("a2a-typed") !== api.createNoopMeter();
}

const isCall = (value: unknown): value is (this: unknown) => unknown => typeof value === "function";
