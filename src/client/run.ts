import { A2AError } from "../errors.js";
import { onAbort } from "./on-abort.js";

const LONGEST_TIMER = 2 ** 31 - 1;

/** One call under way: its signal and its deadline. */
export interface Run {
  readonly signal: AbortSignal;
  /** When the deadline is over unless bytes come, in ms since the epoch; undefined where there is none. */
  readonly endsAt: number | undefined;
  /** The promise, or the reason of an abort that comes first: also for code that ignores the signal. One at a time. */
  guard<T>(promise: Promise<T>): Promise<T>;
  /** Starts the deadline anew. */
  arm(): void;
  /** Bytes came: the deadline counts from now. */
  readonly touch: () => void;
  /** Stops the deadline until the next `arm`. */
  disarm(): void;
  /** Ends the call. */
  abort(reason: A2AError): void;
  /** Releases timer and listeners; the signal stays as it is. */
  release(): void;
  /** Told the reason of an abort, for whoever waits without a promise; `guard` uses it, too. */
  onAbort: ((reason: unknown) => void) | undefined;
  /** Id of the last event that was handed out. */
  lastEventId: string | undefined;
  /** True once the stream has said all: silence after it is no failure. */
  over: boolean;
}

/**
 * Starts a call that ends with `TIMEOUT` after `timeoutMs` (0, or too long for a timer: never) or with one of the
 * signals: with its reason where that is an `A2AError`, else `TIMEOUT` or `ABORTED` with the reason as cause.
 */
export function startRun(
  name: string,
  timeoutMs: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Run {
  const controller = new AbortController();
  const { signal } = controller;
  const limited = timeoutMs > 0 && timeoutMs <= LONGEST_TIMER;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let armed = false;
  let since = 0;

  const unwatch: (() => void)[] = [];

  const follow = (outer: AbortSignal): void => {
    const cause: unknown = outer.reason;
    const late = (cause as { name?: unknown } | null | undefined)?.name === "TimeoutError";
    run.abort(
      cause instanceof A2AError
        ? cause
        : new A2AError(late ? "TIMEOUT" : "ABORTED", `${name} was ended by its signal`, { cause }),
    );
  };
  // One timer serves many rounds: it looks at the clock when it fires, so that an event costs no timer.
  const check = (): void => {
    timer = undefined;
    if (!armed) return;
    const left = since + timeoutMs - performance.now();
    if (left > 0) timer = setTimeout(check, left);
    else run.abort(new A2AError("TIMEOUT", `${name} got no answer for ${String(timeoutMs)} ms`));
  };

  const run: Run = {
    signal,
    get endsAt() {
      return armed ? Date.now() + since + timeoutMs - performance.now() : undefined;
    },
    onAbort: undefined,
    lastEventId: undefined,
    over: false,
    guard: (promise) =>
      new Promise((resolve, fail) => {
        run.onAbort = fail;
        promise.then(resolve, (error: unknown) => {
          fail((signal.aborted ? signal.reason : error) as Error);
        });
        if (signal.aborted) fail(signal.reason as Error);
      }),
    arm() {
      armed = limited && !signal.aborted;
      run.touch();
      if (armed) timer ??= setTimeout(check, timeoutMs);
    },
    touch() {
      since = performance.now();
    },
    disarm() {
      armed = false;
    },
    abort(reason) {
      run.release();
      controller.abort(reason);
      run.onAbort?.(reason);
    },
    release() {
      run.disarm();
      clearTimeout(timer);
      timer = undefined;
      for (const stop of unwatch.splice(0)) stop();
    },
  };
  run.arm();
  for (const outer of signals) {
    if (outer === undefined) continue;
    if (outer.aborted) follow(outer);
    else unwatch.push(onAbort(outer, () => follow(outer)));
  }
  return run;
}
