/** What is known of a stream: nothing, that it goes on, that it may end here, that it is over. */
export type StreamPhase = "empty" | "open" | "paused" | "over";

interface AnyEvent {
  readonly kind?: unknown;
  readonly final?: unknown;
  readonly status?: { readonly state?: unknown };
  readonly message?: unknown;
  readonly task?: AnyEvent;
  readonly statusUpdate?: AnyEvent;
  readonly artifactUpdate?: unknown;
}

/**
 * The phase after one more event, in the shapes of every version: 1.x wraps the payload in a member, 0.x marks it with
 * `kind`. A stream that breaks while `open` is no completion (A2A-SSE-d); one whose events say nothing about a task
 * (a method of the future) may end anywhere. `last`: the peer said that nothing follows.
 */
export function phaseAfter(phase: StreamPhase, value: unknown, last = false): StreamPhase {
  const event = value as AnyEvent;
  if (last) return "over";
  if (event.message !== undefined || event.kind === "message") return "over";
  const { status, final } = event.task ?? event.statusUpdate ?? event;
  const state = status?.state;
  if (typeof state === "string") {
    // The names of the states end alike in every version.
    const [end, over] = /(completed|failed|canceled|rejected)$|required$/i.exec(state) ?? [];
    return over ? "over" : end || final === true ? "paused" : "open";
  }
  if (phase !== "empty") return phase;
  return event.artifactUpdate !== undefined || event.kind === "artifact-update" ? "open" : "paused";
}

/** What is wrong with a stream that ends in a phase, and what to do; undefined where it may end. */
export function cutBefore(phase: StreamPhase): string | undefined {
  if (phase !== "empty" && phase !== "open") return undefined;
  const before = phase === "open" ? "the task came to rest" : "its first event";
  return `The stream ended before ${before}; get the task, or subscribe to it`;
}

/** True for the events of 1.x that only make sense after a `task` (A2A-11.7-b). */
export function isUpdate(value: unknown): boolean {
  const { statusUpdate, artifactUpdate } = value as AnyEvent;
  return (statusUpdate ?? artifactUpdate) !== undefined;
}
