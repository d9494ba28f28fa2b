import type { ObservedCall, TaskRef, TraceContext } from "../observed-call.js";

export type { ObservedCall, TaskRef } from "../observed-call.js";

/** Told of a server's work; there only where somebody listens. Nothing that callers or agents say is handed over. */
export interface Telemetry {
  /** A request came; what is known of it follows. */
  call(binding: string, headers: Readonly<Record<string, string | undefined>>): ObservedCall;
  /** A handler begins, for a call or for none that is still known. */
  run(call: ObservedCall | undefined, task: TaskRef): ObservedRun;
  /** Sends one webhook delivery. */
  delivery<T extends { readonly result: string }>(
    task: TaskRef,
    trace: TraceContext | undefined,
    send: (trace: TraceContext | undefined) => Promise<T>,
  ): Promise<T>;
  /** A delivery was given up. */
  deadLetter(): void;
  /** Events of tasks were stored. */
  events(count: number): void;
  /** Whom to ask how many tasks live here; the result ends that. */
  liveTasks(count: () => number): () => void;
  /** Whom to ask whether news of other instances get through; the result ends that. */
  busConnected(connected: () => boolean): () => void;
}

/** One run of a handler under observation. */
export interface ObservedRun {
  readonly trace: TraceContext | undefined;
  within<T>(run: () => T): T;
  end(failure?: string): void;
}

/** Telemetry as it is now: it is there once its packages are loaded, and they are looked for once. */
export interface TelemetrySource {
  current: Telemetry | undefined;
}
