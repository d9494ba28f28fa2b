import type { TraceContext } from "./trace-context.js";

/** Tasks whose trace is remembered; beyond it the oldest are forgotten. */
const LIMIT = 10_000;

/** The traces that tasks were last worked on in, for what is said of them later. In memory: a restart forgets them. */
export class TaskTraces {
  readonly #traces = new Map<string, TraceContext>();

  add(taskId: string, trace: TraceContext | undefined): void {
    if (trace === undefined) return;
    this.#traces.delete(taskId);
    this.#traces.set(taskId, trace);
    if (this.#traces.size <= LIMIT) return;
    const [oldest = ""] = this.#traces.keys();
    this.#traces.delete(oldest);
  }

  get(taskId: string): TraceContext | undefined {
    return this.#traces.get(taskId);
  }
}
