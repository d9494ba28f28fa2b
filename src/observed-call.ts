/** A W3C trace context, as its headers say it. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Names of a task. */
export interface TaskRef {
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
}

/** One request under observation. */
export interface ObservedCall {
  /** Its own place in the trace. */
  readonly trace: TraceContext | undefined;
  /** What is called, once that is known. */
  named(method: string, version: string): void;
  /** The task that it is about, once that is known. */
  about(task: TaskRef): void;
  /** Runs what it causes as part of it. */
  within<T>(run: () => T): T;
  /** It became a stream, which is open until `end`. */
  streams(): void;
  /** Its outcome: the reason of an error, or none. Further calls say nothing. */
  end(reason?: string): void;
}
